package import Quantities

/// Everything that the engine can order; carried out in this order, each before the next.
package enum Effect: Sendable, Hashable {
    /// Write this to disk.
    indirect case record(Record)
    /// Switch the receiver, or its supply, on or off.
    case receiver(isOn: Bool)
    /// Try to bring the receiver back, which is lost.
    case recover(ReceiverRecovery)
    /// Let the accelerometer stream, or only wake the program when it feels motion.
    case motionSensor(isStreaming: Bool)
    /// Listen for beacons that much.
    case scan(ScanDuty)
    /// Send `.timer` at that moment; replaces what was armed for that kind.
    case arm(TimerKind, at: Instant)
    /// Forget the timer.
    case cancel(TimerKind)
    /// Begin no upload from now on, or go on with them.
    case uploads(areHeld: Bool)
    /// Light the light on the board, or put it out.
    case light(isLit: Bool)
    /// Halt the board, now that all is on disk; wake it after that long, if its clock does that.
    case halt(wakeAfter: Duration?)
    /// The state has changed.
    case state(isMoving: Bool)
    /// UTC is now known: shift the untrusted timestamps of records made before `before` by `by`.
    case correctTimestamps(before: Instant, by: Duration)
    /// A report of the receiver was not used.
    case refused(FixRejection)
    /// Something was decided, or not, and why.
    case decided(Decision)
}

/// What the engine decided, and on which evidence, in words that an owner understands.
package struct Decision: Sendable, Hashable, Codable {
    /// What it is about.
    package enum Subject: String, Sendable, Codable {
        /// The vehicle has started, or not.
        case start
        /// The vehicle has stopped, or not.
        case stop
        /// The receiver is switched.
        case receiver
        /// A sensor has come or gone.
        case sensor
        /// A beacon was heard.
        case beacon
        /// Somebody asked for something.
        case request
        /// A region was set, or not.
        case region
        /// The schedule opened or closed.
        case schedule
        /// The mode or the options changed.
        case options
        /// The supply, or the board's own power.
        case power
    }

    /// What it is about.
    package let subject: Subject
    /// One sentence.
    package let text: String

    /// Makes a decision.
    package init(_ subject: Subject, _ text: String) {
        self.subject = subject
        self.text = text
    }
}

/// Collects what the components order, in the order of their statements.
package struct EffectBuffer: Sendable {
    /// The effects so far; each is carried out before the next.
    package private(set) var effects: [Effect] = []

    /// Makes an empty buffer.
    package init() {}

    /// Number of effects.
    package var count: Int { effects.count }

    /// Removes all effects and keeps the memory for the next event.
    package mutating func removeAll() { effects.removeAll(keepingCapacity: true) }

    /// Adds one effect at the end.
    package mutating func append(_ effect: Effect) { effects.append(effect) }

    /// Orders a timer, in place of one of that kind.
    mutating func arm(_ timer: TimerKind, at moment: Instant) { effects.append(.arm(timer, at: moment)) }

    /// Orders timers to be forgotten.
    mutating func cancel(_ timers: TimerKind...) {
        for timer in timers { effects.append(.cancel(timer)) }
    }

    /// Adds the reason for what was decided, or for what was not.
    mutating func decide(_ subject: Decision.Subject, _ text: String) {
        effects.append(.decided(Decision(subject, text)))
    }

    /// Whether a record was added after the first `count` effects.
    func hasRecord(after count: Int) -> Bool {
        effects.dropFirst(count).contains { if case .record = $0 { true } else { false } }
    }
}
