import Devices
import Foundation
import Quantities
import Testing

@Suite("The real clock")
struct BootClockTests {
    @Test("counts from boot, and never backwards")
    func monotonic() throws {
        let clock = BootClock()
        let uptime = try String(contentsOfFile: "/proc/uptime", encoding: .utf8)
        let seconds = try #require(Double(uptime.prefix { $0 != " " }))
        let first = clock.now()
        #expect(first.seconds - seconds < 5)
        #expect(first.seconds >= seconds)
        #expect(clock.now() >= first)
    }

    @Test("tells UTC to the millisecond")
    func wallTime() {
        let difference = Double(BootClock().wallTime().time.milliseconds) / 1000 - Date().timeIntervalSince1970
        #expect(abs(difference) < 5)
    }

    @Test("has no time left until what has passed")
    func passed() {
        let clock = BootClock()
        #expect(clock.realTime(until: .boot) == .zero)
        #expect(clock.realTime(until: clock.now() + .seconds(100)) > .seconds(90))
    }
}
