import Devices
import Foundation
import Quantities
import Testing

@Suite("The real clock")
struct BootClockTests {
    @Test("The clock counts from boot and never goes backwards.")
    func monotonic() throws {
        let clock = BootClock()
        let uptime = try String(contentsOfFile: "/proc/uptime", encoding: .utf8)
        let seconds = try #require(Double(uptime.prefix { $0 != " " }))
        let first = clock.now()
        #expect(first.seconds - seconds < 5)
        #expect(first.seconds >= seconds)
        #expect(clock.now() >= first)
    }

    @Test("The clock reads UTC to the millisecond.")
    func wallTime() {
        let difference = Double(BootClock().wallTime().time.milliseconds) / 1000 - Date().timeIntervalSince1970
        #expect(abs(difference) < 5)
    }

    @Test(
        "The clock reads any date that the system clock can have.",
        arguments: [
            (0, "1970-01-01T00:00:00.250Z"), (10_413_792_000, "2300-01-01T00:00:00.250Z"),
            (253_402_300_799, "9999-12-31T23:59:59.250Z"),
        ])
    func farDates(seconds: Int, text: String) {
        #expect(BootClock.timestamp(seconds: seconds, nanoseconds: 250_000_000).description == text)
    }

    @Test("The clock does not overflow with extreme readings.", arguments: [Int.min, Int.max])
    func extremes(seconds: Int) {
        #expect(!BootClock.timestamp(seconds: seconds, nanoseconds: 999_999_999).description.isEmpty)
        #expect((BootClock.instant(seconds: seconds, nanoseconds: 999_999_999) + .seconds(1_000_000_000)).seconds >= 0)
    }

    @Test("The time until a past moment is zero.")
    func passed() {
        let clock = BootClock()
        #expect(clock.realTime(until: .boot) == .zero)
        #expect(clock.realTime(until: clock.now() + .seconds(100)) > .seconds(90))
    }
}
