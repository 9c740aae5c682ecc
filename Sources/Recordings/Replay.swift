// Recordings: recorded drives, and the devices that repeat them for `trackerd replay` and `--board sim`. Start reading
// at `DriveReader`, which reads files; `Timeline` combines drives into one sequence, `SensorTrack` and `FixTrack` turn
// it into events, and `Replay` runs the engine on these. TrackerDaemon may not be imported. Simulated drives for tests
// are in Tests/TestSupport.

package import Quantities
package import Tracking

/// Runs the engine on a timeline under virtual time: the same input has the same effects.
package struct Replay {
    package private(set) var engine: Engine
    package private(set) var summary: DriveSummary

    /// Nil unless the replay measures it, which takes time at each fix.
    package private(set) var crossTrack: CrossTrack?

    private let timeline: Timeline
    private let timeToFirstFix: Duration
    private let clock: Timestamp?
    private var sensors: SensorTrack
    private var fixes: FixTrack
    private var timers = TimerQueue()
    private var effects = EffectBuffer()
    /// Nil while the receiver is off.
    private var fixesFrom: Instant?
    /// When the receiver next reports that it has no fix; nil if no such report is due before the next fix.
    private var searchingReport: Instant?
    private var isStreaming = false
    private var isScanning = false

    /// The receiver has its first fix `timeToFirstFix` after it is switched on (the default is a hot start), and until
    /// then reports once a second that it has none. The engine continues from `state`, or from the state in a recording
    /// by `trackerd record`. The system clock shows `clock`, and was never set if that is nil.
    package init(
        _ timeline: Timeline, _ configuration: EngineConfiguration, timeToFirstFix: Duration = .seconds(1),
        restoring state: EngineState = EngineState(), clock: Timestamp? = SimulatedDate.epoch,
        measuring crossTrack: CrossTrack? = nil
    ) {
        self.crossTrack = crossTrack
        self.timeline = timeline
        // A recording by `trackerd record` already contains the time to the real receiver's first fix.
        self.timeToFirstFix = timeline.opening == nil ? timeToFirstFix : .zero
        self.clock = clock
        let state = timeline.opening?.state ?? state
        var configuration = configuration
        configuration.notBefore = min(configuration.notBefore, timeline.earliestDate)
        engine = Engine(configuration, restoring: state)
        summary = DriveSummary(restored: state)
        sensors = SensorTrack(timeline)
        fixes = FixTrack(timeline)
    }

    package mutating func run(_ report: (Effect, Instant) -> Void) {
        let start = timeline.stretches.first?.start ?? .boot
        if let clock { handle(.wallClock(clock, isTrusted: true), at: start, report) }
        if let first = sensors.next(through: start, isStreaming: false) { handle(first.event, at: first.at, report) }
        handle(.started, at: start, report)
        var now = start
        while let moment = handleNext(after: now, through: timeline.end, report) { now = moment }
    }

    private mutating func handleNext(
        after now: Instant, through end: Instant, _ report: (Effect, Instant) -> Void
    ) -> Instant? {
        let fixTime = fixesFrom.flatMap { fixes.nextTime(from: max($0, now)) }
        let timerTime = timers.next
        let limit = min(min(fixTime ?? end, searchingReport ?? end), min(timerTime ?? end, end))
        if let sensed = sensors.next(through: limit, isStreaming: isStreaming) {
            let moment = max(now, sensed.at)
            handle(sensed.event, at: moment, report)
            return moment
        }
        if let timerTime, timerTime <= limit, let timer = timers.pop(through: limit) {
            handle(.timer(timer.kind), at: timer.moment, report)
            return timer.moment
        }
        if let moment = searchingReport, moment <= limit {
            scheduleReport(after: moment)
            handle(.fix(Fix(mode: .noFix)), at: moment, report)
            return moment
        }
        guard let fixTime, fixTime <= end, let fix = fixes.fix(at: fixTime) else { return nil }
        // Continue after this report, which must not come again.
        fixesFrom = Instant(nanoseconds: fixTime.nanoseconds + 1)
        handle(.fix(fix), at: fixTime, report)
        return fixTime
    }

    private mutating func scheduleReport(after last: Instant) {
        let next = last + .seconds(1)
        searchingReport = fixesFrom.flatMap { next < $0 ? next : nil }
    }

    private mutating func switchReceiver(on isOn: Bool, at now: Instant) {
        fixesFrom = isOn ? fixesFrom ?? now + timeToFirstFix : nil
        if !isOn || searchingReport == nil { scheduleReport(after: now) }
    }

    private mutating func handle(_ event: Event, at now: Instant, _ report: (Effect, Instant) -> Void) {
        // A beacon is received only while the adapter scans.
        if case .beacon = event, !isScanning { return }
        effects.removeAll()
        engine.handle(event, at: now, into: &effects)
        if crossTrack != nil, case .fix(let report) = event { noteAccepted(report) }
        for effect in effects.effects {
            perform(effect, at: now)
            summary.observe(effect, at: now)
            report(effect, now)
        }
        summary.observe(odometer: engine.odometer)
    }

    private mutating func noteAccepted(_ report: Fix) {
        guard engine.isMoving, let fix = engine.lastFix, fix.time == report.time else { return }
        crossTrack?.add(fix: fix)
    }

    private mutating func perform(_ effect: Effect, at now: Instant) {
        switch effect {
        case .arm(let kind, let moment): timers.arm(kind, at: moment)
        case .cancel(let kind): timers.cancel(kind)
        case .receiver(let isOn): switchReceiver(on: isOn, at: now)
        case .motionSensor(let isStreaming): self.isStreaming = isStreaming
        case .record(let record): crossTrack?.add(record: record)
        case .scan(let duty): isScanning = duty != .off
        case .state(isMoving: false): crossTrack?.endTrip()
        case .state(isMoving: true), .refused, .decided, .correctTimestamps, .uploads, .deliver, .queueRules,
            .fetchRegions, .light, .halt, .recover:
            break
        }
    }
}
