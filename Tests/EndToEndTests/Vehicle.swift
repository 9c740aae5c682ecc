import Foundation
import Peers
import Quantities
import Store
import Tracking

/// The built program in a vehicle that drives a recorded trip, with the test's own configuration.
struct Vehicle {
    /// Tracking options that end a trip after a minute at rest instead of three, for tests that wait for the arrival.
    static let earlyArrival = "{desiredSyncInterval: 0, distanceFilter: 10, turnFilter: 0, stopTimeout: 60}"

    let scratch: Scratch
    private let drive: String

    /// Writes the configuration; `targets` are the lines of the list of targets.
    ///
    /// `drive` replaces the recorded trip.
    init(
        targets: [String] = [], tracking: String = "{desiredSyncInterval: 0, distanceFilter: 10, turnFilter: 0}",
        more: [String] = [], drive: SyntheticDrive? = nil
    ) throws {
        scratch = try Scratch()
        self.drive =
            drive == nil ? Daemon.root.path + "/Tests/Traces/sample_trip.csv.gz" : scratch.path + "/drive.csv"
        let rules =
            [
                "device: van1", "store: {path: \"\(scratch.path)/t.sqlite\", commitInterval: 0}",
                "control: {socket: \"\(scratch.path)/control.sock\"}",
                "tracking: \(tracking)",
            ] + more + [targets.isEmpty ? "targets: []" : "targets:"]
        if let drive { try change(to: drive) }
        try scratch.write((rules + targets.map { "  - " + $0 } + [""]).joined(separator: "\n"), to: "config.yaml")
    }

    var config: String { scratch.path + "/config.yaml" }
    var database: String { scratch.path + "/t.sqlite" }

    /// Replaces the synthetic drive; this has an effect when the program starts.
    func change(to drive: SyntheticDrive) throws { try scratch.write(drive.csv, to: "drive.csv") }

    func run(_ arguments: String...) throws -> (text: String, errors: String, status: Int32) {
        try Daemon.output(arguments + ["--config", config])
    }

    func status() throws -> [String: Any] {
        let object = try JSONSerialization.jsonObject(with: Data(try run("status", "--json").text.utf8))
        return object as? [String: Any] ?? [:]
    }

    /// Starts the program, which runs `speed` times as fast as real time.
    func start(
        speed: Int = 20, _ more: [String] = [], errors: FileHandle? = nil, environment: [String: String] = [:],
        prefix: [String] = []
    ) throws -> Daemon {
        try Daemon(
            arguments(speed: speed) + more,
            log: URL(fileURLWithPath: scratch.path + "/log"), errors: errors, environment: environment, prefix: prefix)
    }

    func arguments(speed: Int = 20) -> [String] {
        ["run", "--board", "sim", "--drive", drive, "--speed", "\(speed)", "--config", config]
    }

    var logged: [Substring] { scratch.lines(of: "log") }

    /// Every record on disk, also the records that the options withhold from the servers.
    var everything: [StoredRecord] {
        let always = Timestamp(milliseconds: 0)...Timestamp(year: 2100, month: 1, day: 1)
        let records = try? History(path: database).excerpt(of: always).records
        return (records ?? []).sorted { $0.sequence < $1.sequence }
    }

    /// Every record on disk that a server may receive.
    var stored: [StoredRecord] {
        let table = try? DeliveryTable(path: database)
        return (try? table?.oldest(awaiting: "nobody", limit: 100_000, excluding: [])) ?? []
    }

    /// Returns whether the program writes a new record within four minutes, and replies.
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
