import Motion
import Quantities
import Testing
import TrackingOptions

@testable import Tracking

@Suite("The place of a stop")
struct ArrivalPlaceTests {
    @Test("After a switch to quiet mode, the stop is at the trip's last fix, with an error that grows from then on.")
    func quietOnTheWay() throws {
        var world = World()
        world.park()
        world.drive(from: 100, seconds: 60)
        _ = world.tell(.command(.mode(.quiet)), at: 160)
        let stop = try stop(in: world.feel(from: 161, moving: 10, still: 200))
        #expect(try east(of: stop) == 600)
        let accuracy = try #require(stop.position?.accuracy)
        // The last fix was 11 s before the vehicle stopped. The error is at most 30 m/s times 11 s, plus the fix's own 4 m.
        #expect((Metres(100)...Metres(340)).contains(accuracy))
        #expect(world.engine.status.lastKnownLocation?.coordinate == stop.position?.coordinate)
    }

    @Test("The place of a stop is unknown if the trip had no fix, and is never the place of an earlier stop.")
    func quietAllTheWay() throws {
        var world = World { $0.monitoring = .quiet }
        world.park()
        let stop = try stop(in: world.feel(from: 100, moving: 600, still: 310))
        #expect(stop.position == nil)
        #expect(stop.time == Samples.start + .seconds(700))
        #expect(world.engine.state.logbook.parked == nil)
    }

    @Test(
        "The engine searches for the unknown place of a stop when the mode allows it; the visit begins with the rest.")
    func foundLater() throws {
        var world = World { $0.monitoring = .quiet }
        world.park()
        world.feel(from: 100, moving: 600, still: 310)
        #expect(world.tell(.command(.mode(.move)), at: 2000).contains(.receiver(isOn: true)))
        for second in 2001...2002 { _ = world.tell(.fix(Samples.fix(Double(second), east: 9000)), at: Double(second)) }
        #expect(!world.engine.isMoving)
        #expect(try east(of: world.engine.state.logbook.parked) == 9000)
        #expect(world.engine.state.logbook.parkedSince == Samples.start + .seconds(700))
    }

    @Test("After motion too short for a trip and without a fix, the parked place remains, with a larger error.")
    func slamWithoutFix() throws {
        var world = World { $0.monitoring = .quiet }
        world.park()
        let stop = try stop(in: world.feel(from: 100, moving: 2, still: 310))
        #expect(try east(of: stop) == 0)
        #expect(try #require(stop.position?.accuracy) < Metres(20))
    }

    @Test(
        "If tracking is switched off just after a mode change, the stop is at the last fix and the odometer is right.")
    func trackingStops() throws {
        var world = World()
        world.park()
        world.drive(from: 100, seconds: 60)
        _ = world.tell(.command(.mode(.significant)), at: 160)
        let stop = try stop(in: world.tell(.command(.tracking(isOn: false)), at: 161))
        #expect(try east(of: stop) == 600)
        _ = world.tell(.command(.tracking(isOn: true)), at: 200)
        let before = world.engine.odometer
        world.drive(from: 210, seconds: 10)
        #expect(world.engine.isMoving)
        #expect((world.engine.odometer - before).value < 150)
    }

    @Test("After a restart during a trip, the stop is at the trip's last fix if no fix came since.")
    func restartedOnTheWay() throws {
        var world = World()
        world.park()
        world.drive(from: 100, seconds: 60)
        world.engine = Engine(Profile.vehicle.options, restoring: world.engine.state)
        _ = world.tell(.wallClock(Samples.start + .seconds(200), isTrusted: true), at: 200)
        _ = world.tell(.started, at: 200)
        #expect(try east(of: stop(in: world.tell(.command(.stay), at: 201))) == 600)
    }

    private func stop(in effects: [Effect]) throws -> Record {
        try #require(effects.compactMap(\.record).last { $0.kind == .motionchange && !$0.isMoving })
    }

    private func east(of record: Record) throws -> Double { try east(of: record.position) }

    private func east(of position: Position?) throws -> Double {
        try #require(Samples.home).offset(to: try #require(position).coordinate).east.value.rounded()
    }
}

extension World {
    /// Drives and stops without a fix; only the accelerometer measures the motion.
    @discardableResult
    fileprivate mutating func feel(from start: Int, moving: Int, still: Int) -> [Effect] {
        var effects: [Effect] = []
        for second in start..<(start + moving + still) {
            let isMoving = second < start + moving
            effects += tell(.motion(MotionVerdict(isMoving: isMoving)), at: Double(second))
            effects += tell(.timer(.stillness), at: Double(second) + 0.9)
        }
        return effects
    }
}
