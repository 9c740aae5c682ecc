import Foundation
import GRDB
import Peers
import Quantities
import Store
import Testing
import Tracking

@Suite("A tracker that starts while its database cannot be used")
struct AbsentDiskTests {
    private let scratch: Scratch
    private let targets = "targets: [{name: home, url: \"http://127.0.0.1:9/\", format: geojson}]"
    private var config: [String] { ["--config", scratch.path + "/config.yaml"] }
    private var drive: [String] {
        ["--board", "sim", "--drive", Daemon.root.path + "/Tests/Traces/sample_trip.csv.gz", "--speed", "60"]
    }

    /// Makes a tracker that has driven 1000 km and completed a trip.
    init() throws {
        scratch = try Scratch()
        try FileManager.default.createDirectory(atPath: scratch.path + "/disk", withIntermediateDirectories: true)
        try scratch.write(
            """
            device: van1
            store: {path: "\(scratch.path)/disk/t.sqlite"}
            control: {socket: "\(scratch.path)/control.sock"}
            \(targets)
            """, to: "config.yaml")
        let daemon = try Daemon(["run"] + drive + ["--exit-at-end"] + config, log: log("first"))
        #expect(eventually { isListening(at: scratch.path + "/control.sock") })
        #expect(try Daemon.output(["odometer", "set", "1000000"] + config).status == 0)
        #expect(daemon.wait() == 0)
    }

    private func log(_ name: String) -> URL { URL(fileURLWithPath: scratch.path + "/" + name) }

    private func stored(in folder: String) throws -> [StoredRecord] {
        try DeliveryTable(path: scratch.path + "/\(folder)/t.sqlite")
            .oldest(awaiting: "nobody", limit: 10_000, excluding: [])
    }

    /// Checks that the database contains all earlier data, and all data of the second run, which began in memory.
    private func check(_ before: [StoredRecord], in folder: String) throws {
        let after = try stored(in: folder)
        #expect(Array(after.prefix(before.count)) == before)
        #expect(after.map(\.sequence) == Array(1...Int64(after.count)))
        let added = after.dropFirst(before.count)
        guard case .power(.started, _)? = added.first?.record.content else {
            Issue.record("the first record is not that of the start")
            return
        }
        #expect(added.last?.record.content == .power(.shutdown))
        #expect(added.contains { $0.record.kind == .motionchange })
        // Distance and trips continue from the stored values.
        #expect(added.allSatisfy { $0.record.odometer.value >= 1_000_000 })
        #expect(added.allSatisfy { $0.record.trip.map { $0 >= 1 } ?? true })
    }

    @Test("While another program locks the database, the tracker tracks in memory, and later writes all its data.")
    func locked() throws {
        let before = try stored(in: "disk")
        var configuration = Configuration()
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA locking_mode = EXCLUSIVE") }
        configuration.allowsUnsafeTransactions = true
        let other = try DatabaseQueue(path: scratch.path + "/disk/t.sqlite", configuration: configuration)
        try other.writeWithoutTransaction { try $0.execute(sql: "BEGIN EXCLUSIVE") }
        let daemon = try Daemon(["run"] + drive + config, log: log("second"))
        #expect(eventually { daemon.logged.contains("Recording continues in memory") })
        #expect(eventually { daemon.logged.contains("Departed") })
        let status = try Daemon.output(["status"] + config).text
        #expect(status.contains("home unknown, ") && status.contains("not on disk yet ("), "\(status)")
        let values = try Daemon.output(["status", "--json"] + config).text
        #expect(values.contains(#""name":"home","or_more":false"#) && !values.contains(#""waiting""#), "\(values)")
        try other.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
        try other.close()
        #expect(eventually { daemon.logged.contains("The queue is on disk again") })
        #expect(eventually { daemon.logged.contains("Arrived") })
        #expect(eventually { daemon.logged.contains("tracking continues from it") })
        let (text, _, _) = try Daemon.output(["status"] + config)
        #expect(text.contains("100"), "\(text)")
        #expect(daemon.end() == 0)
        try check(before, in: "disk")
    }

    /// A command that runs another command in a namespace with the right to mount; nil if mounting is impossible.
    static let namespace: [String]? = [["-m"], ["-r", "-m"]].map { ["unshare"] + $0 }.first { command in
        let arguments = Array(command.dropFirst()) + ["mount", "-t", "tmpfs", "none", "/mnt"]
        guard let program = Child.find("unshare"),
            let test = try? Process.run(
                URL(fileURLWithPath: program), arguments: arguments)
        else { return false }
        test.waitUntilExit()
        return test.terminationStatus == 0
    }

    enum Fault: String, CaseIterable {
        case full, readOnly

        var shell: (before: String, after: String) {
            switch self {
            case .full: ("dd if=/dev/zero of=disk/filler bs=1k 2>/dev/null", "rm disk/filler")
            case .readOnly: ("mount -o remount,ro disk", "mount -o remount,rw disk")
            }
        }
    }

    @Test(
        "A tracker with a full or read-only disk tracks in memory, and writes everything when the disk is back.",
        .enabled(if: namespace != nil, "nobody may mount here"), arguments: Fault.allCases)
    func away(fault: Fault) throws {
        let before = try stored(in: "disk")
        let words = (["run"] + drive + config).map { "'\($0)'" }.joined(separator: " ")
        try scratch.write(
            """
            cd '\(scratch.path)' && cp -r disk saved && mount -t tmpfs -o size=1m none disk && cp saved/* disk/
            \(fault.shell.before)
            '\(Daemon.program)' \(words) 2>second & program=$!
            until [ -e back ]; do sleep 0.05; done
            \(fault.shell.after)
            until [ -e end ]; do sleep 0.05; done
            kill -TERM $program; wait $program; echo $? >status
            mkdir out && cp disk/t.sqlite* out/ && touch copied
            """, to: "script")
        let command = try #require(Self.namespace)
        let shell = try Child(
            try #require(Child.find(command[0])), Array(command.dropFirst()) + ["sh", scratch.path + "/script"])
        defer { shell.kill() }
        let logged = { (text: String) in scratch.lines(of: "second").contains { $0.contains(text) } }
        #expect(eventually { logged("Recording continues in memory") })
        #expect(eventually { logged("Arrived") })
        try scratch.write("", to: "back")
        #expect(eventually { logged("The queue is on disk again") })
        try scratch.write("", to: "end")
        #expect(eventually { FileManager.default.fileExists(atPath: scratch.path + "/copied") })
        #expect(scratch.lines(of: "status") == ["0"])
        try check(before, in: "out")
    }
}
