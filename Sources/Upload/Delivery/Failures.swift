//  The reactions to failures of a target or of the queue: pauses, and reports that are not repeated.

internal import Quantities

/// The pause after failures in a row: first 1 s, then twice as long after each failure up to 5 min, ±25 %.
///
/// The pause is longer if the target requests a longer one, if there is no network, or if the server rejects the user.
struct RetryPause: Sendable, Hashable {
    /// Failures since the last success.
    private(set) var failures = 0
    /// Failures since the last success or the last `retryNow`; the pause grows with this number.
    ///
    /// The number remains 1 while the pauses are short.
    private var step = 0
    /// When the next attempt may begin; nil means at once.
    private var until: Instant?
    /// Until this time the pauses remain short, because of `retryNow`.
    private var eagerUntil: Instant?
    private var isOffline = false

    private static let backoff = Backoff(first: .seconds(1), longest: .seconds(300))
    private static let unauthorised: Duration = .seconds(3600)
    private static let longestAsked: Duration = .seconds(86_400)
    /// The pause without a network.
    ///
    /// The pause ends as soon as the network returns. The pause also has a limit, because trackerd can reach a server
    /// on this computer without a network.
    private static let offline: Duration = .seconds(3600)
    /// The time after `retryNow` in which pauses remain short.
    ///
    /// A new network has a route at once, but name resolution and the gateway may need some seconds.
    private static let eagerness: Duration = .seconds(10)

    /// Returns the end of the pause; nil if the pause is over.
    func end(after now: Instant) -> Instant? { until.flatMap { now < $0 ? $0 : nil } }

    /// Starts a pause after a failure.
    ///
    /// If a pause is already in force, only a request of the target or a missing network lengthens it.
    ///
    /// `jitter` is 0 ..< 1.
    mutating func fail(after asked: Duration?, jitter: Double, at now: Instant) {
        let own = lengthen(jitter: jitter, at: now)
        let wanted = min(asked ?? .zero, Self.longestAsked)
        until = max(until ?? now, now + max(own, wanted, isOffline ? Self.offline : .zero))
    }

    /// Starts the long pause for a server that rejects the user.
    mutating func rejectUser(at now: Instant) {
        failures += 1
        until = now + Self.unauthorised
    }

    mutating func succeed() { self = RetryPause() }

    /// Ends the pause, because the target probably works again; after further failures the pauses are short for a while.
    mutating func retryNow(at now: Instant) {
        isOffline = false
        step = 0
        until = nil
        eagerUntil = now + Self.eagerness
    }

    /// Lengthens a pause that is in force, and later pauses, until `retryNow` or a success.
    mutating func networkLost(at now: Instant) {
        isOffline = true
        eagerUntil = nil
        if let until, now < until { self.until = max(until, now + Self.offline) }
    }

    private mutating func lengthen(jitter: Double, at now: Instant) -> Duration {
        guard end(after: now) == nil else { return .zero }
        failures += 1
        let isEager = eagerUntil.map { now < $0 } ?? false
        step = isEager ? 1 : step + 1
        return Duration(inSeconds: Self.backoff.pause(afterFailures: step).inSeconds * (0.75 + jitter / 2))
    }
}

/// Pseudo-random numbers (SplitMix64); the same seed results in the same numbers.
///
/// The numbers vary the pauses, so that the vehicles of a fleet do not all return to their server at the same time.
package struct Jitter: Sendable, Hashable {
    private var state: UInt64

    /// Starts a sequence of numbers.
    package init(seed: UInt64) { state = seed }

    /// Returns the next number, 0 ..< 1.
    package mutating func next() -> Double {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return Double((mixed ^ (mixed >> 31)) >> 11) / Double(1 << 53)
    }
}

/// Reports each fault once, and also the end of the target's fault.
struct FaultLog: Sendable, Hashable {
    private var ofTarget: UploadReport.Event?
    private var ofQueue: String?

    /// Returns the report of the target's fault, unless it repeats the last report.
    mutating func targetFailed(_ event: UploadReport.Event) -> [Delivery.Effect] {
        guard event != ofTarget else { return [] }
        ofTarget = event
        return [.report(event)]
    }

    /// Returns the report that the target works again; empty if no fault was reported before.
    mutating func targetWorks(after failures: Int) -> [Delivery.Effect] {
        guard ofTarget != nil else { return [] }
        ofTarget = nil
        return [.report(.recovered(failures: failures))]
    }

    /// Returns the report of the queue's fault, unless it repeats the last report.
    mutating func queueFailed(_ reason: String) -> [Delivery.Effect] {
        guard reason != ofQueue else { return [] }
        ofQueue = reason
        return [.report(.queueFailing(reason: reason))]
    }

    mutating func queueWorks() { ofQueue = nil }
}
