import Quantities

/// Without an accelerometer, half an hour without a fix is a stop: the vehicle stands at a place without a sky view.
struct SilenceRule: Sendable, Hashable {
    /// A drive through the longest road tunnels in a queue can take half an hour.
    static let timeout = Duration.seconds(1800)

    private var last: Instant

    init(from now: Instant) { last = now }

    mutating func fix(at now: Instant) { last = now }

    /// Whether the silence confirms a stop, and when to check again if it does not.
    func timer(at now: Instant) -> (confirmsStop: Bool, again: Instant) {
        (now - last >= Self.timeout, last + Self.timeout)
    }
}
