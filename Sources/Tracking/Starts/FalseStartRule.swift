import Quantities

/// Takes back a start that a door, a gust or a person aboard feigned: the vehicle is where it was, and it is quiet again.
struct FalseStartRule: Sendable, Hashable {
    /// So long after the first good fix no motion may come.
    static let patience = Duration.seconds(60)

    enum Outcome: Sendable, Hashable {
        case nothing
        case arm(at: Instant)
        /// It was false.
        case takeBack
        /// It was real.
        case confirm
    }

    private enum State: Sendable, Hashable {
        case waiting
        case counting(since: Instant)
        case decided
    }

    private let parked: Position?
    private let radius: Metres
    private var state: State

    /// Watches a start from `parked`; a displacement beyond `radius` shows that it was real.
    init(parked: Position?, radius: Metres, isDoubtful: Bool) {
        self.parked = parked
        self.radius = radius
        state = isDoubtful && parked != nil ? .waiting : .decided
    }

    /// Whether nothing is left to be decided.
    var isDecided: Bool { state == .decided }

    /// The accelerometer shows motion.
    mutating func motion(at now: Instant) {
        if case .counting = state { state = .counting(since: now) }
    }

    /// Something certain told of the start as well.
    mutating func confirm() -> Outcome {
        guard !isDecided else { return .nothing }
        state = .decided
        return .confirm
    }

    /// A fix came.
    mutating func take(_ fix: AcceptedFix, at now: Instant) -> Outcome {
        guard !isDecided, let parked else { return .nothing }
        if fix.provesMovement || fix.position.isProvablyAway(from: parked, by: radius) { return confirm() }
        guard state == .waiting else { return .nothing }
        state = .counting(since: now)
        return .arm(at: now + Self.patience)
    }

    /// The timer ran out.
    mutating func timer(at now: Instant) -> Outcome {
        guard case .counting(let since) = state else { return .nothing }
        guard now - since >= Self.patience else { return .arm(at: since + Self.patience) }
        state = .decided
        return .takeBack
    }
}
