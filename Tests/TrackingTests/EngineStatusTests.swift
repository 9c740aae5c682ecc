import Calendar
import Compatibility
import Quantities
import Testing
import TrackingOptions

@testable import Tracking

@Suite("The status of the engine")
struct EngineStatusTests {
    @Test("The status states why tracking is off: by command, or by the schedule.")
    func suspension() {
        var world = World()
        world.park()
        #expect(world.engine.status.suspension == nil)
        _ = world.tell(.command(.tracking(isOn: false)), at: 100)
        #expect(world.engine.status.suspension == .switchedOff)
        _ = world.tell(.command(.tracking(isOn: true)), at: 110)
        #expect(world.engine.status.suspension == nil)
        world = World {
            $0.startTime = TimeOfDay(hour: 8, minute: 0) ?? .startOfDay
            $0.endTime = TimeOfDay(hour: 18, minute: 0) ?? .endOfDay
        }
        world.park()
        #expect(world.engine.status.suspension == .schedule)
        #expect(!world.engine.status.isWithinSchedule)
    }

    @Test("The status states the next change of the schedule, if one is due.")
    func nextChange() {
        var world = World()
        world.park()
        #expect(world.engine.status.nextScheduleChange(at: .at(10)) == nil)
        world = World { $0.startTime = TimeOfDay(hour: 8, minute: 0) ?? .startOfDay }
        #expect(world.engine.status.nextScheduleChange(at: .at(10)) == Samples.start + .seconds(8 * 3600))
    }

    @Test("A clock step that leaves the schedule open arms the timer for the schedule's next change again.")
    func clockStep() {
        var world = World { $0.startTime = TimeOfDay(hour: 8, minute: 0) ?? .startOfDay }
        _ = world.tell(.wallClock(Samples.start + .seconds(9 * 3600), isTrusted: true), at: 10)
        let effects = world.tell(.wallClock(Samples.start + .seconds(23 * 3600), isTrusted: true), at: 20)
        #expect(
            !effects.contains { if case .decided(let decision) = $0 { decision.subject == .schedule } else { false } })
        #expect(effects.contains(.arm(.schedule, at: .at(20 + 3600))))
    }

    @Test("The status omits the schedule while the time is unknown.")
    func untrustedClock() {
        var options = Profile.vehicle.options
        options.startTime = TimeOfDay(hour: 8, minute: 0) ?? .startOfDay
        let engine = Engine(options)
        #expect(engine.status.nextScheduleChange(at: .at(10)) == nil)
        #expect(engine.status.isWithinSchedule)
    }

    @Test("The status contains the last known place unless trackLastKnownLocation is off.", arguments: [true, false])
    func place(isKept: Bool) {
        var world = World { $0.trackLastKnownLocation = isKept }
        world.park()
        #expect(world.engine.status.lastKnownLocation?.coordinate == (isKept ? Samples.home : nil))
    }

    @Test("The status states the time since which the receiver has been on.")
    func receiver() {
        var world = World()
        world.park()
        #expect(world.engine.status.receiverOnSince == nil)
        _ = world.tell(.command(.move), at: 100)
        #expect(world.engine.status.receiverOnSince == .at(100))
    }

    @Test("The status contains the options of the command to track as long as they are in force.")
    func custom() {
        var world = World()
        world.park()
        let reading = OptionReader.read([.init("distanceFilter", line: nil, .text("33"))], path: "") { _ in "own" }
        _ = world.tell(.options(.custom, [.custom(reading, name: "own.yaml")]), at: 100)
        #expect(world.engine.status.customOptions?.name == "own.yaml")
        #expect(world.engine.status.resolvedOptions.options.distanceFilter == Metres(33))
        #expect(world.engine.status.resolvedOptions.options.turnFilter == Profile.vehicle.options.turnFilter)
        _ = world.tell(.options(.custom, []), at: 110)
        #expect(world.engine.status.customOptions == nil)
        #expect(world.engine.status.resolvedOptions.options.distanceFilter != Metres(33))
    }

    @Test("After a waypoint is removed, the status contains the remaining waypoints.")
    func waypoints() {
        var world = World()
        world.park()
        for (index, name) in ["Depot", "Yard"].enumerated() {
            let waypoint = Waypoint(
                text: name, coordinate: Samples.home, radius: Metres(100),
                defined: Samples.start + .seconds(index))
            _ = world.tell(.command(.waypoint(waypoint)), at: 100)
        }
        _ = world.tell(.command(.forgetWaypoint(String(Samples.start.seconds))), at: 110)
        #expect(world.engine.state.regions.waypoints.map(\.text) == ["Yard"])
        #expect(world.engine.status.watchedRegions.map(\.name.name) == ["Yard"])
    }
}

@Suite("A request under options that were set while the program runs")
struct RequestOptionTests {
    @Test("A request for a location waits as long as options set at run time allow, and is answered then.")
    func patience() throws {
        var world = World()
        world.park()
        let reading = OptionReader.read([.init("fixTimeout", line: nil, .text("10s"))], path: "") { _ in "own" }
        _ = world.tell(.options(.custom, [.custom(reading, name: "own.yaml")]), at: 100)
        let asked = world.tell(.command(.locate(LocationRequest())), at: 200)
        #expect(asked.contains(.arm(.request, at: .at(210))))
        let answers = world.tell(.timer(.request), at: 210).compactMap(\.record)
        #expect(answers.map(\.kind) == [.request])
    }
}
