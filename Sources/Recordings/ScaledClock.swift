package import Hardware
package import Quantities

/// The clock of a simulated vehicle, which runs at most `pace` times as fast as the real clock.
///
/// If the computer is too busy for this pace, the clock runs slower, so that the program misses nothing of the drive: between
/// two readings, at most `longestStep` passes beyond the moment until which the loop wanted to wait.
///
/// Two runs with the same `began` belong to one simulation, because simulated time also passes while the program does not run.
package final class ScaledClock: LoopClock {
    /// What may pass during the work of one turn of the loop.
    static let longestStep = Duration.seconds(1)

    private let real: any LoopClock
    private let began: Instant
    package let pace: Double
    private let isSet: Bool
    private let date: Timestamp
    private let canLag: Bool
    /// The real time by which the simulation lags behind `pace`.
    private var lag = Duration.zero
    /// The last real moment at which the clock was read, or the end of the wait that began after it; nil if the wait has no
    /// limit, and at the start.
    private var expected: Instant?

    /// Makes a clock that starts at the real moment `began` with the date `date`; `speed` is above 0.
    ///
    /// If `isSet` is false, the clock starts in 1970, as on a board without a clock chip. `canLag` is false if something
    /// outside of the program, such as a simulated gpsd, runs at the same pace.
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

    /// The computer's own.
    package var bootID: String { real.bootID }

    package func realTime(until moment: Instant) -> Duration {
        max(.zero, Duration(inSeconds: (moment - now()).inSeconds / pace))
    }
}
