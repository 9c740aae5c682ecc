import Hardware
import Quantities
import Store

/// The clock for record timestamps: the system clock while it is trusted; before that, with the engine's correction.
///
/// A fix often provides the time long before the system clock is set, which may never happen. Trust is sticky: the kernel
/// clears its "synchronised" flag hours after losing NTP, but the time of boot is still right. Only one thread uses the clock.
final class CorrectedClock {
    private let clock: any LoopClock
    /// UTC of boot, from the system clock when it was last trusted, or from a fix; nil before either.
    private var boot: Timestamp?
    /// Whether the engine's correction is confirmed.
    var isConfirmed = false

    init(_ clock: any LoopClock) { self.clock = clock }

    func read(at now: Instant) -> ClockReading {
        let (time, isTrusted) = clock.wallTime()
        // `now` is the time of the event. The last record of the event gets its timestamp some fsyncs later.
        if isTrusted { boot = time - (clock.now() - .boot) }
        let known = isTrusted ? time : boot.map { $0 + (now - .boot) }
        return ClockReading(
            boot: clock.bootID, now: now, time: known ?? time, isTrusted: known != nil,
            isConfirmed: isTrusted || known != nil && isConfirmed)
    }

    /// Corrects the clock, which was behind by `span`.
    func correct(by span: Duration, at now: Instant) {
        let (time, isTrusted) = clock.wallTime()
        // A system clock that is trusted by now needs no correction.
        boot = isTrusted ? time - (now - .boot) : (boot ?? time - (now - .boot)) + span
    }
}
