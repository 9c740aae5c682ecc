import Compatibility
import Quantities
import Testing
import TrackingOptions

@testable import Tracking

@Suite("Options that change while the engine runs")
struct EngineOptionTests {
    @Test("At its start the engine sends the queue its rules, including those from before a restart.")
    func start() {
        var world = World { ($0.desiredSyncInterval, $0.replay) = (.seconds(3600), .all) }
        #expect(world.tell(.started, at: 0).rules == [rules(sync: 3600)])
        _ = world.tell(.options(.custom, [layer(["desiredSyncInterval": .seconds(0)])]), at: 1)
        let state = world.engine.state
        world.engine = Engine(World().engine.configuration, restoring: state)
        #expect(world.tell(.started, at: 2).rules.map(\.syncInterval) == [.zero])
    }

    private static let changes: [(String, OptionValue)] = [
        ("desiredSyncInterval", .seconds(77)), ("replay", .choice(ReplayRule.none)), ("maxDaysToPersist", .count(3)),
        ("maxRecordsToPersist", .count(500)),
    ]

    @Test("A changed queue rule applies before the record about the change is written.", arguments: changes)
    func change(key: String, value: OptionValue) throws {
        var world = World()
        _ = world.tell(.started, at: 0)
        let effects = world.tell(
            .options(.custom, [OptionLayer(.custom, name: "night", [.init(key, value, source: "")])]), at: 1)
        let rules = try #require(effects.firstIndex { if case .queueRules = $0 { true } else { false } })
        let record = try #require(effects.firstIndex { $0.record != nil })
        #expect(rules < record)
        #expect(effects.rules == [QueueRules(world.engine.status.resolvedOptions.options)])
        #expect(world.tell(.options(.custom, []), at: 2).rules == [QueueRules(Profile.vehicle.options)])
        #expect(world.tell(.options(.remote, [layer(["distanceFilter": .metres(77)])]), at: 3).rules.isEmpty)
    }

    @Test("The queue rules of options for a trip apply during a trip that was declared, and not after it.")
    func trip() {
        var world = World()
        let onTrip = OptionLayer(
            .remote, name: "server", onTrip: true, [.init("desiredSyncInterval", .seconds(0), source: "")])
        _ = world.tell(.options(.remote, [onTrip]), at: 0)
        world.park()
        #expect(world.drive(from: 100, seconds: 60).rules.isEmpty)
        #expect(world.tell(.command(.startTrip(TripReport())), at: 160).rules.map(\.syncInterval) == [.zero])
        #expect(world.stand(from: 161, seconds: 300).rules.isEmpty)
        #expect(world.tell(.command(.endTrip), at: 500).rules.map(\.syncInterval) == [.seconds(20)])
    }

    @Test("A new beaconExitDelay applies at once to a beacon that is silent already.", arguments: [60.0, 300])
    func exitDelay(delay: Double) throws {
        var world = World()
        var setup = EngineConfiguration(layers: OptionLayers([.profile(.vehicle)]))
        setup.regions = [try Samples.region("van", .beacon(Samples.beacon()))]
        world.engine = Engine(setup)
        _ = world.tell(.options(.custom, [layer(["beaconExitDelay": .seconds(120)])]), at: 0)
        world.park()
        _ = world.tell(.beacon(Samples.sighting()), at: 10)
        let value = OptionValue.duration(Duration(inSeconds: delay))
        let effects = world.tell(.options(.custom, [layer(["beaconExitDelay": value])]), at: 20)
        #expect(effects.contains(.arm(.beacons, at: .at(10 + delay))))
        #expect(!world.tell(.timer(.beacons), at: 9.9 + delay).isExit)
        #expect(world.tell(.timer(.beacons), at: 10 + delay).isExit)
    }

    private func layer(_ values: KeyValuePairs<String, OptionValue>) -> OptionLayer {
        OptionLayer(.custom, name: "test", .from("test", values))
    }

    private func rules(sync: Int) -> QueueRules {
        var options = TrackingOptions()
        options.desiredSyncInterval = .seconds(sync)
        return QueueRules(options)
    }
}

extension [Effect] {
    fileprivate var rules: [QueueRules] {
        compactMap { if case .queueRules(let rules) = $0 { rules } else { nil } }
    }

    fileprivate var isExit: Bool {
        compactMap(\.record).contains {
            if case .transition(let transition) = $0.content { transition.direction == .leave } else { false }
        }
    }
}
