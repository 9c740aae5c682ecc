package import Quantities

/// Effects are carried out in sequence.
package enum Effect: Sendable, Hashable {
    indirect case record(Record)
    case receiver(isOn: Bool)
    case recover(ReceiverRecovery)
    /// If it does not stream, the accelerometer only wakes the program.
    case motionSensor(isStreaming: Bool)
    case scan(ScanDuty)
    /// Replaces an earlier timer of that kind.
    case arm(TimerKind, at: Instant)
    case cancel(TimerKind)
    case uploads(UploadPermission)
    case queueRules(QueueRules)
    /// If the query is nil, no regions are fetched.
    case fetchRegions(RegionQuery?)
    /// Uploads begin without the pause of `desiredSyncInterval`.
    case deliver
    case light(isLit: Bool)
    /// The board's clock wakes the board after `wakeAfter`, unless that is nil.
    case halt(wakeAfter: Duration?)
    case state(isMoving: Bool)
    /// Times before this instant come from the engine's former estimate of UTC; `by` is added to them.
    case correctTimestamps(before: Instant, by: Duration)
    case refused(FixRejection)
    case decided(Decision)
}

/// The effects of an event, in the order in which components requested them.
package struct EffectBuffer: Sendable {
    package private(set) var effects: [Effect] = []

    package init() {}

    package var count: Int { effects.count }

    /// Keeps the memory for the next event.
    package mutating func removeAll() { effects.removeAll(keepingCapacity: true) }

    package mutating func append(_ effect: Effect) { effects.append(effect) }

    mutating func arm(_ timer: TimerKind, at moment: Instant) { effects.append(.arm(timer, at: moment)) }

    mutating func cancel(_ timers: TimerKind...) {
        for timer in timers { effects.append(.cancel(timer)) }
    }

    mutating func decide(_ subject: Decision.Subject, _ text: String) {
        effects.append(.decided(Decision(subject, text)))
    }

    /// A record for which `filter` returns nil is removed.
    mutating func filterRecords(after count: Int, _ filter: (Record) -> Record?) {
        guard hasRecord(after: count) else { return }
        let filtered = effects.dropFirst(count).compactMap { effect -> Effect? in
            guard case .record(let record) = effect else { return effect }
            return filter(record).map { .record($0) }
        }
        effects.replaceSubrange(count..., with: filtered)
    }

    func hasRecord(after count: Int) -> Bool {
        effects.dropFirst(count).contains { if case .record = $0 { true } else { false } }
    }
}
