import TrackingOptions
import Quantities

/// Knows what needs the receiver, whether it works, and which of its reports are credible.
package struct ReceiverManager: Sendable {
    private var demand = ReceiverDemand()
    private var health: ReceiverHealth
    private var provider = ProviderLog()
    private var jamming = JammingRule()
    private var filter: FixFilter
    private var refusals = RefusalRule()
    private var frozen = FrozenRule()
    private var hasReportedSimulation = false
    /// A running average; nil before the first measurement.
    private(set) var timeToFirstFix: Duration?

    init(_ recoveries: [ReceiverRecovery], _ filter: FixFilter, restoring snapshot: Snapshot) {
        health = ReceiverHealth(recoveries)
        self.filter = filter
        timeToFirstFix = snapshot.timeToFirstFix
    }

    var isOn: Bool { demand.isOn }

    var refusal: FixRejection? { refusals.reason }

    var onSince: Instant? { demand.onSince }

    var firstFixes: FirstFixes { demand.firstFixes }

    mutating func want(_ isWanted: Bool, by user: ReceiverDemand.User, _ logbook: Logbook, in turn: inout Turn) {
        guard demand.want(isWanted, by: user, at: turn.now, into: &turn.effects) else { return }
        health.power(isOn: demand.isOn, at: turn.now, into: &turn.effects)
    }

    var hasJumped: Bool { filter.hasJumped }

    func isDoubting(at now: Instant) -> Bool { filter.isDoubting(at: now) }

    /// Handles a report, which may show that the receiver is lost, available again or jammed.
    mutating func watch(_ report: Fix, _ logbook: Logbook, in turn: inout Turn) {
        frozen.take(report, at: turn.now)
        if frozen.isFrozen || !health.isUsual(report, at: turn.now) {
            health.report(report, isFrozen: frozen.isFrozen, provider: &provider, logbook, in: &turn)
        }
        if report.jamming != nil { watchJamming(report, logbook, in: &turn) }
    }

    private mutating func watchJamming(_ report: Fix, _ logbook: Logbook, in turn: inout Turn) {
        let limit = turn.options.jammingLevel
        guard let level = report.withinBounds.jamming,
            let isJammed = jamming.handle(level, limit: limit, at: turn.now)
        else { return }
        turn.effects.decide(
            .receiver, isJammed ? "jammed: the level of jamming is \(level) of 255" : "no longer jammed")
        let change = ProviderChange(isJammed ? .jammed : .jammingEnded, jamming: level)
        logbook.record(.providerchange(change), in: &turn)
    }

    private mutating func reportSimulation(of fix: AcceptedFix, into effects: inout EffectBuffer) {
        guard fix.position.solution == .simulated, !hasReportedSimulation else { return }
        hasReportedSimulation = true
        effects.decide(.sensor, "the receiver simulates its positions; the records mark them as simulated")
    }

    /// Nil if the fix is not credible. A fix without a date (GGA sentences alone) gets that of a trusted clock.
    mutating func judge(_ report: Fix, in turn: inout Turn) -> AcceptedFix? {
        let now = turn.now
        var fix = report
        let ignored = fix.removeImpossible()
        if fix.time == nil, turn.utc.isTrusted { fix.time = turn.utc.time }
        if !ignored.isEmpty {
            turn.effects.decide(.receiver, "ignored as impossible for a vehicle: \(ignored.joined(separator: ", "))")
        }
        let verdict =
            frozen.isFrozen
            ? .refused(.frozen)
            : filter.judge(fix, accuracyLimit: turn.options.accuracyLimit, heldSince: frozen.heldSince, at: now)
        switch verdict {
        case .refused(let reason):
            if let cause = refusals.note(reason, at: now)?.lastingCause {
                turn.effects.decide(.sensor, "the receiver reports positions, but none is usable: \(cause)")
            }
            turn.effects.append(.refused(reason))
            return nil
        case .accepted(let fix):
            _ = refusals.note(nil, at: now)
            reportSimulation(of: fix, into: &turn.effects)
            return fix
        }
    }

    mutating func noteFix(at now: Instant) {
        if let average = demand.fix(at: now, average: timeToFirstFix) { timeToFirstFix = average }
    }

    mutating func healthTimer(_ logbook: Logbook, in turn: inout Turn) {
        health.timer(demand: &demand, provider: &provider, logbook, in: &turn)
    }

    mutating func note(_ state: ProviderChange.State, _ logbook: Logbook, in turn: inout Turn) {
        provider.note(state, logbook, in: &turn)
    }

    mutating func noteLines(canBeSet: Bool, _ logbook: Logbook, in turn: inout Turn) {
        provider.noteLines(canBeSet: canBeSet, logbook, in: &turn)
    }

    mutating func resume(from earlier: ReceiverManager) {
        provider = earlier.provider
        jamming = earlier.jamming
        demand.resume(earlier.firstFixes)
    }
}

extension ReceiverManager {
    package struct Snapshot: EngineSnapshot {
        package var timeToFirstFix: Duration?

        package enum CodingKeys: String, CodingKey { case timeToFirstFix }

        mutating func read(_ fields: inout SnapshotReader<CodingKeys>) {
            fields.read(.timeToFirstFix, into: &timeToFirstFix)
        }
    }

    var snapshot: Snapshot { Snapshot(timeToFirstFix: timeToFirstFix) }
}
