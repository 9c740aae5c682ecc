import Quantities

/// Records when a part fails and when it works again, at least ten minutes apart, because a loose wire may fail many times
/// a minute. The last condition is always recorded.
struct HealthMonitor: Sendable {
    private static let shortestInterval = Duration.seconds(600)
    /// A board without a clock chip sets its clock from a fix or a time server within minutes.
    static let clockPatience = Duration.seconds(900)

    private struct Part: Sendable {
        var isFaulty = false
        var reason: String?
        var isRecordedAsFaulty = false
        var recordedAt: Instant?
    }

    private var parts: [HealthPart: Part] = [:]
    private var transfers = TransferErrorRule()
    private var startedAt: Instant?

    mutating func start(in turn: inout Turn) {
        startedAt = turn.now
        if !turn.utc.isTrusted { turn.effects.arm(.condition, at: turn.now + Self.clockPatience) }
    }

    mutating func note(
        _ part: HealthPart, isFaulty: Bool, reason: String? = nil, _ logbook: Logbook, in turn: inout Turn
    ) {
        var state = parts[part] ?? Part()
        state.isFaulty = isFaulty
        if isFaulty { state.reason = reason ?? state.reason }
        parts[part] = state
        settle(part, logbook, in: &turn)
    }

    /// `count` is the number of transfers that have failed since the program started; too many are a fault of the bus.
    mutating func note(transferErrors count: Int, _ logbook: Logbook, in turn: inout Turn) {
        guard let errors = transfers.note(count, at: turn.now) else { return }
        let reason = "\(errors) transfers failed within ten minutes"
        note(.bus, isFaulty: true, reason: reason, logbook, in: &turn)
        turn.effects.arm(.condition, at: turn.now + TransferErrorRule.recovery)
    }

    mutating func clockIsSet(_ logbook: Logbook, in turn: inout Turn) {
        guard parts[.clock]?.isFaulty == true else { return }
        note(.clock, isFaulty: false, logbook, in: &turn)
    }

    /// Records the changes that had to wait, and those that depend on the time.
    mutating func timer(_ logbook: Logbook, in turn: inout Turn) {
        if !turn.utc.isTrusted, let startedAt, turn.now - startedAt >= Self.clockPatience {
            note(.clock, isFaulty: true, logbook, in: &turn)
        }
        if parts[.bus]?.isFaulty == true {
            if transfers.hasRecovered(at: turn.now) {
                note(.bus, isFaulty: false, logbook, in: &turn)
            } else {
                turn.effects.arm(.condition, at: turn.now + TransferErrorRule.recovery)
            }
        }
        for part in HealthPart.allCases { settle(part, logbook, in: &turn) }
    }

    /// Records a condition that differs from the last record, after `shortestInterval` at the earliest.
    private mutating func settle(_ part: HealthPart, _ logbook: Logbook, in turn: inout Turn) {
        guard var state = parts[part], state.isFaulty != state.isRecordedAsFaulty else { return }
        if let recordedAt = state.recordedAt, turn.now < recordedAt + Self.shortestInterval {
            return turn.effects.arm(.condition, at: recordedAt + Self.shortestInterval)
        }
        state.isRecordedAsFaulty = state.isFaulty
        state.recordedAt = turn.now
        parts[part] = state
        let (lost, back) = part.changes
        let report = state.isFaulty ? HealthReport(lost, reason: state.reason) : HealthReport(back)
        logbook.record(.health(report), in: &turn)
    }
}

/// The parts whose faults become health records; the receiver has records of its own.
package enum HealthPart: String, Sendable, Hashable, CaseIterable {
    case accelerometer, bus, storage, clock

    fileprivate var changes: (lost: HealthChange, back: HealthChange) {
        switch self {
        case .accelerometer: (.accelerometerLost, .accelerometerBack)
        case .bus: (.busErrors, .busBack)
        case .storage: (.storageFailing, .storageBack)
        case .clock: (.clockNotSet, .clockSet)
        }
    }
}

private struct TransferErrorRule: Sendable {
    /// This number of errors within `window` is a fault. A starter's noise disturbs a transfer now and then.
    private static let limit = 20
    private static let window = Duration.seconds(600)
    /// Without an error for this time, the bus works again.
    static let recovery = Duration.seconds(3600)

    private var began: (count: Int, at: Instant)?
    private var last: (count: Int, at: Instant)?

    /// The errors in the window; nil below the limit.
    mutating func note(_ count: Int, at now: Instant) -> Int? {
        let before = last?.count ?? 0
        guard count > before else { return nil }
        last = (count, now)
        let window = began.flatMap { now - $0.at <= Self.window ? $0 : nil } ?? (count: before, at: now)
        let errors = count - window.count
        began = errors >= Self.limit ? (count, now) : window
        return errors >= Self.limit ? errors : nil
    }

    func hasRecovered(at now: Instant) -> Bool { last.map { now - $0.at >= Self.recovery } ?? true }
}
