import Hardware
import Quantities
import Store

/// The clock that records are dated with: the system's while that is trusted, and before that what the engine has learnt.
///
/// A fix tells the time long before the system clock is set, if that ever is. What was known once stays known: the kernel
/// takes its word back hours after it last heard of a time server. Belongs to one thread.
final class MendedClock {
    private let clock: any LoopClock
    /// UTC of boot, as the system clock had it when that was trusted last, or as a fix gave it; nothing before that.
    private var boot: Timestamp?
    /// Whether what the engine has learnt is confirmed.
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

    /// Learns that the dates given until now were behind by `span`.
    func mend(by span: Duration, at now: Instant) {
        let (time, isTrusted) = clock.wallTime()
        // A clock that is trusted by now was set right already.
        boot = isTrusted ? time - (now - .boot) : (boot ?? time - (now - .boot)) + span
    }
}
