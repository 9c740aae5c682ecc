import Foundation
import Peers
import Store
import Tracking

/// The built program in a vehicle that drives a recorded trip, with the test's own configuration.
struct Vehicle {
    let scratch: Scratch

    /// Writes the configuration; `targets` are the lines of the list of targets.
    init(targets: [String] = []) throws {
        scratch = try Scratch()
        let rules = [
            "device: van1", "store: {path: \"\(scratch.path)/t.sqlite\", commitInterval: 0}",
            "control: {socket: \"\(scratch.path)/control.sock\"}",
            "tracking: {desiredSyncInterval: 0, distanceFilter: 10, turnFilter: 0}",
            targets.isEmpty ? "targets: []" : "targets:",
        ]
        try scratch.write((rules + targets.map { "  - " + $0 } + [""]).joined(separator: "\n"), to: "config.yaml")
    }

    var config: String { scratch.path + "/config.yaml" }

    /// Starts the program, `speed` times faster than real time.
    func start(
        speed: Int = 20, _ more: [String] = [], errors: FileHandle? = nil, environment: [String: String] = [:],
        prefix: [String] = []
    ) throws -> Daemon {
        try Daemon(
            arguments(speed: speed) + more,
            log: URL(fileURLWithPath: scratch.path + "/log"), errors: errors, environment: environment, prefix: prefix)
    }

    /// Returns the arguments of the program.
    func arguments(speed: Int = 20) -> [String] {
        let drive = Daemon.root.path + "/Tests/Traces/sample_trip.csv.gz"
        return ["run", "--board", "sim", "--drive", drive, "--speed", "\(speed)", "--config", config]
    }

    /// The complete lines of the program's log.
    var logged: [Substring] { scratch.lines(of: "log") }

    /// Every record on disk.
    var stored: [StoredRecord] {
        let table = try? DeliveryTable(path: scratch.path + "/t.sqlite")
        return (try? table?.oldest(awaiting: "nobody", limit: 100_000, excluding: [])) ?? []
    }

    /// Returns whether the program writes a new record within a minute, and replies.
    func isTracking() throws -> Bool {
        let before = stored.count
        guard eventually({ stored.count > before }) else { return false }
        return try Daemon.output(["status", "--config", config]).status == 0
    }
}

extension Daemon {
    /// Asks the program to end; returns its exit status, or nil if the end takes more than twenty seconds.
    func endInTime() -> Int32? {
        let began = ContinuousClock.now
        signal(SIGTERM)
        while isRunning, ContinuousClock.now - began < .seconds(20) { usleep(5_000) }
        return isRunning ? nil : wait()
    }
}
