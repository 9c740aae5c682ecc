import TrackingOptions
import Quantities

/// The receiver: who wants it on, whether it works, and which of its reports are believed.
package struct ReceiverManager: Sendable {
    private var demand = ReceiverDemand()
    private var health: ReceiverHealth
    private var provider = ProviderLog()
    private var filter: FixFilter
    /// Time to first fix, averaged.
    private(set) var timeToFirstFix: Duration?

    init(_ configuration: EngineConfiguration, lastFix: AcceptedFix?, restoring snapshot: Snapshot) {
        health = ReceiverHealth(configuration.recoveries)
        filter = FixFilter(notBefore: configuration.notBefore, last: lastFix)
        timeToFirstFix = snapshot.timeToFirstFix
    }

    /// Whether the receiver is on.
    var isOn: Bool { demand.isOn }

    /// Since when it has been on; nil while it is off.
    var onSince: Instant? { demand.onSince }

    /// Notes whether a user wants the receiver, and switches it.
    mutating func want(
        _ isWanted: Bool, by user: ReceiverDemand.User, _ context: Context, _ logbook: Logbook,
        into effects: inout EffectBuffer
    ) {
        guard demand.want(isWanted, by: user, at: context.now, into: &effects) else { return }
        health.power(isOn: demand.isOn, at: context.now, into: &effects)
    }

    /// What became of a report.
    enum Outcome {
        case refused(FixRejection)
        /// `isJump`: no vehicle can have come here from the last fix.
        case accepted(AcceptedFix, isJump: Bool)
    }

    /// Whether a report comes from a receiver that is known to work; if not, `watch` must take it in.
    mutating func isUsual(_ report: Fix, at now: Instant) -> Bool { health.isUsual(report, at: now) }

    /// Takes a report in that may show that the receiver is lost, or is back.
    mutating func watch(
        _ report: Fix, _ context: Context, _ logbook: Logbook, into effects: inout EffectBuffer
    ) {
        health.report(report, provider: &provider, context, logbook, into: &effects)
    }

    /// Judges a report: is each field possible, and is the fix believable.
    mutating func judge(
        _ report: Fix, accuracyLimit: Metres, at now: Instant, into effects: inout EffectBuffer
    ) -> Outcome {
        let (fix, ignored) = report.withinBounds()
        if !ignored.isEmpty {
            effects.decide(.receiver, "ignored, as no vehicle can have it: \(ignored.joined(separator: ", "))")
        }
        switch filter.judge(fix, accuracyLimit: accuracyLimit, at: now) {
        case .refused(let reason): return .refused(reason)
        case .accepted(let fix): return .accepted(fix, isJump: filter.hasJumped)
        }
    }

    /// Measures the time to first fix.
    mutating func noteFix(at now: Instant) {
        if let average = demand.fix(at: now, average: timeToFirstFix) { timeToFirstFix = average }
    }

    /// Handles the timer of the watch over the receiver.
    mutating func healthTimer(_ context: Context, _ logbook: Logbook, into effects: inout EffectBuffer) {
        health.timer(demand: &demand, provider: &provider, context, logbook, into: &effects)
    }

    /// Records whether the receiver is heard and has a fix, if that has changed.
    mutating func note(
        _ state: ProviderChange.State, _ context: Context, _ logbook: Logbook, into effects: inout EffectBuffer
    ) {
        provider.note(state, context, logbook, into: &effects)
    }

    /// Records whether the receiver can be switched, if that has changed.
    mutating func noteLines(
        canBeSet: Bool, _ context: Context, _ logbook: Logbook, into effects: inout EffectBuffer
    ) {
        provider.noteLines(canBeSet: canBeSet, context, logbook, into: &effects)
    }

    /// Takes over what was recorded last from a manager that this one replaces.
    mutating func resume(from earlier: ReceiverManager) { provider = earlier.provider }
}

extension ReceiverManager {
    /// What survives a restart.
    package struct Snapshot: EngineSnapshot {
        /// Time to first fix, averaged.
        package var timeToFirstFix: Duration?

        package enum CodingKeys: String, CodingKey { case timeToFirstFix }

        mutating func read(_ fields: inout SnapshotReader<CodingKeys>) {
            fields.read(.timeToFirstFix, into: &timeToFirstFix)
        }
    }

    /// What survives a restart.
    var snapshot: Snapshot { Snapshot(timeToFirstFix: timeToFirstFix) }
}
