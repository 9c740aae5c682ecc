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
        case still(since: Instant, place: Position?)
    }

    private let timeout: Duration
    private let radius: Metres
    private var state = State.inMotion

    /// Confirms after `timeout`; a fix that proves more than `radius` from where the stillness began starts it anew.
    init(timeout: Duration, radius: Metres) {
        self.timeout = timeout
        self.radius = radius
    }

    mutating func handle(_ event: Event, at now: Instant) -> Outcome {
        switch (event, state) {
        case (.still, .inMotion):
            state = .still(since: now, place: nil)
            return .arm(at: now + timeout)
        case (.motion, .still), (.fix(_, isFast: true), .still):
            state = .inMotion
            return .cancel
        case (.fix(let place, isFast: false), .still(let since, nil)):
            state = .still(since: since, place: place)
            return .nothing
        case (.fix(let place, isFast: false), .still(_, let began?)):
            guard place.isProvablyAway(from: began, by: radius) else { return .nothing }
            state = .inMotion
            return .cancel
        case (.timer, .still(let since, _)):
            return now - since >= timeout ? .confirmStop(since: since) : .nothing
        case (.still, .still), (.motion, .inMotion), (.fix, .inMotion), (.timer, .inMotion):
            return .nothing
        }
    }
}
