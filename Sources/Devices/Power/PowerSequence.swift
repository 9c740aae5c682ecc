package import Quantities

/// Switches the parts of a receiver on from the first to the last, and off from the last to the first, even if the
/// request changes in between. It waits for the result of each part. If one fails, it still switches the others, and
/// tries the failed part again after growing pauses.
package struct PowerSequence: Sendable, Hashable {
    package enum Part: String, Sendable, Hashable, CaseIterable {
        /// The supply, which the load switch controls.
        case rail
        /// Whether the receiver is awake or in standby.
        case wakefulness
        /// The time until the receiver's first message; only when switching on.
        case powerUp
        /// This computer's line to the receiver; an input while this part is off.
        case transmit
        /// The device, which is added to gpsd or removed.
        case device
        case reader
    }

    package enum Event: Sendable, Hashable {
        case want(Bool)
        /// Remove the device from gpsd and add it again. Without effect unless the receiver is needed and the sequence
        /// rests.
        case reopen
        /// A part was switched, with or without success.
        case ended(isDone: Bool)
        case timer
    }

    package enum Effect: Sendable, Hashable {
        /// Report the result with `.ended`.
        case set(Part, isOn: Bool)
        /// Replaces an earlier time.
        case arm(at: Instant)
        case cancel
    }

    private enum State: Sendable, Hashable {
        /// There was no request yet.
        case unknown
        case resting
        case setting(Part)
        case poweringUp(until: Instant)
    }

    private let parts: [Part]
    private let powerUpTime: Duration
    private var state = State.unknown
    package private(set) var isWanted = false
    /// The number of parts that are on, including one that is being switched on.
    private var height = 0
    private var isClimbing = true
    /// True if an earlier run of the program may have left parts on.
    private var isUncertain = true
    /// The index of the part down to which the sequence switches off before it switches on again; nil if no reopening
    /// is requested.
    private var dip: Int?
    private var failedParts: [Part] = []
    private var retryAt: Instant?
    private var backoff = Backoff.device

    package init(_ parts: [Part], powerUpTime: Duration) {
        self.parts = parts
        self.powerUpTime = powerUpTime
    }

    /// True if all parts were tried, with or without success.
    package var isAtRest: Bool { state == .resting }

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

    private mutating func proceed(at now: Instant) -> [Effect] {
        if !isWanted || dip == height { dip = nil }
        let wasClimbing = isClimbing
        isClimbing = isWanted && dip == nil
        // Until all parts have been switched on or off once, each change of direction switches all of them again.
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
