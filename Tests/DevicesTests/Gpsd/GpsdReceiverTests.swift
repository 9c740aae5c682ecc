import Contracts
import Devices
import Foundation
import Hardware
import Quantities
import Testing
import Tracking

@Suite("A receiver behind gpsd")
struct GpsdReceiverTests {
    @Test("A receiver behind gpsd fulfils the receiver contract.")
    func contract() throws {
        #expect(try violationsOfReceiverContract { try MockBench() } == [])
    }

    @Test("The receiver connects when it is started, and not before.")
    func lazy() throws {
        let bench = try MockBench()
        bench.settle()
        #expect(bench.gpsd.connections == 0)
        #expect(bench.start())
        #expect(bench.gpsd.connections == 1)
    }

    @Test("A fix has time, position, speed, accuracy and satellites.")
    func fix() throws {
        let bench = try MockBench()
        #expect(bench.start())
        bench.gpsd.say(GpsdScript.sky)
        bench.gpsd.say(GpsdScript.report(second: 1))
        #expect(bench.run { !$0.fixes.isEmpty })
        let fix = try #require(bench.fixes.first)
        #expect(fix.time?.description == "2026-01-01T07:00:01.000Z")
        #expect(fix.coordinate == Coordinate(latitude: 52.0001, longitude: 4.9))
        #expect(fix.speed == MetresPerSecond(10))
        #expect(fix.accuracy == Metres(4))
        #expect(fix.satellites == 2)
        #expect(fix.hdop == 0.9)
        #expect(bench.events.first == .receiver(isThere: true))
    }

    @Test("A fix has dilutions of precision and climb.")
    func quality() throws {
        let bench = try MockBench()
        #expect(bench.start())
        bench.gpsd.say(GpsdScript.sky)
        bench.gpsd.say(GpsdScript.dilutions)
        bench.gpsd.say(GpsdScript.report(second: 1, more: #","climb":-0.4,"jam":37"#))
        #expect(bench.run { !$0.fixes.isEmpty })
        let fix = try #require(bench.fixes.first)
        #expect(fix.satellites == 2)
        #expect([fix.hdop, fix.vdop, fix.pdop] == [0.9, 1.3, 1.6])
        #expect(fix.climb == MetresPerSecond(-0.4))
        #expect(fix.jamming == 37)
    }

    @Test("Values that gpsd omits are nil.")
    func unsaid() throws {
        let bench = try MockBench()
        #expect(bench.start())
        bench.gpsd.say(GpsdScript.sky)
        bench.gpsd.say(GpsdScript.report(second: 1, more: #","climb":-0.4"#))
        bench.gpsd.say(GpsdScript.report(second: 2))
        #expect(bench.run { $0.fixes.count == 2 })
        let fix = try #require(bench.fixes.last)
        #expect([fix.vdop, fix.pdop] == [nil, nil])
        #expect(fix.climb == nil)
        #expect(fix.jamming == nil)
    }

    @Test("The receiver watches the configured device.")
    func device() throws {
        let bench = try MockBench(device: "/dev/gps0")
        #expect(bench.start())
        #expect(bench.gpsd.heard.contains(#""device":"/dev/gps0""#))
    }

    @Test("A stopped receiver requests the end of reports, keeps the connection and has no deadline.")
    func silence() throws {
        let bench = try MockBench()
        #expect(bench.start())
        bench.gpsdReceiver.stop(at: bench.now)
        #expect(bench.run { !$0.gpsd.isWatched })
        bench.pass(.seconds(3600))
        #expect(bench.gpsd.connections == 1)
        #expect(bench.gpsdReceiver.wait.deadline == nil)
        #expect(bench.gpsdReceiver.wait.interest != nil)
        #expect(bench.calls < 10)
    }

    @Test("The receiver restores a connection that was lost after a stop only at the next start.")
    func lostAtRest() throws {
        let bench = try MockBench()
        #expect(bench.start())
        bench.gpsdReceiver.stop(at: bench.now)
        bench.settle()
        bench.gpsd.drop()
        bench.pass(.seconds(3600))
        #expect(bench.gpsdReceiver.wait == Wait())
        #expect(bench.gpsd.connections == 1)
        #expect(bench.presence.isEmpty)
        #expect(bench.start())
        #expect(bench.gpsd.connections == 2)
    }

    @Test("Two reports of an epoch become one fix at once.")
    func twoReports() throws {
        let bench = try MockBench()
        #expect(bench.start())
        for second in 1...20 {
            bench.gpsd.say(GpsdScript.report(second: second, speed: nil, eph: nil))
            bench.gpsd.say(GpsdScript.report(second: second))
            #expect(bench.run { $0.fixes.count == second })
            bench.pass(.seconds(1))
        }
        #expect(bench.fixes.allSatisfy { $0.speed == MetresPerSecond(10) && $0.accuracy == Metres(4) })
        #expect(bench.fixes.count == 20)
    }

    @Test("A captured drive has one fix per epoch, with speed and accuracy.")
    func captured() throws {
        let capture = try #require(Bundle.module.url(forResource: "Fixtures/drive", withExtension: "json"))
        let lines = try String(contentsOf: capture, encoding: .utf8).split(separator: "\n").map(String.init)
        let bench = try MockBench()
        #expect(bench.start())
        for line in lines { bench.gpsd.say(.line(line)) }
        bench.pass(.seconds(1))
        // The capture has 117 reports with 59 distinct times.
        let times = bench.fixes.compactMap(\.time)
        #expect(times.count == 59)
        #expect(zip(times, times.dropFirst()).allSatisfy(<))
        #expect(bench.fixes.count { $0.speed == nil || $0.accuracy == nil || $0.coordinate == nil } == 0)
    }

    @Test("Reports without a fix are passed on during a search.")
    func searching() throws {
        let bench = try MockBench()
        #expect(bench.start())
        for second in 1...5 {
            bench.gpsd.say(GpsdScript.report(second: second, mode: 1))
            bench.pass(.seconds(1))
        }
        #expect(bench.fixes.map(\.mode) == Array(repeating: .noFix, count: 5))
    }

    @Test("All lines of a burst are read.")
    func burst() throws {
        let bench = try MockBench()
        #expect(bench.start())
        for second in 1...1000 { bench.gpsd.say(GpsdScript.report(second: second)) }
        #expect(bench.run { $0.fixes.count == 1000 })
    }

    @Test("An unreachable host does not block, and the attempt ends after a minute.")
    func unanswered() {
        // The range 192.0.2.0/24 is reserved for documentation (RFC 5737), so no host answers.
        let receiver = GpsdReceiver(GpsdAddress(host: "192.0.2.1"))
        let begin = BootClock().now()
        receiver.start(at: .boot)
        #expect(BootClock().now() - begin < .seconds(1))
        #expect(receiver.advance(at: .boot + .seconds(60)) == [.receiver(isThere: false)])
        #expect(receiver.wait == Wait(deadline: .boot + .seconds(61)))
    }
}
