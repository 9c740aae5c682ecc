import Calendar
import Quantities
import Testing
import TrackingOptions

@testable import Tracking

@Suite("The UTC estimate")
struct UTCEstimateTests {
    private var clock = UTCEstimate()

    @Test("The time is 1970 and not trusted until a source states it.")
    func nothing() {
        #expect(clock.time(at: .at(5)) == UTCTime(Timestamp(milliseconds: 5000), isTrusted: false))
    }

    @Test("Earlier records are corrected by the error of the clock once the time is known.")
    mutating func mend() {
        #expect(clock.learn(system: Samples.start, isTrusted: false, at: .at(10)) == nil)
        let correction = clock.learn(fix: Samples.start + .seconds(3700), at: .at(110))
        #expect(correction == .seconds(3600))
        #expect(clock.time(at: .at(111)).time == Samples.start + .seconds(3701))
        #expect(clock.time(at: .at(111)).isTrusted)
    }

    @Test("A time server corrects earlier records too, also backwards, and only once.")
    mutating func server() {
        _ = clock.learn(system: Samples.start, isTrusted: false, at: .at(0))
        let correction = clock.learn(system: Samples.start - .seconds(500), isTrusted: true, at: .at(100))
        #expect(correction == .seconds(-600))
        #expect(clock.learn(fix: Samples.start - .seconds(399), at: .at(200)) == nil)
        #expect(clock.learn(system: Samples.start - .seconds(300), isTrusted: true, at: .at(300)) == nil)
    }

    @Test("The time follows steps of the system clock as long as no fix is known.", arguments: [7200.0, -7200])
    mutating func steps(seconds: Double) {
        _ = clock.learn(system: Samples.start, isTrusted: true, at: .at(0))
        _ = clock.learn(system: Samples.start + Duration(inSeconds: 60 + seconds), isTrusted: true, at: .at(60))
        #expect(clock.time(at: .at(61)).time == Samples.start + Duration(inSeconds: 61 + seconds))
    }

    @Test("The time remains known after the time server is lost, until a time server is back with a better time.")
    mutating func serverGoesAway() {
        _ = clock.learn(system: Samples.start, isTrusted: true, at: .at(0))
        // No source confirms the system clock now.
        #expect(clock.learn(system: Samples.start + .seconds(5000), isTrusted: false, at: .at(60)) == nil)
        #expect(clock.time(at: .at(61)).time == Samples.start + .seconds(61))
        #expect(clock.time(at: .at(61)).isTrusted)
        #expect(clock.learn(system: Samples.start + .seconds(122), isTrusted: true, at: .at(120)) == nil)
        #expect(clock.time(at: .at(121)).time == Samples.start + .seconds(123))
    }

    @Test("A closed schedule remains closed if the time server is lost.")
    func scheduleStaysClosed() throws {
        let (opens, closes) = (try #require(TimeOfDay("08:00")), try #require(TimeOfDay("20:00")))
        var world = World { ($0.startTime, $0.endTime) = (opens, closes) }
        world.park()
        #expect(!world.engine.status.isWithinSchedule)
        let effects = world.tell(.wallClock(Samples.start + .seconds(3600), isTrusted: false), at: 3600)
        #expect(!world.engine.status.isWithinSchedule && !effects.contains(.receiver(isOn: true)))
    }

    @Test("The time does not follow the system clock if fixes have agreed for a long time.", arguments: [true, false])
    mutating func fixKnowsBetter(isTrusted: Bool) {
        _ = clock.learn(fix: Samples.start - .seconds(3600), at: .at(-3600))
        _ = clock.learn(fix: Samples.start, at: .at(0))
        _ = clock.learn(system: Samples.start - .seconds(86_400), isTrusted: isTrusted, at: .at(60))
        #expect(clock.time(at: .at(60)).time == Samples.start + .seconds(60))
        #expect(clock.time(at: .at(60)).isTrusted)
    }

    @Test(
        "After six hours without a fix the time comes from a time server, and from no other source.",
        arguments: [(21_599.0, true, 0), (21_600, true, 2), (90_000, false, 0)])
    mutating func oldFix(age: Double, isTrusted: Bool, drift: Int) {
        _ = clock.learn(fix: Samples.start, at: .at(0))
        let seconds = Duration(inSeconds: age)
        _ = clock.learn(system: Samples.start + seconds + .seconds(2), isTrusted: isTrusted, at: .at(age))
        #expect(clock.time(at: .at(age)).time == Samples.start + seconds + .seconds(drift))
        #expect(clock.time(at: .at(age)).isTrusted)
    }

    @Test("A fix after the time server's report sets the time again.")
    mutating func newFix() {
        _ = clock.learn(system: Samples.start, isTrusted: true, at: .at(0))
        _ = clock.learn(fix: Samples.start + .seconds(63), at: .at(60))
        #expect(clock.time(at: .at(61)).time == Samples.start + .seconds(64))
    }

    @Test("Later fixes that contradict a few wrong fixes correct the time.")
    mutating func correction() {
        let wrong = Samples.start + .seconds(86_400 * 3653)
        _ = clock.learn(system: Timestamp(milliseconds: 0), isTrusted: false, at: .at(0))
        _ = clock.learn(fix: wrong, at: .at(10))
        let correction = clock.learn(fix: Samples.start + .seconds(90), at: .at(100))
        #expect(correction == .seconds(-86_400 * 3653))
        #expect(clock.time(at: .at(101)).time == Samples.start + .seconds(91))
        // A report that a buffer has delayed is not a contradiction.
        #expect(clock.learn(fix: Samples.start + .seconds(92), at: .at(104)) == nil)
    }

    @Test("Fixes that agree for an hour confirm the time, and a time server confirms it at once.")
    mutating func confirmation() {
        _ = clock.learn(fix: Samples.start, at: .at(0))
        _ = clock.learn(fix: Samples.start + .seconds(3599), at: .at(3599))
        #expect(!clock.isConfirmed)
        _ = clock.learn(fix: Samples.start + .seconds(3600), at: .at(3600))
        #expect(clock.isConfirmed)
        _ = clock.learn(fix: Samples.start + .seconds(86_400), at: .at(3700))
        #expect(!clock.isConfirmed)
        _ = clock.learn(system: Samples.start + .seconds(3710), isTrusted: true, at: .at(3710))
        #expect(clock.isConfirmed)
        #expect(clock.time(at: .at(3710)).time == Samples.start + .seconds(3710))
    }

    @Test("A receiver that is days off does not override a time server.")
    mutating func receiverDaysOff() {
        let wrong = Duration.seconds(86_400 * 3653)
        _ = clock.learn(system: Samples.start, isTrusted: true, at: .at(0))
        #expect(clock.learn(fix: Samples.start + wrong, at: .at(10)) == nil)
        #expect(clock.time(at: .at(10)).time == Samples.start + .seconds(10))
    }

    @Test("If two fixes in a leap second have the same time, only the second of them is rejected.")
    func leapSecond() {
        let midnight = Timestamp(year: 2027, month: 1, day: 1)
        var first = Samples.fix(0)
        first.time = midnight - .seconds(3)
        var filter = FixFilter(last: AcceptedFix(first))
        // At a leap second, POSIX time and the receivers' UTC repeat a second.
        let refused = [-2, -1, 0, 0, 1, 2].map { offset in
            var fix = Samples.fix(0)
            fix.time = midnight + .seconds(offset)
            return filter.judge(fix) == .refused(.notNewer)
        }
        #expect(refused == [false, false, false, true, false, false])
    }

    @Test("A receiver with a wrong count of weeks is rejected, in either direction.")
    func weekRollover() {
        var fix = Samples.fix(0)
        var filter = FixFilter(
            notBefore: Timestamp(year: 2026, month: 1, day: 1), last: AcceptedFix(fix))
        // This date is 1024 weeks before 4 May 2026.
        fix.time = Timestamp(year: 2006, month: 9, day: 18)
        #expect(filter.judge(fix) == .refused(.tooOld))
        fix.time = Timestamp(year: 2025, month: 12, day: 31)
        #expect(filter.judge(fix) == .refused(.tooOld))
        fix.time = Timestamp(year: 2045, month: 8, day: 18)
        #expect(filter.judge(fix) == .refused(.tooNew))
        fix.time = Timestamp(year: 2045, month: 8, day: 17)
        #expect(filter.judge(fix) != .refused(.tooNew))
    }
}
