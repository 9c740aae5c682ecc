import Foundation
import Glibc
import Peers
import Store
import Testing
import Tracking

extension InTheLab {
    @Suite("A supply that fails")
    struct PowerFailTests {
        private static let line = 12

        @Test("has all that was recorded on disk within half a second, and no upload begins after it")
        func flush() throws {
            let scratch = try Scratch()
            try LabLines.pull(Self.line, up: false)
            // Nobody listens there: each attempt to upload would be a line in the log.
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
            let database = try DeliveryTable(path: scratch.path + "/trackerd.sqlite")
            func power() throws -> [PowerChange] {
                try database.oldest(awaiting: "nobody", limit: 1000, excluding: []).compactMap { stored in
                    if case .power(let change) = stored.record.content { change } else { nil }
                }
            }
            try #require(eventually { (try? power()) == [.started] }, "\(daemon.logged)")
            let clock = ContinuousClock()
            let failed = clock.now
            try LabLines.pull(Self.line, up: true)
            while try power().last != .supplyLost, clock.now - failed < .seconds(5) { usleep(1000) }
            #expect(clock.now - failed < .milliseconds(500))
            try LabLines.pull(Self.line, up: false)
            #expect(eventually { (try? power().last) == .supplyBack })
            #expect(daemon.end() == 0)
        }
    }
}
