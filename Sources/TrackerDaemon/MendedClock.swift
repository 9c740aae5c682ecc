import Hardware
import Quantities
import Store

/// The clock that records are dated with: the system's while that is trusted, and before that what the engine has learnt.
///
/// A fix tells the time long before the system clock is set, if that ever is.
struct MendedClock {
    private let clock: any LoopClock
    /// UTC of boot as a fix gave it; nothing before the first.
    private var boot: Timestamp?

    init(_ clock: any LoopClock) { self.clock = clock }

    func read(at now: Instant) -> ClockReading {
        let (time, isTrusted) = clock.wallTime()
        let known = isTrusted ? time : boot.map { $0 + (now - .boot) }
        return ClockReading(boot: clock.bootID, now: now, time: known ?? time, isTrusted: known != nil)
    }

    /// Learns that the dates given until now were behind by `span`.
    mutating func mend(by span: Duration, at now: Instant) {
        let (time, isTrusted) = clock.wallTime()
        // A clock that is trusted by now was set right already.
        boot = time + (isTrusted ? .zero : span) - (now - .boot)
    }
}
