import TrackingOptions
import Quantities

@testable import Tracking

/// Runs one component of the engine at a time, and returns its effects.
struct ComponentBench {
    var options = TrackingOptions()
    var hasMotionSensor = true
    var isMoving = true
    var time = UTCEstimate()
    var equipment = Equipment(
        receiver: ReceiverManager(
            [], FixFilter(last: nil), restoring: ReceiverManager.Snapshot()),
        logbook: Logbook(restoring: Logbook.Snapshot()))

    func turn(at now: Instant) -> Turn {
        var turn = Turn(at: now, SharedOptions(options))
        (turn.time, turn.hasMotionSensor, turn.isMoving) = (time, hasMotionSensor, isMoving)
        return turn
    }

    /// Returns the effects of a component at that moment, without those of the receiver's health check.
    mutating func run(
        at now: Instant, _ body: (inout Equipment, inout Turn) -> Void
    ) -> [Effect] {
        var turn = turn(at: now)
        body(&equipment, &turn)
        return turn.effects.effects.filter { effect in
            switch effect {
            case .arm(.health, _), .cancel(.health): false
            default: true
            }
        }
    }
}

extension [Effect] {
    var providerChanges: [ProviderChange.State] {
        compactMap { effect in
            guard case .record(let record) = effect, case .providerchange(let change) = record.content else {
                return nil
            }
            return change.state
        }
    }
}

extension Engine {
    init(_ options: TrackingOptions, restoring state: EngineState = EngineState()) {
        self.init(EngineConfiguration(options: options), restoring: state)
    }

    var configuration: EngineConfiguration {
        (Mirror(reflecting: self).descendant("settings") as? Settings)?.configuration ?? EngineConfiguration()
    }

    mutating func handle(_ event: Event, at now: Instant) -> [Effect] {
        var effects = EffectBuffer()
        handle(event, at: now, into: &effects)
        return effects.effects
    }
}

extension FixFilter {
    /// Checks a report with the default accuracy limit.
    mutating func judge(_ fix: Fix, at moment: Instant? = nil) -> Verdict {
        judge(fix, accuracyLimit: Metres(200), at: moment)
    }
}

extension IndicatorRule {
    /// Returns the effects of a change of options.
    mutating func follow(_ indicator: Indicator, isTracking: Bool) -> [Effect] {
        var effects = EffectBuffer()
        follow(indicator, isTracking: isTracking, into: &effects)
        return effects.effects
    }

    mutating func recorded(at now: Instant) -> [Effect] {
        var effects = EffectBuffer()
        recorded(at: now, into: &effects)
        return effects.effects
    }

    /// Returns the effects of the end of a blink.
    mutating func timer(_ indicator: Indicator) -> [Effect] {
        var effects = EffectBuffer()
        timer(indicator, into: &effects)
        return effects.effects
    }
}

extension Sampler {
    mutating func sample(
        _ fix: AcceptedFix, after last: TrackPoint?, isAtRest: Bool, _ options: TrackingOptions
    ) -> [AcceptedFix] {
        sample(fix, after: last, isAtRest: isAtRest, SharedOptions(options))
    }
}
