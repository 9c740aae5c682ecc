import Quantities
import TrackingOptions

/// Retries acquisition while the vehicle moves: turns the receiver off after a timeout, and tries again with back-off.
struct Acquisition: Sendable, Hashable {
    /// A ferry crosses for hours; trying every ten minutes costs little and misses little.
    private static let backoff = Backoff(first: .seconds(30), longest: .seconds(600))

    private enum State: Sendable, Hashable {
        case searching(since: Instant)
        case tracking(lastFix: Instant)
        case resting
    }

    /// The almanac that a receiver has never had takes 12.5 minutes to come down (IS-GPS-200, 20.3.3: 25 frames of 30 s).
    static let almanac = Duration.seconds(900)

    private let isCold: Bool
    private var state = State.resting
    private var failures = 0
    private var lastFailure: Instant?

    /// Makes a search; `isCold` if the receiver has never had a fix: then it has time for an almanac from the second search on.
    init(isCold: Bool) { self.isCold = isCold }

    /// The longest time of a search after that number of failures.
    static func timeout(_ usual: Duration, isCold: Bool, failures: Int) -> Duration {
        isCold && failures > 0 ? max(usual, almanac) : usual
    }

    /// Whether a search has failed since that moment.
    func hasFailed(since moment: Instant) -> Bool { lastFailure.map { $0 >= moment } ?? false }

    /// Whether the receiver rests between two attempts.
    var isResting: Bool { state == .resting }

    /// Begins a search.
    mutating func begin(_ context: Context, _ equipment: inout Equipment, into effects: inout EffectBuffer) {
        state = .searching(since: context.now)
        equipment.want(receiver: true, context, into: &effects)
        effects.arm(.fixTimeout, at: context.now + timeout(context))
    }

    /// Notes a fix; returns whether it is the first after a search that had failed.
    mutating func fix(at now: Instant) -> Bool {
        // A fix that was wanted for another reason, while the receiver rests, ends no rest.
        if !isResting { state = .tracking(lastFix: now) }
        defer { failures = 0 }
        return failures > 0
    }

    /// Handles the timer of a search, or of the fix that should have followed; returns whether the search has failed.
    mutating func hasTimedOut(_ context: Context, into effects: inout EffectBuffer) -> Bool {
        let timeout = timeout(context)
        switch state {
        case .tracking(let moment) where context.now - moment < timeout,
            .searching(let moment) where context.now - moment < timeout:
            effects.arm(.fixTimeout, at: moment + timeout)
            return false
        case .tracking, .searching:
            return true
        case .resting:
            return false
        }
    }

    /// Turns the receiver off after a search that has failed, until the next attempt.
    mutating func rest(_ context: Context, _ equipment: inout Equipment, into effects: inout EffectBuffer) {
        let searched = timeout(context)
        if failures == 0 { equipment.note(provider: .noFix, context, into: &effects) }
        failures += 1
        lastFailure = context.now
        state = .resting
        let pause = Self.backoff.pause(afterFailures: failures)
        effects.decide(.receiver, "off for \(Int(pause.inSeconds)) s: no fix for \(Int(searched.inSeconds)) s")
        equipment.want(receiver: false, context, into: &effects)
        effects.arm(.acquire, at: context.now + pause)
    }

    private func timeout(_ context: Context) -> Duration {
        Self.timeout(context.options.fixTimeout, isCold: isCold, failures: failures)
    }
}

/// Rests the receiver between two fixes when no rule can want one for long enough.
struct DutyCycle: Sendable, Hashable {
    /// Shorter intervals are not worth switching for (spec: from 120 s on).
    private static let shortest = Duration.seconds(120)
    /// The search for a fix costs as much as tracking: resting pays when it lasts this many times longer.
    private static let worthwhile = 3.0
    /// What a receiver without a measured time to first fix is taken to need: a warm start in the open.
    private static let usualTimeToFix = Duration.seconds(35)

    /// How long the receiver may rest before it must search for the fix that is due after `interval`; nothing: stay on.
    static func rest(before interval: Duration, timeToFix: Duration?) -> Duration? {
        let search = timeToFix ?? usualTimeToFix
        let rest = interval - search
        return interval >= shortest && rest >= search * worthwhile ? rest : nil
    }
}
