internal import Quantities

/// Determines when to open a connection that must not wait for a record.
///
/// Two kinds of target need such a connection: one that accepts orders, and one whose broker publishes a will. The will states that
/// the tracker is offline, and it remains until trackerd connects again.
struct StandingConnection {
    /// When to connect; nil while the connection is open, and without a network.
    var due: Instant? { isOnline ? next : nil }
    private var next: Instant? = .boot
    private var isOnline = true
    private var opened: Instant?
    /// A connection that lasts for this time resets the pauses between attempts; after a shorter connection the pauses grow.
    private static let steadyTime: Duration = .seconds(60)
    private var backoff = Backoff(first: .seconds(2), longest: .seconds(300))

    /// The reason of the last loss that the log does not contain yet.
    private var loss: String?
    private var nextReport = Instant.boot
    /// The log contains at most one loss of the connection in this time.
    private static let reportPause: Duration = .seconds(60)

    mutating func begin(at now: Instant) { (next, opened) = (nil, now) }

    /// Notes that the connection was closed or could not be opened, and determines when to connect again.
    ///
    /// - `reason`: why an open connection was lost; nil if trackerd itself has closed it.
    mutating func end(because reason: String?, at now: Instant) {
        if opened != nil, let reason { loss = reason }
        if let opened, now - opened >= Self.steadyTime { backoff.reset() }
        (next, opened) = (now + backoff.next(), nil)
    }

    /// Ends the pause after earlier attempts, because the network has changed; `isOnline` is false if there is none.
    mutating func endPause(isOnline: Bool) {
        self.isOnline = isOnline
        backoff.reset()
        next = next.map { _ in .boot }
    }

    /// Returns the reason of the last loss of the connection, at most one in a minute; nil if there is nothing to report now.
    mutating func takeLoss(at now: Instant) -> String? {
        guard let reason = loss, now >= nextReport else { return nil }
        (loss, nextReport) = (nil, now + Self.reportPause)
        return reason
    }
}
