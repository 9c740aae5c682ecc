//  The reactions to failures of a target or of the queue: pauses, and reports that are not repeated.

internal import Quantities

/// The pause after failures in a row: 1 s at first, twice as long after each further failure, at most 5 min, ±25 %.
///
/// The pause is longer if the target requests a longer one, if there is no network, or if the server rejects the user.
///
/// After a failure of the link, the pause is at most 15 s ±25 % in the first 30 min of an outage, and for a minute after each
/// new record. The kernel reports the end of an outage only if addresses or routes change. They remain the same during the
/// restart of a server, and in a dead spot behind a router or with a modem that keeps its carrier. Without the limit, the
/// newest record could arrive 5 min after the end of such an outage. The cost of the short pauses:
/// - While the vehicle drives, new records keep the pauses short, however long the outage lasts. The tracker handles about one
///   fix per second at that time, so it is awake anyway.
/// - While the vehicle is parked, there are about 120 attempts in the first 30 min. If these attempts keep a USB modem at the
///   limit of 2.5 W all the time, they use 1.25 Wh, or 0.1 Ah of a 12 V battery, once per outage. After that, trackerd makes
///   about 12 attempts per hour for the rest of the outage, even for days, and about 4 more for each new record.
struct RetryPause: Sendable, Hashable {
    /// Failures since the last success.
    private(set) var failures = 0
    /// Failures since the last success or the last `retryNow`; the pause grows with this number.
    ///
    /// The number remains 1 until `eagerUntil`.
    private var step = 0
    /// When the next attempt may begin; nil means at once.
    private var until: Instant?
    /// Until this time the pauses remain short, because of `retryNow`.
    private var eagerUntil: Instant?
    /// The rejections of the user since the last success.
    private var rejections = 0
    private var isOffline = false
    /// Whether only failures of the link have caused the pause in force; a new record then shortens the pause.
    private var isOfLink = false
    private var lostAt: Instant?
    private var lastRecord: Instant?

    private static let backoff = Backoff(first: .seconds(1), longest: .seconds(300))
    /// The longest pause after a failure of the link while an early attempt is worthwhile.
    private static let longestEarly: Duration = .seconds(15)
    /// The number of pauses until `longestEarly` is reached: 1, 2, 4, 8 and 15 s.
    private static let earlySteps = 5
    /// The time after the beginning of an outage in which an early attempt is worthwhile.
    private static let youngOutage: Duration = .seconds(1800)
    /// The time after a new record in which an early attempt is worthwhile.
    ///
    /// A moving vehicle records more often than this.
    private static let freshRecord: Duration = .seconds(60)
    /// The pauses while the server rejects the user; a single rejection may come from a firewall or a challenge.
    private static let unauthorised: [Duration] = [.seconds(5), .seconds(30), .seconds(120), .seconds(600)]
    /// The pause once the server has rejected the user for more than 10 min.
    private static let longUnauthorised: Duration = .seconds(3600)
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

    func end(after now: Instant) -> Instant? { until.flatMap { now < $0 ? $0 : nil } }

    /// Starts a pause after a failure of the target or of the queue.
    ///
    /// If a pause is already in force, only a request of the target or a missing network lengthens it.
    ///
    /// `jitter` is 0 ..< 1.
    mutating func fail(after asked: Duration?, jitter: Double, at now: Instant) {
        let own = lengthen(isEarly: false, jitter: jitter, at: now)
        isOfLink = false
        wait(max(own, min(asked ?? .zero, Self.longestAsked)), at: now)
    }

    /// Starts a pause after a failure of the link between trackerd and the target.
    ///
    /// If a pause is already in force, only a missing network lengthens it.
    ///
    /// `jitter` is 0 ..< 1.
    mutating func linkFailed(jitter: Double, at now: Instant) {
        lostAt = lostAt ?? now
        if end(after: now) == nil { isOfLink = true }
        wait(lengthen(isEarly: isEarlyWorthwhile(at: now), jitter: jitter, at: now), at: now)
    }

    /// Notes new records, and shortens a pause after failures of the link.
    mutating func recordsCommitted(at now: Instant) {
        lastRecord = now
        guard isOfLink, !isOffline, let until else { return }
        self.until = min(until, now + Self.longestEarly)
    }

    /// Starts a pause after the server has rejected the user; does not change a pause that is in force.
    mutating func rejectUser(at now: Instant) {
        guard end(after: now) == nil else { return }
        failures += 1
        isOfLink = false
        wait(rejections < Self.unauthorised.count ? Self.unauthorised[rejections] : Self.longUnauthorised, at: now)
        rejections += 1
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

    private func isEarlyWorthwhile(at now: Instant) -> Bool {
        lostAt.map { now - $0 < Self.youngOutage } ?? true || lastRecord.map { now - $0 < Self.freshRecord } ?? false
    }

    private mutating func wait(_ pause: Duration, at now: Instant) {
        until = max(until ?? now, now + max(pause, isOffline ? Self.offline : .zero))
    }

    /// Counts a failure, and returns the pause after it; zero if a pause is in force.
    private mutating func lengthen(isEarly: Bool, jitter: Double, at now: Instant) -> Duration {
        guard end(after: now) == nil else { return .zero }
        failures += 1
        let isEager = eagerUntil.map { now < $0 } ?? false
        if isEager {
            step = 1
        } else if !isEarly || step < Self.earlySteps {
            // Once early pauses have reached `longestEarly`, further early pauses do not lengthen the later pauses.
            step += 1
        }
        let pause = Self.backoff.pause(afterFailures: step)
        return Duration(inSeconds: (isEarly ? min(pause, Self.longestEarly) : pause).inSeconds * (0.75 + jitter / 2))
    }
}

/// Pseudo-random numbers (SplitMix64); the same seed results in the same numbers.
///
/// The numbers vary the pauses. Without them, all vehicles of a fleet could return to their server at the same time.
package struct Jitter: Sendable, Hashable {
    private var state: UInt64

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
    mutating func targetFailed(_ event: UploadReport.Event) -> [UploadReport.Event] {
        guard event != ofTarget else { return [] }
        ofTarget = event
        return [event]
    }

    /// Returns the report that the target works again; empty if no fault was reported before.
    mutating func targetWorks(after failures: Int) -> [UploadReport.Event] {
        guard ofTarget != nil else { return [] }
        ofTarget = nil
        return [.recovered(failures: failures)]
    }

    /// Returns the report of the queue's fault, unless it repeats the last report.
    mutating func queueFailed(_ reason: String) -> [UploadReport.Event] {
        guard reason != ofQueue else { return [] }
        ofQueue = reason
        return [.queueFailing(reason: reason)]
    }

    mutating func queueWorks() { ofQueue = nil }
}
