import Compatibility
import Quantities
import Testing
import TrackingOptions

@testable import Tracking

@Suite("A switch of the mode")
struct ModeSwitchTests {
    private static let written: [OptionAssignment] = .from("config.yaml:4", ["distanceFilter": .metres(600)])

    private func engine(
        _ profile: Profile = .vehicle, _ written: [OptionAssignment] = Self.written,
        restoring state: EngineState = EngineState()
    ) -> Engine {
        let layers = OptionLayers([.profile(profile), OptionLayer(.file, name: "config.yaml", written)])
        return Engine(EngineConfiguration(layers: layers, modes: layers.ownTracksModes), restoring: state)
    }

    private func options(_ engine: Engine) -> TrackingOptions { engine.status.resolvedOptions.options }

    @Test("Options in addition to the profile remain in force in each mode.", arguments: MonitoringMode.allCases)
    func beside(mode: MonitoringMode) {
        var engine = engine()
        _ = engine.handle(.command(.mode(mode)), at: .boot)
        #expect(engine.status.mode == mode && options(engine).distanceFilter == Metres(600))
        #expect(options(engine).turnFilter == (mode == .move ? Degrees(90) : Degrees(0)))
    }

    @Test(
        "Switching back to the configured mode restores exactly the configured options.",
        arguments: [MonitoringMode?.some(.move), nil])
    func back(mode: MonitoringMode?) {
        var engine = engine()
        let before = engine.status.resolvedOptions
        for other in [MonitoringMode.manual, .significant] { _ = engine.handle(.command(.mode(other)), at: .boot) }
        #expect(engine.status.resolvedOptions != before)
        _ = engine.handle(.command(.mode(mode)), at: .boot)
        #expect(engine.status.resolvedOptions == before)
        #expect(self.engine(restoring: engine.state).status.resolvedOptions == before)
    }

    @Test("A switch to the configured mode changes nothing.")
    func configured() {
        var engine = engine()
        let effects = engine.handle(.command(.mode(.move)), at: .boot)
        #expect(effects.compactMap(\.record).isEmpty)
        #expect(options(engine).turnFilter == Profile.vehicle.options.turnFilter)
    }

    @Test("After a restart, a mode that was set applies to the options that the file then contains.")
    func restart() {
        var former = engine()
        _ = former.handle(.command(.mode(.significant)), at: .boot)
        let edited: [OptionAssignment] = .from("config.yaml:4", ["distanceFilter": .metres(1000)])
        let engine = engine(.vehicle, edited, restoring: former.state)
        #expect(engine.status.mode == .significant)
        #expect(options(engine).distanceFilter == Metres(1000) && options(engine).useSignificantLocationChanges)
        // Only the name of the mode is stored.
        #expect(former.state.options.layers.layers.map(\.assignments.count) == [1])
    }

    @Test("If the file contains the mode that was set, the mode no longer counts as a switch after a restart.")
    func adopted() throws {
        var former = engine()
        _ = former.handle(.command(.mode(.significant)), at: .boot)
        let profile = try #require(Profile.named("significant"))
        var engine = engine(profile, [], restoring: former.state)
        _ = engine.handle(.command(.mode(nil)), at: .boot)
        #expect(engine.status.mode == .significant && engine.state.options.layers.layers.isEmpty)
    }

    @Test(
        "OwnTracks' modes on Android have the rules of OwnTracks for Android.",
        arguments: [(MonitoringMode.significant, 900), (.move, 10), (.manual, 0)])
    func android(mode: MonitoringMode, interval: Int) throws {
        let profile = try #require(Profile.named(mode == .move ? "significant-android" : "move-android"))
        var engine = engine(profile, [])
        _ = engine.handle(.command(.mode(mode)), at: .boot)
        #expect(options(engine).desiredMovingUpdateInterval == .seconds(interval))
    }

    @Test("A trip that began in quiet or manual mode stays on the device, also if it ends in another mode.")
    func privateStart() {
        for (first, isKept) in [(MonitoringMode.quiet, true), (.manual, true), (.significant, false)] {
            var world = World { $0.monitoring = first }
            world.park()
            var effects = world.drive(from: 100, seconds: 60)
            effects += world.tell(.command(.mode(.move)), at: 160)
            effects += world.drive(from: 161, seconds: 60) + world.stand(from: 221, seconds: 400)
            let records = effects.compactMap(\.record)
            let trips = records.filter { $0.kind == .trip && $0.isStop }
            #expect(trips.map { $0.isWithheld == true } == [isKept], "\(first)")
            let stops = records.filter { $0.kind == .motionchange && $0.isStop }
            #expect(stops.map(\.isWithheld) == [nil], "\(first)")
        }
    }

    @Test(
        "In OwnTracks' significant mode, a ping reports a parked vehicle every 15 minutes, without the receiver.")
    func ping() throws {
        var world = World()
        world.park()
        #expect(world.tell(.command(.mode(.significant)), at: 10).contains(.arm(.heartbeat, at: .at(910))))
        let effects = world.tell(.timer(.heartbeat), at: 910)
        #expect(effects.compactMap(\.record).map(\.kind) == [.ping])
        #expect(effects.compactMap(\.record).allSatisfy { $0.isWithheld == nil && $0.mode == .significant })
        #expect(!effects.contains(.receiver(isOn: true)))
    }
}
