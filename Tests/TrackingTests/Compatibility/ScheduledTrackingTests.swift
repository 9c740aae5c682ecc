import Calendar
import Motion
import Quantities
import Testing
import TrackingOptions

@testable import Tracking

@Suite("Trckr's schedule")
struct ScheduledTrackingTests {
    // The drives begin on a Monday at midnight.
    private static let workingHours = Crontab("* 10-20 * * 1,2,3,4,5")

    @Test("Trckr's schedule prevents tracking outside its hours, and starts tracking when they begin.")
    func closed() {
        var world = World { $0.trackingSchedule = Self.workingHours }
        world.park()
        let effects = world.drive(from: 100, seconds: 60)
        #expect(!world.engine.isMoving && !effects.contains(.receiver(isOn: true)))
        #expect(!world.engine.status.isWithinSchedule)
        let opened = world.tell(.timer(.schedule), at: 36_000)
        #expect(world.engine.status.isWithinSchedule)
        #expect(opened.contains(.receiver(isOn: true)))
    }

    @Test("If tracking is allowed outside Trckr's schedule, records outside have a tag, and records inside have none.")
    func tagged() {
        var world = World {
            $0.trackingSchedule = Self.workingHours
            $0.trackOutsideSchedule = true
            $0.tagForOffScheduleTracking = "private"
        }
        world.park()
        let outside = world.drive(from: 100, seconds: 60).compactMap(\.record)
        #expect(outside.contains { $0.kind == .location } && outside.contains { $0.kind == .trip })
        #expect(outside.allSatisfy { $0.tag == "private" })
        _ = world.tell(.timer(.schedule), at: 36_000)
        let inside = world.tell(.command(.stay), at: 36_001).compactMap(\.record)
        #expect(!inside.isEmpty && inside.allSatisfy { $0.tag == nil })
    }

    @Test("Outside Trckr's schedule a trip ends if tracking is forbidden, and may begin if tracking is allowed.")
    func forbidden() {
        var world = World {
            $0.trackingSchedule = Self.workingHours
            $0.trackOutsideSchedule = true
        }
        world.park()
        world.drive(from: 100, seconds: 60)
        #expect(world.engine.isMoving)
        let forbidden = world.tell(.options(.custom, [Self.outside(false)]), at: 160)
        #expect(!world.engine.isMoving && forbidden.contains { $0.record?.kind == .motionchange })
        #expect(forbidden.last { $0.isSwitch } == .receiver(isOn: false))
        let allowed = world.tell(.options(.custom, [Self.outside(true)]), at: 200)
        #expect(allowed.contains(.receiver(isOn: true)))
    }

    private static func outside(_ isTracked: Bool) -> OptionLayer {
        OptionLayer(
            .custom, name: "test", [OptionAssignment("trackOutsideSchedule", .flag(isTracked), source: "test")])
    }

    @Test("Trckr's schedule is always open without restrictions.")
    func none() {
        var world = World()
        world.park()
        world.drive(from: 100, seconds: 10)
        #expect(world.engine.status.isWithinSchedule && world.engine.isMoving)
    }
}
