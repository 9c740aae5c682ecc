internal import Quantities

/// How long a target is left alone after a failure: 1 s doubling to 5 min, give or take a quarter; longer when it asks.
struct RetryPause: Sendable, Hashable {
    /// Failures since the last success.
    private(set) var failures = 0
    /// When the target may be tried again; nothing when it may at once.
    private var until: Instant?

    private static let longest = 300.0
    private static let unauthorised: Duration = .seconds(3600)
    private static let longestAsked: Duration = .seconds(86_400)

    /// The end of the pause; nothing when it is over.
    func end(after now: Instant) -> Instant? { until.flatMap { now < $0 ? $0 : nil } }

    /// Starts a pause, or lengthens the one that runs when the target asks for it; `jitter` is 0 ..< 1.
    mutating func fail(after asked: Duration?, jitter: Double, at now: Instant) {
        let own = lengthen(jitter: jitter, at: now)
        let wanted = min(asked ?? .zero, Self.longestAsked)
        until = max(until ?? now, now + max(own, wanted))
    }

    /// Starts the long pause after a refusal of the user.
    mutating func lock(at now: Instant) {
        failures += 1
        until = now + Self.unauthorised
    }

    /// The target works again.
    mutating func succeed() { self = RetryPause() }

    /// There is reason to believe that it works: tries at once, but carefully.
    mutating func hope() {
        failures = min(failures, 1)
        until = nil
    }

    private mutating func lengthen(jitter: Double, at now: Instant) -> Duration {
        guard end(after: now) == nil else { return .zero }
        failures += 1
        let doubled = Double(1 << min(failures - 1, 16))
        return Duration(inSeconds: min(Self.longest, doubled) * (0.75 + jitter / 2))
    }
}
