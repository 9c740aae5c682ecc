package import Quantities

/// Switches the parts of a receiver on and off one by one, in the right order, even if the request changes in between.
///
/// The sequence switches the parts on from the first to the last, and off from the last to the first. It waits for the
/// result of each part. If a part fails, the sequence still switches the other parts. It then tries the failed part
/// again after growing pauses.
package struct PowerSequence: Sendable, Hashable {
    /// A step in switching the receiver on or off.
    package enum Part: String, Sendable, Hashable, CaseIterable {
        /// The supply, switched by the load switch.
        case rail
        /// The receiver's standby: awake, or in standby.
        case wakefulness
        /// The time from power to the receiver's first message; only switching on has this step.
        case powerUp
        /// This computer's line to the receiver: driven, or an input.
        case transmit
        /// The device in gpsd: added or removed.
        case device
        /// The reader of gpsd's reports.
        case reader
    }

    package enum Event: Sendable, Hashable {
        /// The receiver is needed, or not needed any more.
        case want(Bool)
        /// Remove the device from gpsd and add it again.
        ///
        /// The event has an effect only while the receiver is needed and the sequence rests.
        case reopen
        /// An order of the sequence has ended, with or without success.
        case ended(isDone: Bool)
        /// The time in the last `arm` has come.
        case timer
    }

    /// An order of the sequence.
    package enum Effect: Sendable, Hashable {
        /// Switch a part, and report the result with `.ended`.
        case set(Part, isOn: Bool)
        /// Send `timer` at this time, which replaces an earlier time.
        case arm(at: Instant)
        /// Send no `timer` for the last `arm`.
        case cancel
    }

    private enum State: Sendable, Hashable {
        /// The sequence has received no request yet.
        case unknown
        case resting
        case setting(Part)
        case poweringUp(until: Instant)
    }

    private let parts: [Part]
    private let powerUpTime: Duration
    private var state = State.unknown
    /// Whether the receiver is needed.
    package private(set) var isWanted = false
    /// The number of parts that are on, including a part that the sequence is switching on now.
    private var height = 0
    private var isClimbing = true
    /// Whether parts may have another state than `height` implies, because of an earlier run of the program.
    private var isUncertain = true
    /// The height at which the sequence starts to switch parts on again; nil if no reopening is requested.
    private var dip: Int?
    /// The parts that failed; `retryAt` is the time of the next attempt.
    private var failedParts: [Part] = []
    private var retryAt: Instant?
    private var backoff = Backoff.device

    /// Makes a sequence that switches on these parts in this order.
    package init(_ parts: [Part], powerUpTime: Duration) {
        self.parts = parts
        self.powerUpTime = powerUpTime
    }

    /// Whether the sequence has tried to switch all parts as requested, with or without success.
    package var isAtRest: Bool { state == .resting }

    /// Handles an event and returns the orders that result.
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

    /// Switches the next part on or off, or rests if no further part remains.
    private mutating func proceed(at now: Instant) -> [Effect] {
        if !isWanted || dip == height { dip = nil }
        let wasClimbing = isClimbing
        isClimbing = isWanted && dip == nil
        // Until the sequence has once switched all parts on or off, it switches all parts again after each change of
        // direction.
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
