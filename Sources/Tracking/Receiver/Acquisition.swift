import Quantities
import TrackingOptions

/// Searches for a fix while the vehicle moves; after a failed search, turns the receiver off for a growing pause.
struct Acquisition: Sendable, Hashable {
    /// The pauses between searches.
    ///
    /// A ferry crossing takes hours; a search once in ten minutes then uses little power and misses little of the next drive.
    private static let backoff = Backoff(first: .seconds(30), longest: .seconds(600))
    /// The longest pause while motion or the ignition shows that the vehicle drives.
    ///
    /// At 30 m/s, the vehicle drives less than 2 km in such a pause.
    private static let longestWhileDriving = Duration.seconds(60)

    private enum State: Sendable, Hashable {
        case searching(since: Instant)
        case tracking(lastFix: Instant)
        case resting(until: Instant)
    }

    /// The search time for a receiver without an almanac.
    ///
    /// A receiver needs 12.5 minutes to receive an almanac (IS-GPS-200, 20.3.3: 25 frames of 30 s).
    static let almanac = Duration.seconds(900)

    private let isCold: Bool
    private var state = State.resting(until: .boot)
    private var failures = 0
    private var lastFailure: Instant?

    /// Makes a search; `isCold` is true if the tracker knows no earlier fix of the receiver.
    ///
    /// For a cold receiver, a search after a failed search is long enough to receive an almanac.
    init(isCold: Bool) { self.isCold = isCold }

    /// Returns the longest time of a search after this number of failures.
    static func timeout(_ usual: Duration, isCold: Bool, failures: Int) -> Duration {
        isCold && failures > 0 ? max(usual, almanac) : usual
    }

    /// Whether a search has failed since that moment.
    func hasFailed(since moment: Instant) -> Bool { lastFailure.map { $0 >= moment } ?? false }

    /// Whether the search pauses: between two attempts, or before the first one.
    var isResting: Bool { if case .resting = state { true } else { false } }

    /// Begins a search.
    mutating func begin(_ equipment: inout Equipment, in turn: inout Turn) {
        state = .searching(since: turn.now)
        equipment.want(receiver: true, in: &turn)
        turn.effects.arm(.fixTimeout, at: turn.now + timeout(turn))
    }

    /// Handles a fix; returns whether this fix is the first after a failed search.
    mutating func fix(at now: Instant) -> Bool {
        // During a pause, a fix for another purpose does not end the pause.
        if !isResting { state = .tracking(lastFix: now) }
        defer { failures = 0 }
        return failures > 0
    }

    /// Handles the timer of a search or of the next expected fix; returns whether the search has failed.
    mutating func hasTimedOut(in turn: inout Turn) -> Bool {
        let timeout = timeout(turn)
        switch state {
        case .tracking(let moment) where turn.now - moment < timeout,
            .searching(let moment) where turn.now - moment < timeout:
            turn.effects.arm(.fixTimeout, at: moment + timeout)
            return false
        case .tracking, .searching:
            return true
        case .resting:
            return false
        }
    }

    /// Turns the receiver off after a failed search, until the next search.
    ///
    /// `isDriving` is true if other evidence shows that the vehicle drives.
    mutating func rest(isDriving: Bool = false, _ equipment: inout Equipment, in turn: inout Turn) {
        let searched = timeout(turn)
        if failures == 0 { equipment.note(provider: .noFix, in: &turn) }
        failures += 1
        lastFailure = turn.now
        let usual = Self.backoff.pause(afterFailures: failures)
        let pause = isDriving ? min(usual, Self.longestWhileDriving) : usual
        state = .resting(until: turn.now + pause)
        turn.effects.decide(.receiver, "off for \(Int(pause.inSeconds)) s: no fix for \(Int(searched.inSeconds)) s")
        equipment.want(receiver: false, in: &turn)
        turn.effects.arm(.acquire, at: turn.now + pause)
    }

    /// Shortens a pause that began while the vehicle seemed to stand, because evidence now shows that the vehicle drives.
    mutating func drive(in turn: inout Turn) {
        let latest = turn.now + Self.longestWhileDriving
        guard case .resting(let until) = state, until > latest else { return }
        state = .resting(until: latest)
        turn.effects.arm(.acquire, at: latest)
    }

    private func timeout(_ turn: Turn) -> Duration {
        Self.timeout(turn.options.fixTimeout, isCold: isCold, failures: failures)
    }
}

/// Computes whether the receiver may be off between two fixes.
///
/// The time until a rule can request the next fix must be long enough.
struct DutyCycle: Sendable, Hashable {
    /// The engine switches the receiver off between fixes only if the interval between records is at least this long.
    ///
    /// `docs/configuration.md` states this limit at `desiredMovingUpdateInterval`.
    static let shortest = Duration.seconds(120)
    /// The minimum ratio of rest to search time.
    ///
    /// A search costs as much power as tracking, so a short rest saves little.
    private static let worthwhile = 3.0
    /// The assumed time to first fix before the first measurement: that of a warm start in the open.
    private static let usualTimeToFix = Duration.seconds(35)

    /// Returns how long the receiver may be off before it must search for the fix that is due after `span`; nil if it must remain
    /// on.
    ///
    /// `interval` is the whole time from one record to the next; part of this time may be over already.
    static func rest(before span: Duration, of interval: Duration, timeToFix: Duration?) -> Duration? {
        let search = timeToFix ?? usualTimeToFix
        let rest = span - search
        return interval >= shortest && rest >= search * worthwhile ? rest : nil
    }
}

extension DutyCycle {
    /// Returns the time that a search is expected to take.
    static func search(_ timeToFix: Duration?) -> Duration { timeToFix ?? usualTimeToFix }

    /// Returns whether a rest is at least three times as long as the search after it.
    static func isWorthwhile(_ rest: Duration, search: Duration) -> Bool { rest >= search * worthwhile }
}
