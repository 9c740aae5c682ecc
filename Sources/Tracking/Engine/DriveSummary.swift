package import Quantities

/// Counts trips, stops and records from the engine's effects, and adds up the times of motion and of the receiver.
package struct DriveSummary: Sendable, Hashable {
    package private(set) var trips = 0
    package private(set) var stops = 0
    package private(set) var recordKinds: [Record.Kind: Int] = [:]
    package private(set) var refused: [FixRejection: Int] = [:]
    private var movingTime = Stopwatch()
    private var receiverTime = Stopwatch()
    private let odometerAtStart: Metres
    private var odometer: Metres

    package init(restored state: EngineState = EngineState(), at now: Instant = .boot) {
        odometerAtStart = state.logbook.odometer.distance
        odometer = odometerAtStart
        if state.isMoving { movingTime.start(at: now) }
    }

    package var records: Int { recordKinds.values.reduce(0, +) }

    /// What the odometer has counted since the start.
    package var distance: Metres { odometer - odometerAtStart }

    package func movingTime(at now: Instant) -> Duration { movingTime.total(at: now) }

    package func receiverTime(at now: Instant) -> Duration { receiverTime.total(at: now) }

    package mutating func observe(odometer: Metres) { self.odometer = odometer }

    package mutating func observe(_ effect: Effect, at now: Instant) {
        switch effect {
        case .record(let record): recordKinds[record.kind, default: 0] += 1
        case .refused(let reason): refused[reason, default: 0] += 1
        case .receiver(isOn: true): receiverTime.start(at: now)
        case .receiver(isOn: false): receiverTime.stop(at: now)
        case .state(isMoving: true):
            trips += 1
            movingTime.start(at: now)
        case .state(isMoving: false):
            stops += 1
            movingTime.stop(at: now)
        case .arm, .cancel, .decided, .motionSensor, .correctTimestamps, .scan, .uploads, .deliver, .queueRules,
            .fetchRegions, .light, .halt, .recover:
            break
        }
    }
}

/// Measures the time between starts and stops; a second start, or a stop without a start, has no effect.
private struct Stopwatch: Sendable, Hashable {
    private var sum = Duration.zero
    private var since: Instant?

    mutating func start(at now: Instant) { since = since ?? now }

    mutating func stop(at now: Instant) {
        sum = total(at: now)
        since = nil
    }

    func total(at now: Instant) -> Duration { sum + (since.map { now - $0 } ?? .zero) }
}
