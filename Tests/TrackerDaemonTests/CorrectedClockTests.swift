import Hardware
import Quantities
import Store
import Testing

@testable import TrackerDaemon

@Suite("The clock for the timestamps of records")
struct CorrectedClockTests {
    /// A system clock that the test sets.
    private final class SystemClock: LoopClock {
        var boot = Timestamp(milliseconds: 1_000_000)
        var isTrusted = false
        let bootID = "first"

        func now() -> Instant { Instant(seconds: 50) }
        func wallTime() -> (time: Timestamp, isTrusted: Bool) { (boot + .seconds(50), isTrusted) }
        func realTime(until moment: Instant) -> Duration { .zero }
    }

    private let system = SystemClock()
    private let now = Instant(seconds: 50)

    @Test("Before the time is known, the clock gives the system's time, marked as untrusted.")
    func unknown() {
        let reading = CorrectedClock(system).read(at: now)
        #expect(reading.time.milliseconds == 1_050_000)
        #expect(!reading.isTrusted)
        #expect(reading.boot == "first")
    }

    @Test("After a fix has provided the time, the clock corrects the system's error.")
    func afterFix() {
        let clock = CorrectedClock(system)
        clock.correct(by: .seconds(1_767_000_000), at: now)
        #expect(clock.read(at: now).time.milliseconds == 1_767_001_050_000)
        #expect(clock.read(at: now).isTrusted)
        // A user sets the system clock by hand, but the time of the fix was right.
        system.boot = Timestamp(milliseconds: 5_000_000)
        #expect(clock.read(at: now).time.milliseconds == 1_767_001_050_000)
    }

    @Test("The clock is corrected if the first fixes were years wrong, and confirmed only by the engine.")
    func corrected() {
        let clock = CorrectedClock(system)
        clock.correct(by: .seconds(2_082_000_000), at: now)
        clock.correct(by: .seconds(-315_000_000), at: now)
        #expect(clock.read(at: now).time.milliseconds == 1_767_001_050_000)
        #expect(clock.read(at: now).isTrusted && !clock.read(at: now).isConfirmed)
        clock.isConfirmed = true
        #expect(clock.read(at: now).isConfirmed)
    }

    @Test("After a time server has set the system clock, the clock gives the system's time.")
    func synchronised() {
        let clock = CorrectedClock(system)
        clock.correct(by: .seconds(1_767_000_000), at: now)
        system.boot = Timestamp(milliseconds: 1_767_001_000_500)
        system.isTrusted = true
        #expect(clock.read(at: now).time.milliseconds == 1_767_001_050_500)
    }

    @Test("The clock is not corrected twice if the step of the system clock provided the time.")
    func stepped() {
        let clock = CorrectedClock(system)
        system.boot = Timestamp(milliseconds: 1_767_001_000_000)
        system.isTrusted = true
        clock.correct(by: .seconds(1_767_000_000), at: now)
        // The program cannot reach the time server for a day, so the kernel no longer trusts its clock.
        system.isTrusted = false
        #expect(clock.read(at: now).time.milliseconds == 1_767_001_050_000)
    }

    @Test("The time remains known if the time server goes away, until one is back.")
    func serverGoesAway() {
        let clock = CorrectedClock(system)
        system.boot = Timestamp(milliseconds: 1_767_001_000_000)
        system.isTrusted = true
        _ = clock.read(at: now)
        system.isTrusted = false
        #expect(clock.read(at: now).time.milliseconds == 1_767_001_050_000)
        #expect(clock.read(at: now).isTrusted)
        // The program does not trust a time that a user has set by hand.
        system.boot = Timestamp(milliseconds: 5_000_000)
        #expect(clock.read(at: now).time.milliseconds == 1_767_001_050_000)
        system.boot = Timestamp(milliseconds: 1_767_001_000_500)
        system.isTrusted = true
        _ = clock.read(at: now)
        system.isTrusted = false
        #expect(clock.read(at: now).time.milliseconds == 1_767_001_050_500)
    }

    @Test("A time server overrides an earlier fix, also after it went away.")
    func serverAfterFix() {
        let clock = CorrectedClock(system)
        clock.correct(by: .seconds(1_767_000_000), at: now)
        system.boot = Timestamp(milliseconds: 1_767_001_000_500)
        system.isTrusted = true
        _ = clock.read(at: now)
        system.isTrusted = false
        #expect(clock.read(at: now).time.milliseconds == 1_767_001_050_500)
    }
}
