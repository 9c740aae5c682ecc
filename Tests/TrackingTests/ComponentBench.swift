import TrackingOptions
import Quantities

@testable import Tracking

/// Runs one component of the engine at a time, and returns what it orders.
struct ComponentBench {
    var options = TrackingOptions()
    var hasMotionSensor = true
    var isMoving = true
    var time = UTCEstimate()
    var equipment = Equipment(
        receiver: ReceiverManager(
            EngineConfiguration(), lastFix: nil, restoring: ReceiverManager.Snapshot()),
        logbook: Logbook(restoring: Logbook.Snapshot()))

    /// What a component may know at that moment.
    func context(at now: Instant) -> Context {
        Context(
            now: now, time: time, options: SharedOptions(options), hasMotionSensor: hasMotionSensor,
            isMoving: isMoving, labels: TripLabels(), regions: [])
    }

    /// What a component orders at that moment, without the watch over the receiver.
    mutating func run(
        at now: Instant, _ body: (Context, inout Equipment, inout EffectBuffer) -> Void
    ) -> [Effect] {
        var effects = EffectBuffer()
        body(context(at: now), &equipment, &effects)
        return effects.effects.filter { effect in
            switch effect {
            case .arm(.health, _), .cancel(.health): false
            default: true
            }
        }
    }
}

extension [Effect] {
    /// The changes of the receiver that are recorded.
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
    /// An engine with nothing set up but options.
    init(_ options: TrackingOptions, restoring state: EngineState = EngineState()) {
        self.init(EngineConfiguration(options: options), restoring: state)
    }

    /// What the engine orders because of one event.
    mutating func handle(_ event: Event, at now: Instant) -> [Effect] {
        var effects = EffectBuffer()
        handle(event, at: now, into: &effects)
        return effects.effects
    }
}

extension FixFilter {
    /// Judges a report under the usual limit of accuracy.
    mutating func judge(_ fix: Fix, at moment: Instant? = nil) -> Verdict {
        judge(fix, accuracyLimit: Metres(200), at: moment)
    }
}

extension IndicatorRule {
    /// What following an option orders.
    mutating func follow(_ indicator: Indicator, isTracking: Bool) -> [Effect] {
        var effects = EffectBuffer()
        follow(indicator, isTracking: isTracking, into: &effects)
        return effects.effects
    }

    /// What a record orders.
    mutating func recorded(at now: Instant) -> [Effect] {
        var effects = EffectBuffer()
        recorded(at: now, into: &effects)
        return effects.effects
    }

    /// What the end of a blink orders.
    mutating func timer(_ indicator: Indicator) -> [Effect] {
        var effects = EffectBuffer()
        timer(indicator, into: &effects)
        return effects.effects
    }
}
