package import Quantities

/// Switches a receiver on and off part by part, in the right order, also when the wish changes in the middle of it.
///
/// The parts are the rungs of a ladder: switching on climbs it, switching off comes down the same way. What a rung orders is
/// waited for; one that does not obey stops nobody, and is ordered again with growing pauses while the ladder is at rest.
package struct PowerSequence: Sendable, Hashable {
    /// A rung of the ladder.
    package enum Part: String, Sendable, Hashable, CaseIterable {
        /// The supply, by the load switch.
        case rail
        /// The receiver's own waking and standby.
        case wakefulness
        /// The time that the receiver takes from power to speech; nothing on the way down.
        case powerUp
        /// This computer's line to the receiver: driving, or let go of.
        case transmit
        /// The device: in gpsd's hands, or out of them.
        case device
        /// The reading of what gpsd tells.
        case reader
    }

    /// What the machine is told.
    package enum Event: Sendable, Hashable {
        /// The receiver is wanted, or is not.
        case want(Bool)
        /// The device is to be taken from gpsd for a moment.
        case reopen
        /// What was ordered is done, or could not be.
        case ended(isDone: Bool)
        /// The time that was armed has come.
        case timer
    }

    /// What is to be done.
    package enum Effect: Sendable, Hashable {
        /// Switch a part; tell when that has ended.
        case set(Part, isOn: Bool)
        /// Call again at that moment, which takes the place of any before it.
        case arm(at: Instant)
        /// There is no moment to call at.
        case cancel
    }

    private enum State: Sendable, Hashable {
        /// Nobody has said yet what is wanted.
        case unknown
        case resting
        case setting(Part)
        case poweringUp(until: Instant)
    }

    private let parts: [Part]
    private let powerUpTime: Duration
    private var state = State.unknown
    /// Whether the receiver is wanted.
    package private(set) var isWanted = false
    /// How many rungs are below us, those whose orders are under way included.
    private var height = 0
    private var isClimbing = true
    /// Whether parts above us may be on, and those below us off, from before the program started.
    private var isUncertain = true
    /// The height to come down to before the ladder is climbed again; nothing when that is not asked for.
    private var dip: Int?
    /// Parts that did not obey, and when to order them again.
    private var disobedient: [Part] = []
    private var retryAt: Instant?
    private var backoff = Backoff.device

    /// Makes the ladder for a kind of wiring, from the lowest rung up.
    package init(_ parts: [Part], powerUpTime: Duration) {
        self.parts = parts
        self.powerUpTime = powerUpTime
    }

    /// Whether all parts have been switched as they are wanted, as far as they obeyed.
    package var isAtRest: Bool { state == .resting }

    /// Takes what has happened, and tells what is to be done.
    package mutating func handle(_ event: Event, at now: Instant) -> [Effect] {
        switch (event, state) {
        case (.want(let isWanted), .unknown):
            self.isWanted = isWanted
            return proceed(at: now)
        case (.want(let isWanted), .resting), (.want(let isWanted), .poweringUp):
            guard isWanted != self.isWanted else { return [] }
            self.isWanted = isWanted
            return proceed(at: now)
        case (.want(let isWanted), .setting):
            self.isWanted = isWanted
            return []
        case (.reopen, .resting):
            guard isWanted, let device = parts.firstIndex(of: .device) else { return [] }
            dip = device
            return proceed(at: now)
        case (.ended(let isDone), .setting(let part)):
            note(part, isDone: isDone, at: now)
            return proceed(at: now)
        case (.timer, .poweringUp(let end)):
            return now >= end ? proceed(at: now) : [.arm(at: end)]
        case (.timer, .resting):
            return retry(at: now)
        case (.reopen, .unknown), (.reopen, .setting), (.reopen, .poweringUp), (.ended, .unknown), (.ended, .resting),
            (.ended, .poweringUp), (.timer, .unknown), (.timer, .setting):
            return []
        }
    }

    /// Climbs or comes down one rung, or rests when there is none left.
    private mutating func proceed(at now: Instant) -> [Effect] {
        if !isWanted || dip == height { dip = nil }
        let wasClimbing = isClimbing
        isClimbing = isWanted && dip == nil
        // Until one end was reached, each way is gone in full.
        if isUncertain && isClimbing != wasClimbing { height = isClimbing ? 0 : parts.count }
        if isClimbing ? height == parts.count : height == 0 { return rest(at: now) }
        height += isClimbing ? 1 : -1
        let part = parts[isClimbing ? height - 1 : height]
        guard part == .powerUp else {
            state = .setting(part)
            return [.cancel, .set(part, isOn: isClimbing)]
        }
        guard isClimbing else { return proceed(at: now) }
        state = .poweringUp(until: now + powerUpTime)
        return [.arm(at: now + powerUpTime)]
    }

    private mutating func rest(at now: Instant) -> [Effect] {
        state = .resting
        isUncertain = false
        return [retryAt.map { .arm(at: $0) } ?? .cancel]
    }

    private mutating func note(_ part: Part, isDone: Bool, at now: Instant) {
        disobedient.removeAll { $0 == part }
        if !isDone {
            disobedient.append(part)
            retryAt = now + backoff.next()
        } else if disobedient.isEmpty {
            retryAt = nil
            backoff.reset()
        }
    }

    private mutating func retry(at now: Instant) -> [Effect] {
        guard let retryAt, let part = disobedient.first else { return [.cancel] }
        guard now >= retryAt else { return [.arm(at: retryAt)] }
        state = .setting(part)
        return [.cancel, .set(part, isOn: isWanted)]
    }
}
