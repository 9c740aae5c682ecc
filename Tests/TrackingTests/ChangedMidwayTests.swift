import Calendar
import Compatibility
import Motion
import Quantities
import Testing
import TrackingOptions

@testable import Tracking

@Suite("Changes of options and state during a process")
struct ChangedMidwayTests {
    @Test("After a change of options, a false start is still taken back.")
    func doubtfulStart() {
        var world = World()
        world.park()
        _ = world.tell(.motion(MotionVerdict(isMoving: true)), at: 100)
        _ = world.tell(.fix(Samples.fix(101)), at: 101)
        let changed = world.tell(Self.custom("heartbeatInterval", .duration(.seconds(60))), at: 110)
        #expect(!changed.contains { $0.record?.kind == .trip })
        #expect(world.tell(.timer(.falseStart), at: 170).contains(.state(isMoving: false)))
    }

    @Test("While tracking is off, neither a fix nor a timer causes a record about a region.")
    func suspendedRegions() throws {
        var world = World()
        var setup = EngineConfiguration(options: Profile.vehicle.options)
        setup.regions = [try Samples.circle("depot")]
        world.engine = Engine(setup)
        _ = world.tell(.wallClock(Samples.start, isTrusted: true), at: 0)
        _ = world.tell(.command(.tracking(isOn: false)), at: 1)
        _ = world.tell(.command(.locate(LocationRequest(isRemote: false))), at: 10)
        let kinds = (11...20).flatMap { second in
            world.tell(.fix(Samples.fix(Double(second))), at: Double(second)).compactMap(\.record).map(\.kind)
        }
        #expect(kinds == [.request])
        #expect(world.tell(.timer(.regions), at: 4000).isEmpty)
    }

    @Test(
        "If an option changes whether tracking is allowed outside the schedule, the decision log names that option.")
    func texts() {
        var world = World {
            $0.trackingSchedule = Crontab("* 10-20 * * *")
            $0.trackOutsideSchedule = true
        }
        world.park()
        for isAllowed in [false, true] {
            let effects = world.tell(Self.custom("trackOutsideSchedule", .flag(isAllowed)), at: 50)
            let text = "tracking outside the schedule is \(isAllowed ? "allowed" : "no longer allowed")"
            #expect(effects.contains(.decided(Decision(.schedule, text))))
        }
    }

    @Test("A time correction changes the trip's end that this run estimated, not the start from an earlier run.")
    func earlierRun() throws {
        var first = World { $0.tripGap = .seconds(600) }
        first.engine = Engine(first.engine.configuration)
        _ = first.tell(.wallClock(Samples.start, isTrusted: false), at: 0)
        _ = first.tell(.command(.startTrip(TripReport(externalID: "U"))), at: 20)
        var second = World()
        second.engine = Engine(first.engine.configuration, restoring: first.engine.state)
        _ = second.tell(.wallClock(Samples.start + .seconds(30), isTrusted: false), at: 0)
        _ = second.tell(.command(.stay), at: 5)
        _ = second.tell(.wallClock(Samples.start + .seconds(86_400), isTrusted: true), at: 6)
        let ended = try #require(second.tell(.command(.endTrip), at: 10).compactMap(\.record).first)
        guard case .trip(let report) = ended.content else { return #expect(Bool(false), "no trip") }
        #expect(report.summary?.started == Samples.start + .seconds(20))
    }

    private static func custom(_ key: String, _ value: OptionValue) -> Event {
        .options(.custom, [OptionLayer(.custom, name: "test", [OptionAssignment(key, value, source: "test")])])
    }
}
