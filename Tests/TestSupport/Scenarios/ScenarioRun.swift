package import Quantities
package import Recordings
package import Tracking
package import TrackingOptions

/// The result of a replayed drive: all effects with their times since the start of the drive.
package struct ScenarioRun: Sendable {
    package private(set) var effects: [Drive.Timed<Effect>] = []
    package let engine: Engine
    package let length: Duration

    package init(
        _ drive: Drive, _ options: TrackingOptions, timeToFirstFix: Duration = .seconds(1),
        restoring state: EngineState = EngineState(), clock: Timestamp? = SimulatedDate.epoch
    ) {
        var replay = Replay(
            Timeline([drive], gap: .zero), EngineConfiguration(options: options), timeToFirstFix: timeToFirstFix,
            restoring: state, clock: clock)
        var effects: [Drive.Timed<Effect>] = []
        replay.run { effect, now in effects.append(.init(now - .boot, effect)) }
        self.effects = effects
        engine = replay.engine
        length = drive.length
    }

    package var departures: [Duration] { effects.filter { $0.value == .state(isMoving: true) }.map(\.time) }

    package var arrivals: [Duration] { effects.filter { $0.value == .state(isMoving: false) }.map(\.time) }

    /// The records, with the times at which the engine created them.
    package var records: [Drive.Timed<Record>] {
        effects.compactMap { effect in
            if case .record(let record) = effect.value { .init(effect.time, record) } else { nil }
        }
    }

    package var motionchanges: [Drive.Timed<Record>] { records.filter { $0.value.kind == .motionchange } }

    package var decisions: [Drive.Timed<Decision>] {
        effects.compactMap { effect in
            if case .decided(let decision) = effect.value { .init(effect.time, decision) } else { nil }
        }
    }

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

    package func receiverTime(from start: Duration, to end: Duration) -> Duration {
        receiver.map { max(.zero, min($0.upperBound, end) - max($0.lowerBound, start)) }.reduce(.zero, +)
    }

    package func isMoving(at moment: Duration) -> Bool {
        let before = effects.prefix { $0.time <= moment }
        for case .state(let isMoving) in before.reversed().map(\.value) { return isMoving }
        return false
    }
}

extension Scenario {
    package func run(_ options: TrackingOptions, timeToFirstFix: Duration = .seconds(1)) -> ScenarioRun {
        ScenarioRun(recording, options, timeToFirstFix: timeToFirstFix)
    }
}

extension Drive {
    /// Returns the reports from `start` until before `end`, with times relative to `start`; the dates of fixes do not change.
    package func part(from start: Duration = .zero, to end: Duration) -> Drive {
        var part = Drive()
        part.samples = Self.part(of: samples, from: start, to: end)
        part.fixes = Self.part(of: fixes, from: start, to: end)
        part.others = Self.part(of: others, from: start, to: end)
        return part
    }

    private static func part<Value>(of items: [Timed<Value>], from start: Duration, to end: Duration) -> [Timed<Value>]
    {
        items.filter { start <= $0.time && $0.time < end }.map { Timed($0.time - start, $0.value) }
    }
}
