import Compatibility
import Foundation
import Motion
import Quantities
import TestSupport
import Testing
import TrackingOptions

@testable import Tracking

/// A random sequence of events from one seed: a vehicle that drives and stops, timers that fire on time, late or
/// without a request, commands, faults and restarts.
///
/// Each step checks the contract.
struct RandomLife {
    private(set) var engine: Engine
    private(set) var contract: LifeContract
    private(set) var effects: [Effect] = []
    private(set) var now = Instant.at(0)

    private let options: TrackingOptions
    private let seed: UInt64
    private var generator: SplitMix
    private var armed: [TimerKind: Instant] = [:]
    private var vehicle = Vehicle()

    init(seed: Int) {
        self.seed = UInt64(seed)
        generator = SplitMix(seed: self.seed)
        options = generator.options()
        engine = Engine(EngineConfiguration(options, modes: OptionLayer.ownTracksModes))
        contract = LifeContract(options, seed: self.seed)
        tell(.wallClock(Samples.start, isTrusted: true))
        tell(.motionSensor(isThere: !generator.once(in: 3)))
        tell(.started)
    }

    /// Advances the time, fires the timers that are due, and then causes an event.
    mutating func step() {
        let pauses: [Double] = [
            0, 0.1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 5, 10, 30, 100, generator.once(in: 20) ? 4000 : 1,
        ]
        pass(.init(inSeconds: generator.pick(pauses)), isLate: generator.once(in: 8))
        if generator.once(in: 60) { restart() } else { tell(event()) }
        if generator.once(in: 3) { tell(.motion(MotionVerdict(isMoving: vehicle.isMoving != generator.once(in: 12)))) }
    }

    /// Advances the time; late timers fire together at the end, as after a suspension.
    mutating func pass(_ span: Duration, isLate: Bool = false) {
        let target = now + span
        var count = 0
        while let (kind, moment) = due(through: target) {
            armed[kind] = nil
            now = isLate ? target : max(now, moment)
            tell(.timer(kind))
            count += 1
            guard count < 100_000 else {
                Issue.record("seed \(seed): \(kind) is armed repeatedly without progress")
                break
            }
        }
        now = target
        contract.check(armed: armed, state: engine.state, at: now)
    }

    mutating func tell(_ event: Event) {
        let (before, mode) = (engine.state, engine.status.mode)
        let effects = engine.handle(event, at: now)
        for effect in effects {
            if case .arm(let kind, let moment) = effect { armed[kind] = moment }
            if case .cancel(let kind) = effect { armed[kind] = nil }
        }
        self.effects += effects
        contract.modes = [mode, engine.status.mode]
        contract.options = engine.status.resolvedOptions.options
        contract.observe(event, effects, from: before, to: engine.state, at: now)
    }

    /// Ends the program, and starts it again with the state on disk.
    mutating func restart() {
        do {
            let disk = try JSONEncoder().encode(engine.state)
            let state = try JSONDecoder().decode(EngineState.self, from: disk)
            #expect(state == engine.state, "seed \(seed): the state on disk differs")
            engine = Engine(EngineConfiguration(options, modes: OptionLayer.ownTracksModes), restoring: state)
            #expect(engine.state == state, "seed \(seed): the restored state differs")
        } catch {
            Issue.record("seed \(seed): \(error)")
        }
        armed = [:]
        contract.restart(with: engine.state)
        // The system clock is right in this simulation, even before a source confirms it.
        tell(.wallClock(Samples.start + (now - .boot), isTrusted: false))
        tell(.wallClock(Samples.start + (now - .boot), isTrusted: true))
        tell(.motionSensor(isThere: !generator.once(in: 3)))
        tell(.started)
    }

    private func due(through limit: Instant) -> (TimerKind, Instant)? {
        TimerKind.allCases.compactMap { kind in armed[kind].map { (kind, $0) } }
            .filter { $0.1 <= limit }.min { $0.1 < $1.1 }
    }

    private mutating func event() -> Event {
        vehicle.move(to: now)
        switch generator.next() % 48 {
        case 0: vehicle.drive(&generator)
        case 1: vehicle.stop()
        case 2: return .ignition(isOn: vehicle.isMoving)
        case 3: return .motionSensor(isThere: !generator.once(in: 3))
        case 4, 5: return .timer(generator.pick(TimerKind.allCases))
        case 6: return .command(generator.once(in: 2) ? .move : .stay)
        case 7: return .command(.locate(LocationRequest(isRemote: generator.once(in: 2))))
        case 8: return .command(generator.once(in: 2) ? .startTrip(TripReport(externalID: "x")) : .endTrip)
        case 9: return .command(.odometer(Metres(Double(generator.next() % 100_000))))
        case 10: return .command(.tag(generator.once(in: 2) ? "x" : nil))
        case 11: return .command(.tracking(isOn: !generator.once(in: 4)))
        case 12: return .wallClock(Samples.start + (now - .boot), isTrusted: generator.once(in: 2))
        case 13:
            let isSo = generator.once(in: 2)
            switch generator.next() % 3 {
            case 0: return .receiver(isThere: isSo)
            case 1: return .receiverLines(canBeSet: isSo)
            default: return .beaconScanner(isListening: isSo)
            }
        case 14: return generator.once(in: 2) ? .power(generator.pick(PowerChange.allCases)) : .supply(Volts(11))
        case 15: return .fix(Fix(mode: .noFix))
        case 16: return .fix(vehicle.report(&generator, at: now, stray: 5000))
        case 17: return .fix(vehicle.report(&generator, at: now, accuracy: 150))
        case 18: return .fix(vehicle.report(&generator, at: now, accuracy: nil, speed: nil))
        case 19: return .fix(vehicle.report(&generator, at: now - .seconds(generator.once(in: 2) ? 0 : 40)))
        case 20: return .command(.mode(generator.pick(MonitoringMode.allCases)))
        case 21...32: return .motion(MotionVerdict(isMoving: vehicle.isMoving))
        default: break
        }
        return .fix(vehicle.report(&generator, at: now))
    }
}

private struct Vehicle {
    private(set) var isMoving = false
    private var (east, north, speed, heading) = (0.0, 0.0, 0.0, (1.0, 0.0))
    private var last = Instant.boot

    mutating func drive(_ generator: inout SplitMix) {
        isMoving = true
        speed = 8 + Double(generator.next() % 25)
        heading = generator.pick([(1, 0), (0, 1), (-1, 0), (0, -1), (0.6, 0.8)])
    }

    mutating func stop() { (isMoving, speed) = (false, 0) }

    mutating func move(to now: Instant) {
        let elapsed = (now - last).inSeconds
        last = now
        east += heading.0 * speed * elapsed
        north += heading.1 * speed * elapsed
        // The vehicle turns back at the edge of its area.
        if east.magnitude > 20_000 { heading.0 = east > 0 ? -1 : 1 }
        if north.magnitude > 20_000 { heading.1 = north > 0 ? -1 : 1 }
    }

    /// Returns the report of a receiver whose error is up to two metres in each direction.
    func report(
        _ generator: inout SplitMix, at now: Instant, stray: Double = 0, accuracy: Double? = 5, speed: Double? = 0
    ) -> Fix {
        let noise = (Double(generator.next() % 400) / 100 - 2, Double(generator.next() % 400) / 100 - 2)
        var fix = Samples.fix(
            now.seconds, east: east + noise.0 + stray, north: north + noise.1, speed: speed.map { $0 + self.speed },
            accuracy: accuracy)
        fix.course = Degrees(heading.0 > 0 ? 90 : 270)
        return fix
    }
}
