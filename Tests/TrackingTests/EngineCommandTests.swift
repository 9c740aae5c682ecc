import Motion
import Quantities
import Testing
import TrackingOptions

@testable import Tracking

@Suite("Commands to the engine")
struct EngineCommandTests {
    @Test("While tracking is off, the vehicle is parked, the receiver is off, and the engine ignores events.")
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

    @Test("Tracking that was switched off remains off after a restart.")
    func trackingRestart() {
        var world = World()
        world.park()
        _ = world.tell(.command(.tracking(isOn: false)), at: 50)
        world.engine = Engine(Profile.vehicle.options, restoring: world.engine.state)
        #expect(!world.tell(.started, at: 100).contains(.receiver(isOn: true)))
        #expect(world.tell(.command(.tracking(isOn: true)), at: 110).contains(.receiver(isOn: true)))
    }

    @Test("Switching tracking on begins with a position check, also if an earlier check was interrupted.")
    func lookCutShort() {
        var world = World()
        _ = world.tell(.motionSensor(isThere: false), at: 0)
        #expect(world.tell(.started, at: 0).contains(.receiver(isOn: true)))
        #expect(world.tell(.command(.tracking(isOn: false)), at: 10).contains(.receiver(isOn: false)))
        let on = world.tell(.command(.tracking(isOn: true)), at: 20)
        #expect(on.contains(.receiver(isOn: true)) && on.contains(.arm(.fixTimeout, at: .at(140))))
    }

    @Test("A second request for a location keeps the receiver on after the first has timed out.")
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

    @Test("A tag marks the records that follow, and survives a restart.")
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

    @Test("Setting the odometer changes neither later distances nor the length of the trip.")
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
            Issue.record("There is no trip.")
            return
        }
        #expect((try #require(report.summary).distance.value - 600).magnitude < 1)
    }

    @Test("A command to move or to park is obeyed once, with the command as the reason.")
    func moveAndStay() {
        var world = World()
        world.park()
        #expect(world.tell(.command(.stay), at: 50).isEmpty)
        let effects = world.tell(.command(.move), at: 60)
        #expect(effects.contains(.decided(Decision(.start, "by command"))))
        #expect(world.tell(.command(.move), at: 61).isEmpty)
        #expect(world.tell(.command(.stay), at: 70).contains(.decided(Decision(.stop, "by command"))))
    }
}
