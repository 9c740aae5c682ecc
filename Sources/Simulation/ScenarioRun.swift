package import Quantities
package import Tracking
package import TrackingOptions

/// What the engine made of a drive: all that it ordered, and when, counted from the beginning of the drive.
package struct ScenarioRun: Sendable {
    /// Its orders.
    package private(set) var effects: [Drive.Timed<Effect>] = []
    /// The engine as it stands at the end.
    package let engine: Engine
    /// How long it ran.
    package let length: Duration

    /// Plays the drive to its end.
    package init(
        _ drive: Drive, _ options: TrackingOptions, timeToFirstFix: Duration = .seconds(1),
        restoring state: EngineState = EngineState(), clock: Timestamp? = SimulatedDate.epoch
    ) {
        var replay = Replay(
            Timeline([drive], gap: .zero), options: options, timeToFirstFix: timeToFirstFix, restoring: state,
            clock: clock)
        var effects: [Drive.Timed<Effect>] = []
        replay.run { effect, now in effects.append(.init(now - .boot, effect)) }
        self.effects = effects
        engine = replay.engine
        length = drive.length
    }

    /// The moments at which a trip began.
    package var departures: [Duration] { effects.filter { $0.value == .state(isMoving: true) }.map(\.time) }

    /// The moments at which a stop was confirmed.
    package var arrivals: [Duration] { effects.filter { $0.value == .state(isMoving: false) }.map(\.time) }

    /// All records, with the moments at which they were written.
    package var records: [Drive.Timed<Record>] {
        effects.compactMap { effect in
            if case .record(let record) = effect.value { .init(effect.time, record) } else { nil }
        }
    }

    /// The records that tell of a departure or a stop.
    package var motionchanges: [Drive.Timed<Record>] { records.filter { $0.value.kind == .motionchange } }

    /// What was decided, in words.
    package var decisions: [Drive.Timed<Decision>] {
        effects.compactMap { effect in
            if case .decided(let decision) = effect.value { .init(effect.time, decision) } else { nil }
        }
    }

    /// The spans in which the receiver was on.
    package var receiver: [Range<Duration>] {
        var spans: [Range<Duration>] = []
        var since: Duration?
        for effect in effects {
            guard case .receiver(let isOn) = effect.value else { continue }
            if let start = since, !isOn { spans.append(start..<effect.time) }
            since = isOn ? since ?? effect.time : nil
        }
        return spans + (since.map { [$0..<max($0, length)] } ?? [])
    }

    /// How long the receiver was on within a span.
    package func receiverTime(from start: Duration, to end: Duration) -> Duration {
        receiver.map { max(.zero, min($0.upperBound, end) - max($0.lowerBound, start)) }.reduce(.zero, +)
    }

    /// Whether the vehicle was taken to move at that moment.
    package func isMoving(at moment: Duration) -> Bool {
        let before = effects.prefix { $0.time <= moment }
        for case .state(let isMoving) in before.reversed().map(\.value) { return isMoving }
        return false
    }
}

extension Scenario {
    /// Plays it with these options.
    package func run(_ options: TrackingOptions, timeToFirstFix: Duration = .seconds(1)) -> ScenarioRun {
        ScenarioRun(recording, options, timeToFirstFix: timeToFirstFix)
    }
}
