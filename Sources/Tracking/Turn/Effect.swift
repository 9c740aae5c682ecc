package import Quantities

/// An order from the engine; the program carries out the effects in sequence.
package enum Effect: Sendable, Hashable {
    /// Write this record to disk.
    indirect case record(Record)
    /// Switch the receiver, or its supply, on or off.
    case receiver(isOn: Bool)
    /// Try to recover the lost receiver.
    case recover(ReceiverRecovery)
    /// Set the accelerometer to stream, or to wake the program only when it detects motion.
    case motionSensor(isStreaming: Bool)
    case scan(ScanDuty)
    /// Send `.timer` at this moment; replaces an earlier timer of that kind.
    case arm(TimerKind, at: Instant)
    case cancel(TimerKind)
    case uploads(UploadPermission)
    /// Upload and store records by these rules from now on.
    case queueRules(QueueRules)
    /// Fetch the regions of servers with this request from now on; nil to fetch none.
    case fetchRegions(RegionQuery?)
    /// Deliver the waiting records now, without the pause of `desiredSyncInterval`.
    case deliver
    /// Switch the indicator light on or off.
    case light(isLit: Bool)
    /// Write all records to disk and halt the board; if `wakeAfter` is given, the board's clock wakes the board after this time.
    case halt(wakeAfter: Duration?)
    /// The state of the vehicle has changed.
    case state(isMoving: Bool)
    /// The engine's estimate of UTC was wrong by `by`: correct the timestamps from before `before` that the program
    /// computed from this estimate.
    case correctTimestamps(before: Instant, by: Duration)
    /// The filter rejected a fix.
    case refused(FixRejection)
    /// The engine decided for or against an action, for this reason.
    case decided(Decision)
}

/// Collects the effects of the components, in the order in which they were requested.
package struct EffectBuffer: Sendable {
    /// The effects so far, in the order in which the program must carry them out.
    package private(set) var effects: [Effect] = []

    package init() {}

    /// Number of effects so far.
    package var count: Int { effects.count }

    /// Removes all effects, but keeps the memory for the effects of the next event.
    package mutating func removeAll() { effects.removeAll(keepingCapacity: true) }

    /// Adds one effect at the end.
    package mutating func append(_ effect: Effect) { effects.append(effect) }

    /// Arms a timer; replaces an earlier timer of that kind.
    mutating func arm(_ timer: TimerKind, at moment: Instant) { effects.append(.arm(timer, at: moment)) }

    mutating func cancel(_ timers: TimerKind...) {
        for timer in timers { effects.append(.cancel(timer)) }
    }

    /// Adds the reason for a decision.
    mutating func decide(_ subject: Decision.Subject, _ text: String) {
        effects.append(.decided(Decision(subject, text)))
    }

    /// Replaces each record after the first `count` effects with the result of `filter`; removes the record if the result is
    /// nil.
    mutating func filterRecords(after count: Int, _ filter: (Record) -> Record?) {
        guard hasRecord(after: count) else { return }
        let filtered = effects.dropFirst(count).compactMap { effect -> Effect? in
            guard case .record(let record) = effect else { return effect }
            return filter(record).map { .record($0) }
        }
        effects.replaceSubrange(count..., with: filtered)
    }

    /// Whether there is a record after the first `count` effects.
    func hasRecord(after count: Int) -> Bool {
        effects.dropFirst(count).contains { if case .record = $0 { true } else { false } }
    }
}
