import Motion
import Quantities
import Testing
import TrackingOptions

@testable import Tracking

@Suite("An order")
struct EngineCommandTests {
    @Test("to switch tracking off parks the vehicle, rests the receiver, and stays deaf until it is taken back")
    func tracking() {
        var world = World { $0.heartbeatInterval = .seconds(60) }
        world.park()
        world.drive(from: 100, seconds: 20)
        let off = world.tell(.command(.tracking(isOn: false)), at: 130)
        #expect(off.compactMap(\.record).contains { $0.kind == .motionchange && !$0.isMoving })
        #expect(off.last { $0.isSwitch } == .receiver(isOn: false))
        let again = world.tell(.command(.tracking(isOn: false)), at: 131)
        #expect(!again.contains { $0.record != nil || $0.isSwitch })
        for event: Event in [
            .motion(MotionVerdict(isMoving: true)), .ignition(isOn: true), .timer(.check), .timer(.update),
            .timer(.heartbeat), .timer(.acquire), .command(.move), .fix(Samples.fix(140, east: 900, speed: 20)),
        ] { #expect(world.tell(event, at: 140).compactMap(\.record).isEmpty) }
        #expect(!world.engine.isMoving)
        #expect(world.tell(.command(.tracking(isOn: true)), at: 200).contains(.receiver(isOn: true)))
        #expect(world.tell(.command(.move), at: 210).contains(.state(isMoving: true)))
    }

    @Test("to switch tracking off is remembered through a restart")
    func trackingRestart() {
        var world = World()
        world.park()
        _ = world.tell(.command(.tracking(isOn: false)), at: 50)
        world.engine = Engine(Profile.vehicle.options, restoring: world.engine.state)
        #expect(!world.tell(.started, at: 100).contains(.receiver(isOn: true)))
        #expect(world.tell(.command(.tracking(isOn: true)), at: 110).contains(.receiver(isOn: true)))
    }

    @Test("to track again begins with a look, also when another look was cut short")
    func lookCutShort() {
        var world = World()
        _ = world.tell(.motionSensor(isThere: false), at: 0)
        #expect(world.tell(.started, at: 0).contains(.receiver(isOn: true)))
        #expect(world.tell(.command(.tracking(isOn: false)), at: 10).contains(.receiver(isOn: false)))
        let on = world.tell(.command(.tracking(isOn: true)), at: 20)
        #expect(on.contains(.receiver(isOn: true)) && on.contains(.arm(.fixTimeout, at: .at(140))))
    }

    @Test("to locate keeps the receiver on for the second who asks when the first has waited in vain")
    func secondLocate() {
        var world = World()
        world.park()
        let asked = world.tell(.command(.locate(LocationRequest())), at: 100)
        #expect(asked.contains(.receiver(isOn: true)) && asked.last == .arm(.request, at: .at(220)))
        #expect(world.tell(.command(.locate(LocationRequest())), at: 190).isEmpty)
        let first = world.tell(.timer(.request), at: 220)
        #expect(first.compactMap(\.record).count == 1)
        #expect(first.last == .arm(.request, at: .at(310)) && !first.contains { $0.isSwitch })
        let second = world.tell(.timer(.request), at: 310)
        #expect(second.compactMap(\.record).count == 1)
        #expect(second.contains(.cancel(.request)) && second.contains(.receiver(isOn: false)))
    }

    @Test("to tag marks what is recorded from then on, and survives a restart")
    func tag() {
        var world = World()
        world.park()
        _ = world.tell(.command(.tag("night")), at: 50)
        #expect(world.tell(.command(.move), at: 60).compactMap(\.record).allSatisfy { $0.tag == "night" })
        world.engine = Engine(Profile.vehicle.options, restoring: world.engine.state)
        #expect(world.tell(.command(.stay), at: 70).compactMap(\.record).map(\.tag).first == "night")
        _ = world.tell(.command(.tag(nil)), at: 80)
        #expect(world.tell(.command(.move), at: 90).compactMap(\.record).allSatisfy { $0.tag == nil })
    }

    @Test("to set the odometer does, and the way goes on from there; the trip is as long as it was")
    func odometer() throws {
        var world = World()
        world.park()
        world.drive(from: 100, seconds: 30)
        _ = world.tell(.command(.odometer(Metres(120_000))), at: 130)
        #expect(world.engine.odometer == Metres(120_000))
        world.drive(from: 130, seconds: 30)
        #expect((world.engine.odometer.value - 120_300).magnitude < 1)
        let records = world.tell(.command(.stay), at: 170).compactMap(\.record)
        guard case .trip(let report) = try #require(records.last).content else {
            Issue.record("no trip")
            return
        }
        #expect((try #require(report.summary).distance.value - 600).magnitude < 1)
    }

    @Test("to move or to stay is obeyed once, and says why")
    func moveAndStay() {
        var world = World()
        world.park()
        #expect(world.tell(.command(.stay), at: 50).isEmpty)
        let effects = world.tell(.command(.move), at: 60)
        #expect(effects.contains(.decided(Decision(.start, "it was told to"))))
        #expect(world.tell(.command(.move), at: 61).isEmpty)
        #expect(world.tell(.command(.stay), at: 70).contains(.decided(Decision(.stop, "it was told to"))))
    }
}
