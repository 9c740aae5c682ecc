import Foundation
import Glibc
import Peers
import Testing

extension InVirtualTime {
    @Suite("A vehicle that is parked for a day")
    struct ParkedForADayTests {
        @Test("A parked board that has only gpsd rarely wakes the processor, although gpsd does not run.")
        func bare() throws {
            let scratch = try Scratch()
            try scratch.write(
                "device: van1\nstore: {path: \(scratch.path)/db}\ncontrol: {socket: \(scratch.path)/socket}\n",
                to: "config.yaml")
            let daemon = try LabDaemon(
                ["run", "--board", "bare", "--config", scratch.path + "/config.yaml"], log: scratch.path + "/log")
            let began = Date()
            sleep(60)
            let before = try daemon.wakeUps()
            sleep(86_400)
            #expect(Date().timeIntervalSince(began) >= 86_460)
            let wakeUps = try daemon.wakeUps() - before
            // Without an accelerometer, the program checks the position. While the checks find no fix, the pauses between
            // them grow from 30 s to 10 minutes.
            #expect(wakeUps < 20_000, "\(wakeUps) wake-ups")
            #expect(daemon.end() == 0)
            #expect(!daemon.logged.contains(" error "))
        }
    }
}
