import Foundation
import GRDB
import Glibc
import Peers
import Testing

extension InTheLab {
    @Suite("A supply that fails")
    struct PowerFailTests {
        private static let line = 12

        @Test("After a power-fail signal, all records are on disk within half a second.")
        func flush() throws {
            let scratch = try Scratch()
            try LabLines.pull(Self.line, up: false)
            try scratch.write(
                """
                device: van1
                store: {path: \(scratch.path)/trackerd.sqlite}
                control: {socket: \(scratch.path)/control.sock}
                board: {powerFail: {chip: \(LabLines.chip), line: GPIO\(Self.line)}, gpsd: {host: 127.0.0.1, port: 9}}

                """, to: "config.yaml")
            let daemon = try LabDaemon(
                ["run", "--board", "bare", "--config", "\(scratch.path)/config.yaml"], log: "\(scratch.path)/log")
            try #require(eventually { daemon.logged.contains("Started") }, "\(daemon.logged)")
            // The program does not send records with an uncertain time, so the test reads the file.
            let database = try DatabaseQueue(path: scratch.path + "/trackerd.sqlite")
            func count() throws -> Int {
                try database.read {
                    try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM records WHERE kind = 'power'") ?? 0
                }
            }
            try #require(eventually { (try? count()) == 1 }, "\(daemon.logged)")
            let clock = ContinuousClock()
            let failed = clock.now
            try LabLines.pull(Self.line, up: true)
            while try count() < 2, clock.now - failed < .seconds(5) { usleep(1000) }
            #expect(clock.now - failed < .milliseconds(500))
            try LabLines.pull(Self.line, up: false)
            #expect(eventually { (try? count()) == 3 })
            #expect(daemon.end() == 0)
        }
    }
}
