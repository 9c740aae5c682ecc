import Hardware
import Quantities
import Testing

@testable import Recordings

@Suite("The clock of a simulation")
struct ScaledClockTests {
    private let real = SetClock()

    private func clock(canLag: Bool = true) -> ScaledClock {
        ScaledClock(real: real, began: .boot + .seconds(100), speed: 50, canLag: canLag)
    }

    @Test("While the loop waits, the clock runs at its pace, also if something else ends the wait early.")
    func pace() {
        let clock = clock()
        real.pass(.seconds(100))
        #expect(clock.now() == .boot)
        clock.willWait(until: .boot + .seconds(500))
        real.pass(.seconds(4))
        #expect(clock.now() == .boot + .seconds(200))
        clock.willWait(until: nil)
        real.pass(.seconds(60))
        #expect(clock.now() == .boot + .seconds(3200))
        #expect(clock.realTime(until: .boot + .seconds(3300)) == .seconds(2))
    }

    @Test("A pause of the computer takes at most a second of simulated time.")
    func pause() {
        let clock = clock()
        real.pass(.seconds(100))
        #expect(clock.now() == .boot)
        // The loop works for half a second, and later sleeps four seconds longer than it wanted.
        real.pass(.milliseconds(500))
        #expect(clock.now() == .boot + .seconds(1))
        clock.willWait(until: .boot + .seconds(51))
        real.pass(.seconds(5))
        #expect(clock.now() == .boot + .seconds(52))
        real.pass(.milliseconds(10))
        #expect(clock.now() == .boot + .milliseconds(52_500))
        #expect(clock.realNow() == .boot + .milliseconds(105_510))
        #expect(clock.wallTime().time == SimulatedDate.epoch + .milliseconds(52_500))
    }

    @Test("With a receiver outside of the program, the clock does not lag.")
    func keptPace() {
        let clock = clock(canLag: false)
        real.pass(.seconds(100))
        #expect(clock.now() == .boot)
        real.pass(.seconds(3))
        #expect(clock.now() == .boot + .seconds(150))
    }

    @Test("A program that starts later continues the simulation as if it had run.")
    func restart() {
        real.pass(.seconds(110))
        #expect(clock().now() == .boot + .seconds(500))
    }
}

private final class SetClock: LoopClock {
    private var moment = Instant.boot

    func pass(_ span: Duration) { moment = moment + span }
    func now() -> Instant { moment }
    func wallTime() -> (time: Timestamp, isTrusted: Bool) { (Timestamp(milliseconds: 0), false) }
    let bootID = "boot"
    func realTime(until moment: Instant) -> Duration { max(.zero, moment - self.moment) }
}
