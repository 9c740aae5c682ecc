package import Hardware
package import Quantities

/// Runs at most `pace` times as fast as the real clock. If the computer is too busy for this pace, the clock runs
/// slower, so that nothing of the drive is missed. Between two readings, at most `longestStep` passes beyond the moment
/// until which the loop wanted to wait. Two runs with the same `began` belong to one simulation, whose time also passes
/// while the program does not run.
package final class ScaledClock: LoopClock {
    /// The most simulated time that may pass during the work of one turn of the loop.
    static let longestStep = Duration.seconds(1)

    private let real: any LoopClock
    private let began: Instant
    package let pace: Double
    private let isSet: Bool
    private let date: Timestamp
    private let canLag: Bool
    /// The real time by which the simulation is behind `pace`.
    private var lag = Duration.zero
    /// When the clock was last read, or the wait after that ends; nil at the start, and in a wait without a limit.
    private var expected: Instant?

    /// Starts at the real moment `began` with the date `date`, or in 1970 without `isSet`, as on a board without a
    /// clock chip. `speed` is above 0. `canLag` is false if something outside, such as a simulated gpsd, runs at the
    /// same pace.
    package init(
        real: any LoopClock, began: Instant, speed: Double, isSet: Bool = true, date: Timestamp = SimulatedDate.epoch,
        canLag: Bool = true
    ) {
        self.isSet = isSet
        self.date = date
        self.real = real
        self.began = began
        self.canLag = canLag
        pace = speed
    }

    package func now() -> Instant {
        let moment = real.now()
        if canLag, let expected {
            let latest = expected + Duration(inSeconds: Self.longestStep.inSeconds / pace)
            if moment > latest { lag += moment - latest }
        }
        expected = moment
        return Instant(seconds: (moment - began - lag).inSeconds * pace)
    }

    package func realNow() -> Instant { real.now() }

    package func willWait(until moment: Instant?) {
        expected = moment.map { real.now() + realTime(until: $0) }
    }

    package func wallTime() -> (time: Timestamp, isTrusted: Bool) {
        ((isSet ? date : Timestamp(milliseconds: 0)) + (now() - .boot), isSet)
    }

    package var bootID: String { real.bootID }

    package func realTime(until moment: Instant) -> Duration {
        max(.zero, Duration(inSeconds: (moment - now()).inSeconds / pace))
    }
}
