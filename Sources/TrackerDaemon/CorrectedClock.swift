import Hardware
import Quantities
import Store

/// The clock for the timestamps of records: the system's while that is trusted, and before that with the engine's correction.
///
/// A fix provides the time long before the system clock is set, if that ever is. Trust is sticky: the kernel clears its
/// "synchronised" flag hours after losing NTP, but the time of boot is still right. Belongs to one thread.
final class CorrectedClock {
    private let clock: any LoopClock
    /// UTC of boot, by the system clock when that was trusted last, or by a fix; nil before that.
    private var boot: Timestamp?
    /// Whether the engine's correction is confirmed.
    var isConfirmed = false

    init(_ clock: any LoopClock) { self.clock = clock }

    func read(at now: Instant) -> ClockReading {
        let (time, isTrusted) = clock.wallTime()
        // `now` is when the event came; that is some fsyncs ago by the time the last of its records is dated.
        if isTrusted { boot = time - (clock.now() - .boot) }
        let known = isTrusted ? time : boot.map { $0 + (now - .boot) }
        return ClockReading(
            boot: clock.bootID, now: now, time: known ?? time, isTrusted: known != nil,
            isConfirmed: isTrusted || known != nil && isConfirmed)
    }

    /// Corrects the clock, whose time was behind by `span`.
    func correct(by span: Duration, at now: Instant) {
        let (time, isTrusted) = clock.wallTime()
        // A clock that is trusted by now was set right already.
        boot = isTrusted ? time - (now - .boot) : (boot ?? time - (now - .boot)) + span
    }
}
