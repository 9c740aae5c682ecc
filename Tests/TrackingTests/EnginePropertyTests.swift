import Motion
import Quantities
import TestSupport
import Testing
import TrackingOptions

@testable import Tracking

@Suite("Properties of the engine under random events")
struct EnginePropertyTests {
    @Test("The engine never enters the state that it is in, and states a reason for each change.", arguments: 0..<50)
    func transitions(seed: Int) {
        var last: Bool?
        play(seed: UInt64(seed)) { effects, _ in
            for case .state(let isMoving) in effects {
                #expect(isMoving != last, "seed \(seed)")
                last = isMoving
                let hasReason = effects.contains {
                    if case .decided(let decision) = $0 {
                        decision.subject == (isMoving ? .start : .stop)
                    } else {
                        false
                    }
                }
                #expect(hasReason, "seed \(seed)")
            }
        }
    }

    @Test("The engine switches the receiver off after a drive only when the stop has been recorded.", arguments: 0..<50)
    func persistFirst(seed: Int) {
        var wasMoving = false
        play(seed: UInt64(seed)) { effects, _ in
            if wasMoving, let off = effects.firstIndex(of: .receiver(isOn: false)) {
                let stop = effects.firstIndex { $0.record.map { $0.kind == .motionchange && !$0.isMoving } ?? false }
                #expect(stop.map { $0 < off } ?? false, "seed \(seed)")
            }
            for case .state(let isMoving) in effects { wasMoving = isMoving }
        }
    }

    @Test(
        "A trip records only places that the vehicle had during the trip, and none in the future.",
        arguments: 0..<50)
    func ownFixes(seed: Int) {
        var generator = SplitMix(seed: UInt64(seed))
        var engine = Engine(Profile.vehicle.options)
        var seen: Set<Timestamp> = []
        for step in 0..<600 {
            let event = generator.event(step)
            var present: Set<Timestamp> = []
            if case .fix(let fix) = event, let time = fix.time { present = [time] }
            seen.formUnion(present)
            let effects = engine.handle(event, at: .at(Double(step) * 3))
            for case .record(let record) in effects where record.kind == .location {
                #expect(seen.contains(record.time), "seed \(seed)")
            }
            // The fix that showed the departure belongs to the new trip.
            if effects.contains(.state(isMoving: true)) { seen = present }
        }
    }

    @Test("The odometer never decreases, and trips are numbered without a gap.", arguments: 0..<50)
    func counters(seed: Int) {
        var odometer = Metres.zero
        var trips = 0
        play(seed: UInt64(seed)) { effects, state in
            #expect(state.logbook.odometer.distance >= odometer, "seed \(seed)")
            odometer = state.logbook.odometer.distance
            let departures = effects.count { $0 == .state(isMoving: true) }
            #expect(state.logbook.trips.count == trips + departures, "seed \(seed)")
            trips = state.logbook.trips.count
        }
    }

    @Test(
        "An engine that is restored from its state at any moment has neither lost nor invented a trip.",
        arguments: 0..<20)
    func restored(seed: Int) {
        var generator = SplitMix(seed: UInt64(seed))
        var engine = Engine(Profile.vehicle.options)
        var departures = 0
        for step in 0..<400 {
            let now = Instant.at(Double(step) * 3)
            let before = engine.state
            if generator.next() % 10 == 0 {
                engine = Engine(Profile.vehicle.options, restoring: before)
                departures += engine.handle(.started, at: now).count { $0 == .state(isMoving: true) }
                #expect(
                    engine.isMoving == before.isMoving
                        && engine.state.logbook.trips.count == before.logbook.trips.count,
                    "seed \(seed)")
            }
            departures += engine.handle(generator.event(step), at: now).count { $0 == .state(isMoving: true) }
        }
        #expect(engine.state.logbook.trips.count == departures, "seed \(seed)")
    }

    private func play(seed: UInt64, _ check: ([Effect], EngineState) -> Void) {
        var generator = SplitMix(seed: seed)
        var engine = Engine(Profile.vehicle.options)
        check(engine.handle(.started, at: .boot), engine.state)
        for step in 0..<600 {
            let effects = engine.handle(generator.event(step), at: .at(Double(step) * 3))
            check(effects, engine.state)
        }
    }
}

extension SplitMix {
    mutating func event(_ step: Int) -> Event {
        let seconds = Double(step) * 3
        switch next() % 12 {
        case 0: return .motion(MotionVerdict(isMoving: next() % 2 == 0))
        case 1: return .motionSensor(isThere: next() % 2 == 0)
        case 2: return .ignition(isOn: next() % 2 == 0)
        case 3: return .timer(TimerKind.allCases[Int(next() % UInt64(TimerKind.allCases.count))])
        case 4: return .command(next() % 2 == 0 ? .move : .stay)
        case 5: return .receiver(isThere: next() % 2 == 0)
        case 6: return .fix(Fix(mode: .noFix))
        case 7:
            return .fix(Samples.fix(seconds, east: Double(next() % 4000), speed: nil, accuracy: Double(next() % 400)))
        case 8: return .wallClock(Samples.start + Duration(inSeconds: seconds), isTrusted: next() % 2 == 0)
        default:
            return .fix(Samples.fix(seconds, east: Double(next() % 400), speed: Double(next() % 30)))
        }
    }
}
