import Quantities

/// Without an accelerometer, confirms a stop if no fix arrives for half an hour.
///
/// The rule assumes that the vehicle stands at a place without a sky view.
struct SilenceRule: Sendable, Hashable {
    /// In a traffic queue, a drive through the longest road tunnels can take half an hour.
    static let timeout = Duration.seconds(1800)

    private var last: Instant

    /// Begins to wait for a fix.
    init(from now: Instant) { last = now }

    /// Restarts the wait after a fix.
    mutating func fix(at now: Instant) { last = now }

    /// Handles the timer; returns whether the silence confirms a stop, and when to check again if it does not.
    func timer(at now: Instant) -> (confirmsStop: Bool, again: Instant) {
        (now - last >= Self.timeout, last + Self.timeout)
    }
}
