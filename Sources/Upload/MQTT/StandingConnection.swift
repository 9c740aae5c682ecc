internal import Quantities

/// For targets with orders or a will, which reports that the tracker is offline until it connects again: their connection does not
/// wait for a record.
struct StandingConnection {
    /// Nil while it is open, and without a network.
    var due: Instant? { isOnline ? next : nil }
    private var next: Instant? = .boot
    private var isOnline = true
    private var opened: Instant?
    /// Resets the pauses between attempts.
    private static let steadyTime: Duration = .seconds(60)
    private var backoff = Backoff(first: .seconds(2), longest: .seconds(300))

    /// Not in the log yet.
    private var loss: String?
    private var nextReport = Instant.boot
    /// At most one loss in the log in this time.
    private static let reportPause: Duration = .seconds(60)

    mutating func begin(at now: Instant) { (next, opened) = (nil, now) }

    /// `reason` is nil if trackerd itself closed it.
    mutating func end(because reason: String?, at now: Instant) {
        if opened != nil, let reason { loss = reason }
        if let opened, now - opened >= Self.steadyTime { backoff.reset() }
        (next, opened) = (now + backoff.next(), nil)
    }

    /// The network has changed; `isOnline` is false without one.
    mutating func endPause(isOnline: Bool) {
        self.isOnline = isOnline
        backoff.reset()
        next = next.map { _ in .boot }
    }

    /// At most one a minute.
    mutating func takeLoss(at now: Instant) -> String? {
        guard let reason = loss, now >= nextReport else { return nil }
        (loss, nextReport) = (nil, now + Self.reportPause)
        return reason
    }
}
