import Foundation
import Glibc
import Peers
import Store
import Testing
import Tracking

@Suite("Repeated crashes")
struct SafeModeTests {
    private let scratch: Scratch
    private let server: WebServer
    private let began = Date().timeIntervalSince1970

    init() throws {
        scratch = try Scratch()
        server = try WebServer()
        try FileManager.default.createDirectory(atPath: scratch.path + "/run", withIntermediateDirectories: true)
        try scratch.write(
            """
            device: van1
            store: {path: "\(scratch.path)/t.sqlite"}
            control: {socket: "\(scratch.path)/control.sock"}
            targets: [{name: archive, url: "\(server.url)", format: geojson}]
            tracking: {desiredSyncInterval: 0, distanceFilter: 10, turnFilter: 0}
            """, to: "config.yaml")
    }

    /// Starts the program with a folder for run-time files, as the service does, and waits for the line in the program's new log.
    private func start(_ log: String, speed: Int, until line: String) throws -> Daemon {
        let drive = Daemon.root.path + "/Tests/Traces/sample_trip.csv.gz"
        // At a high speed, the drive of three minutes could be over before the program starts on a busy computer.
        let began = speed == 1 ? began : Date().timeIntervalSince1970
        let arguments = [
            "run", "--board", "sim", "--drive", drive, "--speed", "\(speed)", "--began", "\(began)",
            "--config", scratch.path + "/config.yaml",
        ]
        let daemon = try Daemon(
            arguments, log: URL(fileURLWithPath: scratch.path + "/" + log),
            environment: ["RUNTIME_DIRECTORY": scratch.path + "/run"])
        #expect(eventually { daemon.logged.contains(line) }, "\(daemon.logged)")
        return daemon
    }

    private func crash(_ count: Int) throws {
        for number in 1...count {
            let daemon = try start("log\(number)", speed: 1, until: "Started")
            #expect(!daemon.logged.contains("safe mode"))
            daemon.kill()
        }
    }

    private func stored() throws -> [StoredRecord] {
        try DeliveryTable(path: scratch.path + "/t.sqlite").oldest(awaiting: "nobody", limit: 10_000, excluding: [])
    }

    private func awaiting() throws -> Int {
        try DeliveryTable(path: scratch.path + "/t.sqlite").oldest(awaiting: "archive", limit: 10_000, excluding: [])
            .count
    }

    @Test(
        "After five crashes, trackerd records without uploads and reports safe mode; a restart sends all records.",
        .enabled(if: WebServer.python != nil, "not installed: python3"))
    func safeMode() throws {
        try crash(5)
        try server.start(denying: false)
        let before = try stored().count
        let daemon = try start("safe", speed: 10, until: "safe mode: trackerd ended unexpectedly 5 times")
        #expect(eventually { ((try? stored().count) ?? 0) > before + 10 })
        let status = try Daemon.output(["status", "--config", scratch.path + "/config.yaml"])
        #expect(status.text.contains("safe mode: trackerd ended unexpectedly 5 times within an hour"), "\(status)")
        #expect(try Daemon.output(["locate", "--config", scratch.path + "/config.yaml"]).status == 0)
        #expect(server.bodies.isEmpty)
        #expect(daemon.end() == 0)

        let next = try start("next", speed: 30, until: "Started")
        #expect(!next.logged.contains("safe mode"))
        #expect(eventually { (try? awaiting()) == 0 })
        let body = server.bodies.joined()
        #expect(body.contains(#""change":"safeMode""#))
        #expect(next.end() == 0)
        let all = try stored().map(\.sequence)
        #expect(all == (0..<Int64(all.count)).map { $0 + 1 })
    }

    @Test(
        "After five crashes while trackerd served one target, the others still get their records.",
        .enabled(if: WebServer.python != nil, "not installed: python3"))
    func oneTarget() throws {
        let text = try String(contentsOfFile: scratch.path + "/config.yaml", encoding: .utf8)
        let both = text.replacing(
            "targets: [", with: "targets: [{name: broken, url: \"http://127.0.0.1:1\", format: geojson}, ")
        try scratch.write(both, to: "config.yaml")
        for number in 1...5 {
            let daemon = try start("log\(number)", speed: 1, until: "Started")
            daemon.kill()
            // The name is in the file if the program crashes while it serves the target.
            try scratch.write("broken", to: "run/served-target")
        }
        try server.start(denying: false)
        let daemon = try start("safe", speed: 10, until: "times within an hour while it served broken")
        #expect(eventually { !server.bodies.isEmpty })
        let status = try Daemon.output(["status", "--config", scratch.path + "/config.yaml"])
        #expect(status.text.contains("broken") && status.text.contains("(safe mode)"), "\(status)")
        #expect(daemon.end() == 0)
    }

    @Test(
        "After half an hour of safe mode, the process tries all parts again; the next crash leads back to safe mode.",
        .enabled(if: WebServer.python != nil, "not installed: python3"))
    func leaves() throws {
        try crash(5)
        try server.start(denying: false)
        let daemon = try start("safe", speed: 400, until: "Safe mode ends")
        #expect(eventually { daemon.logged.components(separatedBy: "Started").count == 3 })
        #expect(eventually { !server.bodies.isEmpty })
        #expect(daemon.isRunning)
        daemon.kill()
        let again = try start("again", speed: 1, until: "safe mode: trackerd ended unexpectedly 5 times")
        #expect(again.end() == 0)
        let last = try start("last", speed: 1, until: "Started")
        #expect(!last.logged.contains("safe mode"))
        #expect(last.end() == 0)
    }
}
