import Quantities

/// Takes back a start that a door, a gust or an engine that idles feigned: the vehicle is where it was.
struct FalseStartRule: Sendable, Hashable {
    /// So long after the first good fix no motion may come.
    static let patience = Duration.seconds(60)
    /// Motion that has led nowhere for so long after the first good fix is an engine that idles.
    private static let idling = Duration.seconds(120)
    /// Motion that has lasted so long without any fix is real: nobody slams doors that long.
    private static let blind = Duration.seconds(120)

    enum Outcome: Sendable, Hashable {
        case undecided
        case arm(at: Instant)
        /// It was false; `isIdling` when the accelerometer shows motion all the same.
        case takeBack(isIdling: Bool)
        /// It was real.
        case confirm
    }

    private enum State: Sendable, Hashable {
        case waiting(since: Instant)
        case counting(from: Instant, lastMotion: Instant)
        case decided
    }

    private let parked: Position?
    private let radius: Metres
    private var state: State

    /// Watches a start from `parked`; a displacement beyond `radius` shows that it was real.
    init(parked: Position?, radius: Metres, isDoubtful: Bool, at now: Instant) {
        self.parked = parked
        self.radius = radius
        state = isDoubtful && parked != nil ? .waiting(since: now) : .decided
    }

    /// Whether nothing is left to be decided.
    var isDecided: Bool { state == .decided }

    /// The accelerometer shows motion.
    mutating func motion(at now: Instant) -> Outcome {
        switch state {
        case .waiting(let since): return now - since >= Self.blind ? confirm() : .undecided
        case .counting(let from, _):
            state = .counting(from: from, lastMotion: now)
            return .undecided
        case .decided: return .undecided
        }
    }

    /// Something certain told of the start as well.
    mutating func confirm() -> Outcome {
        guard !isDecided else { return .undecided }
        state = .decided
        return .confirm
    }

    /// A fix came.
    mutating func take(_ fix: AcceptedFix, at now: Instant) -> Outcome {
        guard !isDecided, let parked else { return .undecided }
        if fix.provesMovement || fix.position.isProvablyAway(from: parked, by: radius) { return confirm() }
        guard case .waiting = state else { return .undecided }
        state = .counting(from: now, lastMotion: now)
        return .arm(at: now + Self.patience)
    }

    /// The timer ran out.
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
