internal import Quantities

/// Keeps a target with orders or a will connected, even if no record waits. The will reports that the tracker is
/// offline.
struct StandingConnection {
    /// When to connect; nil while the connection is open, and without a network.
    var due: Instant? { isOnline ? next : nil }
    private var next: Instant? = .boot
    private var isOnline = true
    private var opened: Instant?
    /// A connection that was open this long resets the pauses between attempts.
    private static let steadyTime: Duration = .seconds(60)
    private var backoff = Backoff(first: .seconds(2), longest: .seconds(300))

    /// A reason that is not in the log yet.
    private var loss: String?
    private var nextReport = Instant.boot
    /// In this time the log gets at most one loss.
    private static let reportPause: Duration = .seconds(60)

    mutating func begin(at now: Instant) { (next, opened) = (nil, now) }

    /// `reason` is nil if trackerd itself closed the connection.
    mutating func end(because reason: String?, at now: Instant) {
        if opened != nil, let reason { loss = reason }
        if let opened, now - opened >= Self.steadyTime { backoff.reset() }
        (next, opened) = (now + backoff.next(), nil)
    }

    /// Ends the pause after a change of the network; `isOnline` is false without a network.
    mutating func endPause(isOnline: Bool) {
        self.isOnline = isOnline
        backoff.reset()
        next = next.map { _ in .boot }
    }

    /// Returns at most one loss a minute.
    mutating func takeLoss(at now: Instant) -> String? {
        guard let reason = loss, now >= nextReport else { return nil }
        (loss, nextReport) = (nil, now + Self.reportPause)
        return reason
    }
}
