import Quantities

/// Without an accelerometer, a vehicle that has shown no fix for very long is taken to stand where no sky is.
struct SilenceRule: Sendable, Hashable {
    /// The longest road tunnels take half an hour at the speed of a queue.
    static let longest = Duration.seconds(1800)

    private var last: Instant

    /// Begins to wait.
    init(from now: Instant) { last = now }

    /// Notes a fix.
    mutating func fix(at now: Instant) { last = now }

    /// Judges when the timer has run out: whether the silence was long enough, and if not when to look again.
    func timer(at now: Instant) -> (confirmsStop: Bool, again: Instant) {
        (now - last >= Self.longest, last + Self.longest)
    }
}
