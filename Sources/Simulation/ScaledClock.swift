package import Hardware
package import Quantities

/// The clock of a recorded world, which runs `speed` times as fast as the real one.
///
/// The world goes on while the program does not run, when both runs are told the same moment at which it began.
package final class ScaledClock: LoopClock {
    private let real: any LoopClock
    private let began: Instant
    private let speed: Double
    private let isSet: Bool

    /// Begins a world at the real moment `began`; `speed` is above 0.
    ///
    /// A clock that is not set shows 1970, as on a board without a clock chip.
    package init(real: any LoopClock, began: Instant, speed: Double, isSet: Bool = true) {
        self.isSet = isSet
        self.real = real
        self.began = began
        self.speed = speed
    }

    /// The present moment of the world.
    package func now() -> Instant { Instant(seconds: (real.now() - began).inSeconds * speed) }

    /// The date in the world: recordings begin at `SimulatedDate.epoch`.
    package func wallTime() -> (time: Timestamp, isTrusted: Bool) {
        ((isSet ? SimulatedDate.epoch : Timestamp(milliseconds: 0)) + (now() - .boot), isSet)
    }

    /// The boot of the computer; the world has none of its own.
    package var bootID: String { real.bootID }

    /// How long to wait, in real time, until that moment of the world.
    package func realTime(until moment: Instant) -> Duration {
        max(.zero, Duration(inSeconds: (moment - now()).inSeconds / speed))
    }
}
