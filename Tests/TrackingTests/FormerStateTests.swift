import Quantities
import Testing
import TrackingOptions

@testable import Tracking

@Suite("A stored state that is found after the start")
struct FormerStateTests {
    private func former() -> EngineState {
        var engine = Engine(TrackingOptions())
        _ = engine.handle(.started, at: .boot)
        _ = engine.handle(.command(.odometer(Metres(1_000_000))), at: .boot)
        _ = engine.handle(.command(.mode(.manual)), at: .boot)
        _ = engine.handle(.command(.tag("van")), at: .boot)
        return engine.state
    }

    /// Returns an engine that began without the stored state.
    private func live() -> Engine {
        var engine = Engine(TrackingOptions())
        _ = engine.handle(.started, at: Instant(seconds: 1))
        return engine
    }

    @Test("The engine continues with the odometer, mode and tag of a stored state that is found late.")
    func resumed() {
        var engine = live()
        #expect(engine.canResume)
        _ = engine.handle(.resumed(former()), at: Instant(seconds: 9))
        #expect(engine.odometer == Metres(1_000_000))
        #expect(engine.state.logbook.tag == "van")
        #expect(engine.state.options.layers.resolve(isOnTrip: false).options.monitoring == .manual)
    }

    @Test("A stored state that is found late does not undo settings made in the meantime.")
    func setMeanwhile() {
        var engine = live()
        _ = engine.handle(.command(.odometer(Metres(50_000))), at: Instant(seconds: 2))
        _ = engine.handle(.command(.mode(.quiet)), at: Instant(seconds: 3))
        _ = engine.handle(.resumed(former()), at: Instant(seconds: 9))
        #expect(engine.odometer == Metres(50_000))
        #expect(engine.state.options.layers.resolve(isOnTrip: false).options.monitoring == .quiet)
    }

    @Test("If tracking was switched off after the start, the trip of a stored state that is found late ends.")
    func switchedOff() {
        var earlier = World()
        earlier.park()
        earlier.drive(from: 10, seconds: 60)
        #expect(earlier.engine.isMoving)
        var engine = live()
        _ = engine.handle(.command(.tracking(isOn: false)), at: Instant(seconds: 2))
        let effects = engine.handle(.resumed(earlier.engine.state), at: Instant(seconds: 9))
        #expect(!engine.isMoving)
        #expect(engine.status.suspension == .switchedOff)
        let kinds = effects.compactMap { if case .record(let record) = $0 { record.kind } else { nil } }
        #expect(kinds.contains(.motionchange) && kinds.contains(.trip))
        #expect(effects.contains(.state(isMoving: false)))
    }

    @Test("If the engine continues from a stored state, its timers count from that moment.")
    func timers() {
        var engine = live()
        let effects = engine.handle(.resumed(former()), at: Instant(seconds: 900))
        #expect(effects.contains(.arm(.fixTimeout, at: Instant(seconds: 900) + .seconds(120))))
        #expect(engine.status.receiverOnSince == Instant(seconds: 900))
    }

    @Test("A stored state that is found late adds its distance and trips to those made in the meantime.")
    func records() {
        var state = former()
        state.logbook.tag = nil
        let record = Record(
            .location, time: Timestamp(milliseconds: 0), isTimeTrusted: true, position: nil, isMoving: true,
            odometer: Metres(12), trip: 1)
        let continued = record.continued(from: state)
        #expect(continued.odometer == Metres(1_000_012))
        #expect(continued.trip == 1)
    }

    @Test("A trip made before the stored state was found gets the number after the trips of that state.")
    func trips() {
        var state = former()
        state.logbook.trips.countOn(by: 7)
        let record = Record(
            .trip(TripReport(number: 2)), time: Timestamp(milliseconds: 0), isTimeTrusted: true, position: nil,
            isMoving: true, odometer: .zero, trip: 2)
        let continued = record.continued(from: state)
        #expect(continued.trip == 9)
        #expect(continued.content == .trip(TripReport(number: 9)))
    }
}
