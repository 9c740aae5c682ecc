import Quantities

/// Finds that a door, a gust of wind or an idling engine has shaken the vehicle, but it has not moved.
struct FalseStartRule: Sendable, Hashable {
    /// Without motion for this time after the first fix, the start is false.
    static let patience = Duration.seconds(60)
    /// Motion for this time after the first fix, without a displacement, is an idling engine.
    private static let idling = Duration.seconds(120)
    /// Motion without a fix proves a real start after this time; loading and closing doors take less.
    private static let blind = Duration.seconds(120)

    enum Outcome: Sendable, Hashable {
        case undecided
        case arm(at: Instant)
        /// `isIdling` is true if the accelerometer still shows motion.
        case takeBack(isIdling: Bool)
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

    /// A displacement beyond `radius` proves the start.
    init(parked: Position?, radius: Metres, isDoubtful: Bool, at now: Instant) {
        self.parked = parked
        self.radius = radius
        state = isDoubtful && parked != nil ? .waiting(since: now) : .decided
    }

    /// True also if there was nothing to judge.
    var isDecided: Bool { state == .decided }

    /// The vehicle was moved to `place` before it started.
    mutating func move(to place: Position, at now: Instant) {
        parked = place
        if !isDecided { state = .waiting(since: now) }
    }

    mutating func motion(at now: Instant) -> Outcome {
        switch state {
        case .waiting(let since): return now - since >= Self.blind ? confirm() : .undecided
        case .counting(let from, _):
            state = .counting(from: from, lastMotion: now)
            return .undecided
        case .decided: return .undecided
        }
    }

    /// Other evidence has proved the start.
    mutating func confirm() -> Outcome {
        guard !isDecided else { return .undecided }
        state = .decided
        return .confirm
    }

    mutating func take(_ fix: AcceptedFix, at now: Instant) -> Outcome {
        guard !isDecided, let parked else { return .undecided }
        if fix.provesMovement || fix.position.isProvablyAway(from: parked, by: radius) { return confirm() }
        if displacement.judge(fix, parkedAt: parked, at: now) == .moving { return confirm() }
        if pace.isMoving(fix, at: now) { return confirm() }
        guard case .waiting = state else { return .undecided }
        state = .counting(from: now, lastMotion: now)
        return .arm(at: now + Self.patience)
    }

    /// How far the vehicle is from where it was parked; nil if it may still be there.
    func displacement(of position: Position?) -> Metres? {
        guard let parked, let position, !parked.isVague,
            position.isProvablyAway(from: parked, by: DisplacementRule.distance)
        else { return nil }
        return parked.coordinate.distance(to: position.coordinate)
    }

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
