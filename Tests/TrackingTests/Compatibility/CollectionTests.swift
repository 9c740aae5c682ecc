import Calendar
import Compatibility
import Quantities
import Testing
import TrackingOptions

@testable import Tracking

@Suite("GeoManager's collection")
struct CollectionTests {
    private static let custom = entries([
        "distanceInterval": "400", "timeInterval": "300", "accuracy": ".hundredMeters", "startTime": "08:00",
        "endTime": "20:00",
    ])

    @Test("GeoManager's collection started without a configuration has the defaults.")
    mutating func defaults() {
        var engine = Engine(Profile.vehicle.options)
        start(&engine, [])
        #expect(engine.status.resolvedOptions.options.desiredAccuracy == .best)
        #expect(engine.status.resolvedOptions.options.desiredMovingUpdateInterval == .seconds(300))
        #expect(engine.status.resolvedOptions.options.distanceFilter == Metres(300))
        #expect(engine.status.resolvedOptions.options.updateRule == .any)
        #expect(engine.status.resolvedOptions.options.startTime.minutes == 0)
        #expect(engine.status.resolvedOptions.options.endTime == .endOfDay)
        #expect(engine.status.resolvedOptions.options.desiredSyncInterval == .seconds(60))
    }

    @Test("GeoManager's collection started with a configuration uses that configuration.")
    func custom() {
        var engine = Engine(Profile.vehicle.options)
        start(&engine, Self.custom)
        #expect(engine.status.resolvedOptions.options.desiredAccuracy == .medium)
        #expect(engine.status.resolvedOptions.options.distanceFilter == Metres(400))
        #expect(engine.status.resolvedOptions.options.startTime.minutes == 8 * 60)
        #expect(engine.status.resolvedOptions.options.endTime.minutes == 20 * 60)
    }

    @Test("GeoManager's collection returns its configuration, and nil before a start or after a stop.")
    func configuration() {
        var engine = Engine(Profile.vehicle.options)
        let before = engine.status.resolvedOptions.options
        #expect(engine.status.customOptions == nil)
        start(&engine, Self.custom)
        #expect(engine.status.customOptions?.assignments.last { $0.key == "distanceFilter" }?.value == .metres(400))
        _ = engine.handle(.command(.tracking(isOn: false)), at: .at(20))
        _ = engine.handle(.options(.custom, []), at: .at(20))
        #expect(engine.state.gate.isSwitchedOff)
        #expect(engine.status.customOptions == nil)
        #expect(engine.status.resolvedOptions.options == before)
    }

    private static func entries(_ pairs: KeyValuePairs<String, String>) -> [OptionTree.Entry] {
        pairs.map { OptionTree.Entry($0.key, line: nil, .text($0.value)) }
    }

    private func start(_ engine: inout Engine, _ entries: [OptionTree.Entry]) {
        let section = OptionTree.Entry("geoManager", line: 1, .mapping(entries))
        let reading = OptionReader.read([section], path: "options") { _ in "given" }
        _ = engine.handle(.options(.custom, [.custom(reading, name: "given")]), at: .at(10))
        _ = engine.handle(.command(.tracking(isOn: true)), at: .at(10))
    }
}

@Suite("GeoManager's request")
struct ActionRequestTests {
    private static let action = ActionParameters(
        actionType: "ButtonClick", actionLog: "Login page button click", actionId: "123", actionDuration: "3 seconds",
        additionalLog: "SSO Login")

    @Test(
        "GeoManager's request is answered once with the place, and with its five action parameters.",
        arguments: [action, nil])
    func answered(action: ActionParameters?) throws {
        var world = World()
        world.park()
        let asked = world.tell(.command(.locate(LocationRequest(action: action))), at: 100)
        #expect(asked.contains(.receiver(isOn: true)))
        let answer = try #require(world.tell(.fix(Samples.fix(110)), at: 110).compactMap(\.record).first)
        #expect(answer.content == .request(RequestAnswer(action: action, took: .seconds(10))))
        #expect(answer.position?.coordinate == Samples.home)
        #expect(world.tell(.fix(Samples.fix(111)), at: 111).compactMap(\.record).isEmpty)
    }

    @Test("GeoManager's request fails with a reason if no fix comes in time.")
    func failed() throws {
        var world = World()
        world.park()
        _ = world.tell(.command(.locate(LocationRequest(action: Self.action))), at: 100)
        let answer = try #require(world.tell(.timer(.request), at: 220).compactMap(\.record).first)
        let expected = RequestAnswer(action: Self.action, failure: "no fix in time", took: .seconds(120))
        #expect(answer.content == .request(expected))
    }
}
