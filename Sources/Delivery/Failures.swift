//  The reactions to failures of a target or of the queue: pauses, and reports that are not repeated.

internal import Quantities

/// A pause is 1 s, doubled by each failure in a row up to 5 min, ±25 %. It is longer if the target asks for that, if
/// there is no network, or if the server rejects the user.
///
/// After a failure of the link it is at most 15 s ±25 % while an early attempt is worthwhile.
struct RetryPause: Sendable, Hashable {
    private(set) var failures = 0
    /// The number of failures since the last success or `retryNow`; it stays 1 until `eagerUntil`, and while early
    /// attempts are worthwhile it does not grow beyond `earlySteps`.
    private var step = 0
    /// Nil means at once.
    private var until: Instant?
    /// Until then, each new pause is 1 s ±25 %, because of `retryNow`.
    private var eagerUntil: Instant?
    private var rejections = 0
    private var isOffline = false
    /// True if only the link failed; a new record then shortens the pause.
    private var isOfLink = false
    private var lostAt: Instant?
    private var lastRecord: Instant?

    private static let backoff = Backoff(first: .seconds(1), longest: .seconds(300))
    /// The longest pause after a failure of the link, while an early attempt is worthwhile.
    private static let longestEarly: Duration = .seconds(15)
    /// The steps up to `longestEarly`: 1, 2, 4, 8 and 15 s.
    private static let earlySteps = 5
    /// For this long after the loss of the link, early attempts are worthwhile.
    private static let youngOutage: Duration = .seconds(1800)
    /// For this long after a new record, early attempts are worthwhile; a moving vehicle records more often.
    private static let freshRecord: Duration = .seconds(60)
    /// A single rejection may come from a firewall, so the first pauses are short.
    private static let unauthorised: [Duration] = [.seconds(5), .seconds(30), .seconds(120), .seconds(600)]
    /// Each pause after those in `unauthorised`.
    private static let longUnauthorised: Duration = .seconds(3600)
    private static let longestAsked: Duration = .seconds(86_400)
    /// The pause ends when the network returns; it is limited because a server on this computer needs no network.
    private static let offline: Duration = .seconds(3600)
    /// A new network has a route at once, but name resolution and the gateway may take some seconds more.
    private static let eagerness: Duration = .seconds(10)

    func end(after now: Instant) -> Instant? { until.flatMap { now < $0 ? $0 : nil } }

    /// Only the target's request or a missing network lengthens a pause in force. `jitter` is 0 ..< 1.
    mutating func fail(after asked: Duration?, jitter: Double, at now: Instant) {
        let own = lengthen(isEarly: false, jitter: jitter, at: now)
        isOfLink = false
        wait(max(own, min(asked ?? .zero, Self.longestAsked)), at: now)
    }

    /// Only a missing network lengthens a pause in force. `jitter` is 0 ..< 1.
    mutating func linkFailed(jitter: Double, at now: Instant) {
        lostAt = lostAt ?? now
        if end(after: now) == nil { isOfLink = true }
        wait(lengthen(isEarly: isEarlyWorthwhile(at: now), jitter: jitter, at: now), at: now)
    }

    /// Shortens a pause after failures of the link to at most `longestEarly`, unless there is no network.
    mutating func recordsCommitted(at now: Instant) {
        lastRecord = now
        guard isOfLink, !isOffline, let until else { return }
        self.until = min(until, now + Self.longestEarly)
    }

    /// A pause in force does not change.
    mutating func rejectUser(at now: Instant) {
        guard end(after: now) == nil else { return }
        failures += 1
        isOfLink = false
        wait(rejections < Self.unauthorised.count ? Self.unauthorised[rejections] : Self.longUnauthorised, at: now)
        rejections += 1
    }

    mutating func succeed() { self = RetryPause() }

    /// Ends the pause, because the target probably works again; further pauses are short for a while.
    mutating func retryNow(at now: Instant) {
        isOffline = false
        step = 0
        until = nil
        eagerUntil = now + Self.eagerness
    }

    /// Lengthens the pause in force and later ones, until `retryNow` or a success.
    mutating func networkLost(at now: Instant) {
        isOffline = true
        eagerUntil = nil
        if let until, now < until { self.until = max(until, now + Self.offline) }
    }

    private func isEarlyWorthwhile(at now: Instant) -> Bool {
        lostAt.map { now - $0 < Self.youngOutage } ?? true || lastRecord.map { now - $0 < Self.freshRecord } ?? false
    }

    private mutating func wait(_ pause: Duration, at now: Instant) {
        until = max(until ?? now, now + max(pause, isOffline ? Self.offline : .zero))
    }

    /// Returns the new pause; zero if a pause is in force.
    private mutating func lengthen(isEarly: Bool, jitter: Double, at now: Instant) -> Duration {
        guard end(after: now) == nil else { return .zero }
        failures += 1
        let isEager = eagerUntil.map { now < $0 } ?? false
        if isEager {
            step = 1
        } else if !isEarly || step < Self.earlySteps {
            // Early failures count only until their pause reaches `longestEarly`; more of them would make the normal
            // pauses that follow too long.
            step += 1
        }
        let pause = Self.backoff.pause(afterFailures: step)
        return Duration(inSeconds: (isEarly ? min(pause, Self.longestEarly) : pause).inSeconds * (0.75 + jitter / 2))
    }
}

/// SplitMix64. Without jitter all vehicles of a fleet could return to their server at once.
package struct Jitter: Sendable, Hashable {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    /// Returns a number in 0 ..< 1.
    package mutating func next() -> Double {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return Double((mixed ^ (mixed >> 31)) >> 11) / Double(1 << 53)
    }
}

/// Reports each fault once, and the end of the target's faults.
struct FaultLog: Sendable, Hashable {
    private var ofTarget: UploadReport.Event?
    private var ofQueue: String?

    /// Empty if the event repeats the last report.
    mutating func targetFailed(_ event: UploadReport.Event) -> [UploadReport.Event] {
        guard event != ofTarget else { return [] }
        ofTarget = event
        return [event]
    }

    /// Empty if no fault was reported.
    mutating func targetWorks(after failures: Int) -> [UploadReport.Event] {
        guard ofTarget != nil else { return [] }
        ofTarget = nil
        return [.recovered(failures: failures)]
    }

    /// Empty if the reason repeats the last report.
    mutating func queueFailed(_ reason: String) -> [UploadReport.Event] {
        guard reason != ofQueue else { return [] }
        ofQueue = reason
        return [.queueFailing(reason: reason)]
    }

    mutating func queueWorks() { ofQueue = nil }
}
