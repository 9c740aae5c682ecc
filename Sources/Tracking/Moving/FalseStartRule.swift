import Quantities

/// Detects a false start.
///
/// A door, a gust of wind or an idling engine has shaken the vehicle, but the vehicle has not moved.
struct FalseStartRule: Sendable, Hashable {
    /// A start is false if, after the first fix, the accelerometer measures no motion for this time.
    static let patience = Duration.seconds(60)
    /// If motion lasts for this time after the first fix without a displacement, the rule assumes that an idling engine causes
    /// it.
    private static let idling = Duration.seconds(120)
    /// If motion continues for this time after the start and no fix arrives, the start is real.
    ///
    /// Loading the vehicle and closing its doors take less time.
    private static let blind = Duration.seconds(120)

    enum Outcome: Sendable, Hashable {
        case undecided
        case arm(at: Instant)
        /// The start was false; `isIdling` is true if the accelerometer still shows motion.
        case takeBack(isIdling: Bool)
        /// The start was real.
        case confirm
    }

    private enum State: Sendable, Hashable {
        case waiting(since: Instant)
        case counting(from: Instant, lastMotion: Instant)
        case decided
    }

    private var parked: Position?
    private let radius: Metres
    private var displacement = DisplacementRule()
    private var pace = PaceRule()
    private var state: State

    /// Checks a start from `parked`; a displacement beyond `radius` proves that the start is real.
    init(parked: Position?, radius: Metres, isDoubtful: Bool, at now: Instant) {
        self.parked = parked
        self.radius = radius
        state = isDoubtful && parked != nil ? .waiting(since: now) : .decided
    }

    /// Whether the rule has judged the start, or has nothing to judge.
    var isDecided: Bool { state == .decided }

    /// Checks the start from this place on, because the vehicle was moved there before it started.
    mutating func move(to place: Position, at now: Instant) {
        parked = place
        if !isDecided { state = .waiting(since: now) }
    }

    /// Handles motion from the accelerometer.
    mutating func motion(at now: Instant) -> Outcome {
        switch state {
        case .waiting(let since): return now - since >= Self.blind ? confirm() : .undecided
        case .counting(let from, _):
            state = .counting(from: from, lastMotion: now)
            return .undecided
        case .decided: return .undecided
        }
    }

    /// Confirms the start, because evidence has proved it.
    mutating func confirm() -> Outcome {
        guard !isDecided else { return .undecided }
        state = .decided
        return .confirm
    }

    /// Handles a fix.
    mutating func take(_ fix: AcceptedFix, at now: Instant) -> Outcome {
        guard !isDecided, let parked else { return .undecided }
        if fix.provesMovement || fix.position.isProvablyAway(from: parked, by: radius) { return confirm() }
        if displacement.judge(fix, parkedAt: parked, at: now) == .moving { return confirm() }
        if pace.isMoving(fix, at: now) { return confirm() }
        guard case .waiting = state else { return .undecided }
        state = .counting(from: now, lastMotion: now)
        return .arm(at: now + Self.patience)
    }

    /// Returns how far a position is from the parked place; nil if the vehicle may still be there.
    func displacement(of position: Position?) -> Metres? {
        guard let parked, let position, !parked.isVague,
            position.isProvablyAway(from: parked, by: DisplacementRule.distance)
        else { return nil }
        return parked.coordinate.distance(to: position.coordinate)
    }

    /// Handles the timer.
    mutating func timer(at now: Instant) -> Outcome {
        guard case .counting(let from, let lastMotion) = state else { return .undecided }
        let isQuiet = now - lastMotion >= Self.patience
        guard isQuiet || now - from >= Self.idling else {
            return .arm(at: min(lastMotion + Self.patience, from + Self.idling))
        }
        state = .decided
        return .takeBack(isIdling: !isQuiet)
    }
}
