import Calendar
import Compatibility
import Motion
import Quantities
import Testing
import TrackingOptions

@testable import Tracking

@Suite("A configuration that is read again")
struct EngineReloadTests {
    /// Returns the configuration with one value in the layer of the file.
    private func file(_ key: String, _ value: OptionValue) -> EngineConfiguration {
        var setup = EngineConfiguration(options: Profile.vehicle.options)
        setup.layers.replace(
            .file, with: [OptionLayer(.file, name: "c.yaml", [OptionAssignment(key, value, source: "c.yaml:5")])])
        return setup
    }

    @Test("New options are in force at once and are recorded; the trip and the receiver continue.")
    func options() throws {
        var world = World { $0.distanceFilter = Metres(50) }
        world.park()
        world.drive(from: 100, seconds: 30)
        let effects = world.tell(.configuration(file("distanceFilter", .length(Metres(5)))), at: 131)
        #expect(
            effects.compactMap(\.record?.content) == [
                .optionschange(OptionsChange(origin: "file", keys: ["distanceFilter"]))
            ])
        #expect(!effects.contains { $0.isSwitch })
        #expect(world.engine.isMoving && world.engine.status.resolvedOptions.options.distanceFilter == Metres(5))
        // At 10 m/s, a point is due every one or two seconds. With a filter of 50 m or more, the engine would record at most
        // one point in five seconds.
        let records = world.drive(from: 132, seconds: 20).compactMap(\.record).filter { $0.kind == .location }
        #expect(records.count >= 8 && records.allSatisfy { $0.trip == 1 })
    }

    @Test("The same configuration again changes and records nothing.")
    func unchanged() {
        var world = World()
        world.park()
        world.drive(from: 100, seconds: 30)
        let effects = world.tell(.configuration(world.engine.configuration), at: 131)
        #expect(!effects.contains { $0.record != nil || $0.isSwitch })
    }

    @Test("Options of a command, the mode and power saving still override the options of the file after a reload.")
    func upperLayers() {
        var world = World()
        world.park()
        let custom = [OptionAssignment("turnFilter", .angle(Degrees(33)), source: "test")]
        _ = world.tell(.options(.custom, [OptionLayer(.custom, name: "own", custom)]), at: 10)
        _ = world.tell(.command(.mode(.significant)), at: 11)
        let saving = [OptionAssignment("heartbeatInterval", .duration(.seconds(7200)), source: "supply")]
        _ = world.tell(.options(.supply, [OptionLayer(.supply, name: "supply", saving)]), at: 12)
        _ = world.tell(.configuration(file("turnFilter", .angle(Degrees(5)))), at: 20)
        let resolved = world.engine.status.resolvedOptions
        #expect(resolved.item("heartbeatInterval")?.origin == .supply)
        #expect(world.engine.status.mode == .significant)
        #expect(world.engine.status.customOptions?.name == "own")
    }

    @Test("Removed regions end, new regions are watched, and waypoints remain.")
    func regions() throws {
        var world = World()
        var setup = world.engine.configuration
        setup.regions = [try Samples.circle("depot"), try Samples.circle("farm", east: 9000)]
        world.engine = Engine(setup)
        _ = world.tell(.wallClock(Samples.start, isTrusted: true), at: 0)
        world.park()
        #expect(world.engine.status.regionsInside.map(\.id) == ["depot"])
        setup.regions = [try Samples.circle("town", radius: 5000)]
        _ = world.tell(.configuration(setup), at: 10)
        #expect(world.engine.status.regionsInside.map(\.id) == ["town"])
        let records = world.drive(from: 100, seconds: 10).compactMap(\.record)
        #expect(!records.contains { $0.kind == .transition })
    }

    @Test("A new time zone moves the schedule at once.")
    func zone() throws {
        var world = World { $0.trackingSchedule = Crontab("* 0-5 * * *") }
        world.park()
        let before = world.engine.status.isWithinSchedule
        var setup = world.engine.configuration
        setup.zone = try #require(TimeZoneRules(posix: "EAST-12"))
        _ = world.tell(.configuration(setup), at: 10)
        #expect(world.engine.status.isWithinSchedule != before)
    }
}
