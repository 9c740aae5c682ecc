import Compatibility
import Foundation
import Motion
package import Quantities
package import Tracking
import TrackingOptions

/// A random life of a tracker that uses every feature: regions, beacons, waypoints, a schedule, power, commands and faults.
///
/// `RandomLife` checks the contract of the engine. This life only records what the engine does.
package struct EventfulLife {
    static let date = Timestamp(year: 2026, month: 5, day: 4)
    static let home = Coordinate(latitude: 52.374031, longitude: 4.889692)

    /// `state` is the state after the record.
    package struct Step: Sendable {
        package let record: Record
        package let state: EngineState
        package let now: Instant
        package let isPrivate: Bool
    }

    package private(set) var journal = Journal()
    package private(set) var steps: [Step] = []

    /// Positions that the engine showed in a private period, in words; empty unless the engine has an error.
    package private(set) var leaks: [String] = []
    /// Nil unless the life was made with `isPrivate`.
    package private(set) var privatePlace: PrivatePlace?

    /// The random numbers for private periods; nil if the life has none.
    private var privacy: SplitMix?
    private var engine: Engine
    private let configuration: EngineConfiguration
    private var random: SplitMix
    private var vehicle: EventfulVehicle
    private var now = Instant.boot
    private var armed: [TimerKind: Instant] = [:]
    private var buffer = EffectBuffer()
    private var fixesFrom: Instant?
    private var isStreaming = false
    private var isScanning = false
    private var hasSensor = true
    private var clockError = Duration.zero

    /// Begins a life; equal seeds give equal lives.
    ///
    /// With `isPrivate`, the life also has a private place, and commands that begin and end private periods.
    package init(seed: Int, isPrivate: Bool = false) {
        random = SplitMix(seed: UInt64(seed) &* 7919)
        vehicle = EventfulVehicle(isRound: seed.isMultiple(of: 2))
        var configuration = random.configuration()
        if isPrivate {
            privacy = SplitMix(seed: UInt64(seed))
            privatePlace = Self.home.map {
                PrivatePlace(centre: $0.moved(east: Metres(300), north: .zero), radius: Metres(200))
            }
            configuration.privatePlaces = [privatePlace].compactMap(\.self)
        }
        self.configuration = configuration
        engine = Engine(configuration)
        clockError = random.once(in: 4) ? .seconds(-86_400 * 30) : .zero
        start()
    }

    package mutating func live(steps: Int) {
        for step in 0..<steps {
            let isQuiet = vehicle.phase == .parked && fixesFrom == nil
            pass(isQuiet ? .seconds(20) : .seconds(1))
            if random.once(in: 25) { tell(random.event(at: now, vehicle: vehicle)) }
            if random.once(in: 150) { tellTime() }
            if privacy?.once(in: 120) ?? false { tell(.command(privacyCommand())) }
            if random.once(in: 500) { restart() }
            if step.isMultiple(of: 100) { journal.note(engine, at: now) }
        }
        journal.note(engine.state)
    }

    private mutating func start() {
        armed = [:]
        (fixesFrom, isStreaming, isScanning) = (nil, false, false)
        tell(.wallClock(Self.date + (now - .boot) + clockError, isTrusted: clockError == .zero))
        hasSensor = !random.once(in: 4)
        tell(.motionSensor(isThere: hasSensor))
        tell(.started)
    }

    /// Reports the time of the system clock to the engine; the clock is right, or wrong by at least a second and at
    /// most 30 days.
    ///
    /// Sometimes the report of a wrong clock is marked as trusted.
    private mutating func tellTime() {
        if random.once(in: 3) { clockError = .seconds(random.pick([0, 0, 1, 2, 5, 60, 3600, -7200])) }
        tell(.wallClock(Self.date + (now - .boot) + clockError, isTrusted: clockError == .zero || random.once(in: 6)))
    }

    /// Ends the program, and starts it again with the state on disk, or sometimes with an empty state.
    private mutating func restart() {
        if random.once(in: 2) { tell(.power(.shutdown)) }
        guard let disk = try? JSONEncoder().encode(engine.state),
            let state = try? JSONDecoder().decode(EngineState.self, from: disk)
        else { return journal.add("the state cannot be stored") }
        engine = Engine(configuration, restoring: random.once(in: 5) ? EngineState() : state)
        start()
        if random.once(in: 2), engine.canResume { tell(.resumed(state)) }
    }

    private mutating func pass(_ span: Duration) {
        let target = now + span
        var count = 0
        while count < 1000, let (kind, moment) = due(through: target) {
            armed[kind] = nil
            now = max(now, moment)
            tell(.timer(kind))
            count += 1
        }
        now = target
        vehicle.move(by: span, to: now, &random)
        if hasSensor {
            let verdict = vehicle.verdict(at: now, &random)
            // Without streaming, the chip reports only that it has measured motion.
            if isStreaming {
                tell(.motion(verdict))
            } else if verdict.isMoving {
                tell(.motion(MotionVerdict(isMoving: true)))
            }
        }
        if let fixesFrom, now >= fixesFrom { tell(.fix(vehicle.report(at: now, &random))) }
        if isScanning, random.once(in: 3) { tell(.beacon(random.sighting())) }
    }

    private mutating func privacyCommand() -> Command {
        let isOn = privacy?.once(in: 2) ?? false
        return .privacy(isOn: isOn, lasting: privacy?.once(in: 2) ?? false ? .seconds(90) : nil)
    }

    /// Adds an effect of a private period to `leaks` if it shows a position.
    private mutating func noteLeak(_ effect: Effect) {
        switch effect {
        case .record(let record) where record.position != nil: leaks.append("\(record)")
        case .fetchRegions(let query?) where query.place != nil: leaks.append("\(query)")
        default: break
        }
    }

    private func due(through limit: Instant) -> (TimerKind, Instant)? {
        TimerKind.allCases.compactMap { kind in armed[kind].map { (kind, $0) } }
            .filter { $0.1 <= limit }.min { $0.1 < $1.1 }
    }

    private mutating func tell(_ event: Event) {
        buffer.removeAll()
        var isHidden = engine.isPrivate
        engine.handle(event, at: now, into: &buffer)
        if case .fix = event { journal.fixes += 1 }
        for effect in buffer.effects {
            journal.note(effect, at: now)
            if case .record(let record) = effect {
                if case .health(let report) = record.content, report.change == .privacyBegan { isHidden = true }
                steps.append(Step(record: record, state: engine.state, now: now, isPrivate: isHidden))
                if case .health(let report) = record.content, report.change == .privacyEnded { isHidden = false }
            }
            if isHidden { noteLeak(effect) }
            switch effect {
            case .arm(let kind, let moment): armed[kind] = moment
            case .cancel(let kind): armed[kind] = nil
            case .receiver(let isOn):
                fixesFrom = isOn ? fixesFrom ?? now + .seconds(Int(random.uniform(1...8))) : nil
            case .motionSensor(let isOn): isStreaming = isOn
            case .scan(let duty): isScanning = duty != .off
            default: break
            }
        }
    }
}
