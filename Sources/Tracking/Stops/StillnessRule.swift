import Quantities

/// Confirms a stop after a long enough time without motion, unless the fixes show that the vehicle moves all the same.
struct StillnessRule: Sendable, Hashable {
    enum Event: Sendable, Hashable {
        /// The accelerometer sees no motion.
        case still
        /// The accelerometer sees motion that lasts.
        case motion
        /// A fix came; `isFast` when its speed alone proves movement.
        case fix(Position, isFast: Bool)
        /// The timer ran out.
        case timer
    }

    enum Outcome: Sendable, Hashable {
        case nothing
        case arm(at: Instant)
        case cancel
        case confirmStop(since: Instant)
    }

    private enum State: Sendable, Hashable {
        case inMotion
        case still(since: Instant, place: Position?, proofs: Int)
    }

    /// One fix whose speed or place is wrong proves nothing; so many in a row do.
    private static let fewestProofs = 2

    private let timeout: Duration
    private let radius: Metres
    private var state = State.inMotion

    /// Confirms after `timeout`; a fix that proves more than `radius` from where the stillness began starts it anew.
    init(timeout: Duration, radius: Metres) {
        self.timeout = timeout
        self.radius = radius
    }

    /// Whether nothing moves, as far as this rule knows.
    var isStill: Bool { state != .inMotion }

    mutating func handle(_ event: Event, at now: Instant) -> Outcome {
        switch (event, state) {
        case (.still, .inMotion):
            state = .still(since: now, place: nil, proofs: 0)
            return .arm(at: now + timeout)
        case (.motion, .still):
            return move()
        case (.fix(let place, let isFast), .still(let since, let began, let proofs)):
            let isAway = began.map { place.isProvablyAway(from: $0, by: radius) } ?? false
            let count = isFast || isAway ? proofs + 1 : 0
            guard count < Self.fewestProofs else { return move() }
            state = .still(since: since, place: began ?? (isFast ? nil : place), proofs: count)
            return .nothing
        case (.timer, .still(let since, _, _)):
            return now - since >= timeout ? .confirmStop(since: since) : .nothing
        case (.still, .still), (.motion, .inMotion), (.fix, .inMotion), (.timer, .inMotion):
            return .nothing
        }
    }

    private mutating func move() -> Outcome {
        state = .inMotion
        return .cancel
    }
}
