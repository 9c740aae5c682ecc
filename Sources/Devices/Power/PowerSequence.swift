package import Quantities

/// Switches a receiver on and off part by part, in the right order, even if the request changes in between.
///
/// The parts are the rungs of a ladder: switching on climbs it, switching off descends it. The sequence waits for the result of
/// each part. A part that fails does not stop the others; the sequence tries it again after growing pauses while the ladder is at
/// rest.
package struct PowerSequence: Sendable, Hashable {
    /// A rung of the ladder.
    package enum Part: String, Sendable, Hashable, CaseIterable {
        /// The supply, switched by the load switch.
        case rail
        /// The receiver's own wake-up and standby.
        case wakefulness
        /// The time from power to the receiver's first message; switching off has no such step.
        case powerUp
        /// This computer's line to the receiver: driven, or switched to an input.
        case transmit
        /// The device in gpsd: added or removed.
        case device
        /// The reader of gpsd's reports.
        case reader
    }

    /// An input of the sequence.
    package enum Event: Sendable, Hashable {
        /// The receiver is wanted, or no longer wanted.
        case want(Bool)
        /// Remove the device from gpsd and add it again.
        case reopen
        /// The order has ended, with or without success.
        case ended(isDone: Bool)
        /// The armed moment has passed.
        case timer
    }

    /// An order of the sequence.
    package enum Effect: Sendable, Hashable {
        /// Switch a part, and report the result with `.ended`.
        case set(Part, isOn: Bool)
        /// Call again at that moment; this replaces an earlier moment.
        case arm(at: Instant)
        /// Cancel the armed moment.
        case cancel
    }

    private enum State: Sendable, Hashable {
        /// No request has been made yet.
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
    /// The number of rungs that the sequence has climbed, including a rung that it is switching on.
    private var height = 0
    private var isClimbing = true
    /// Whether parts above may still be on, and parts below still off, because of an earlier run of the program.
    private var isUncertain = true
    /// The height to which the sequence descends before it climbs again; nil if no reopening is requested.
    private var dip: Int?
    /// The parts that failed, and when to try them again.
    private var failedParts: [Part] = []
    private var retryAt: Instant?
    private var backoff = Backoff.device

    /// Makes a ladder of these parts, from the lowest rung up.
    package init(_ parts: [Part], powerUpTime: Duration) {
        self.parts = parts
        self.powerUpTime = powerUpTime
    }

    /// Whether the sequence has switched all parts as wanted, with or without success.
    package var isAtRest: Bool { state == .resting }

    /// Handles an event and returns the resulting orders.
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

    /// Climbs or descends one rung, or rests if none is left.
    private mutating func proceed(at now: Instant) -> [Effect] {
        if !isWanted || dip == height { dip = nil }
        let wasClimbing = isClimbing
        isClimbing = isWanted && dip == nil
        // Before the sequence first reaches an end of the ladder, each change of direction covers the whole ladder.
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
        failedParts.removeAll { $0 == part }
        if !isDone {
            failedParts.append(part)
            retryAt = now + backoff.next()
        } else if failedParts.isEmpty {
            retryAt = nil
            backoff.reset()
        }
    }

    private mutating func retry(at now: Instant) -> [Effect] {
        guard let retryAt, let part = failedParts.first else { return [.cancel] }
        guard now >= retryAt else { return [.arm(at: retryAt)] }
        state = .setting(part)
        return [.cancel, .set(part, isOn: isWanted)]
    }
}
