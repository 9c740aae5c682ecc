import Quantities
import TrackingOptions

struct Acquisition: Sendable, Hashable {
    /// A ferry takes hours: a search once in ten minutes uses little power, and misses little of the next drive.
    private static let backoff = Backoff(first: .seconds(30), longest: .seconds(600))
    /// The longest pause if motion or the ignition shows a drive, or nothing denies one; at 30 m/s, the vehicle covers 1.8 km.
    /// Without an accelerometer, the first `shortPauses` are half as long, because most tunnels and garages are short.
    private static let longestWhileDriving = Duration.seconds(60)
    private static let shortPauses = 3

    private enum State: Sendable, Hashable {
        case searching(since: Instant)
        case tracking(lastFix: Instant)
        case resting(until: Instant)
    }

    /// A receiver without an almanac needs 12.5 minutes to receive it (IS-GPS-200, 20.3.3: 25 frames of 30 s).
    static let almanac = Duration.seconds(900)

    private let isCold: Bool
    private var state = State.resting(until: .boot)
    private var failures = 0
    private var lastFailure: Instant?

    /// If no earlier fix is known (`isCold`), each search after a failed one is long enough to receive an almanac.
    init(isCold: Bool) { self.isCold = isCold }

    static func timeout(_ usual: Duration, isCold: Bool, failures: Int) -> Duration {
        isCold && failures > 0 ? max(usual, almanac) : usual
    }

    func hasFailed(since moment: Instant) -> Bool { lastFailure.map { $0 >= moment } ?? false }

    /// True between two searches, and before the first.
    var isResting: Bool { if case .resting = state { true } else { false } }

    mutating func begin(_ equipment: inout Equipment, in turn: inout Turn) {
        state = .searching(since: turn.now)
        equipment.want(receiver: true, in: &turn)
        turn.effects.arm(.fixTimeout, at: turn.now + timeout(turn))
    }

    /// Whether this is the first fix after a failed search.
    mutating func fix(at now: Instant) -> Bool {
        // During a pause, a fix for another purpose does not end the pause.
        if !isResting { state = .tracking(lastFix: now) }
        defer { failures = 0 }
        return failures > 0
    }

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

    /// `isDriving` shortens the pause: motion, the ignition or the last speed suggests a drive, or no sensor can deny one.
    mutating func rest(isDriving: Bool = false, _ equipment: inout Equipment, in turn: inout Turn) {
        let searched = timeout(turn)
        if failures == 0 { equipment.note(provider: .noFix, in: &turn) }
        failures += 1
        lastFailure = turn.now
        let usual = Self.backoff.pause(afterFailures: failures)
        let isShort = !turn.hasMotionSensor && failures <= Self.shortPauses
        let longest = isShort ? Self.longestWhileDriving / 2 : Self.longestWhileDriving
        let pause = isDriving ? min(usual, longest) : usual
        state = .resting(until: turn.now + pause)
        turn.effects.decide(.receiver, "off for \(Int(pause.inSeconds)) s: no fix for \(Int(searched.inSeconds)) s")
        equipment.want(receiver: false, in: &turn)
        turn.effects.arm(.acquire, at: turn.now + pause)
    }

    /// Shortens a pause that began while the vehicle seemed to stand.
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
