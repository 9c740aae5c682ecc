import Quantities
import Testing
import TrackingOptions

@testable import Tracking

@Suite("A waypoint that is set or removed around the vehicle")
struct WaypointChangeTests {
    /// Returns a world with the vehicle parked within a waypoint.
    private func inside() -> World {
        var world = World()
        world.park()
        _ = world.tell(.command(.waypoint(waypoint("Depot"))), at: 10)
        for second in 11...13 { _ = world.tell(.fix(Samples.fix(Double(second))), at: Double(second)) }
        return world
    }

    @Test("A waypoint whose region cannot be watched is refused with the reason, and the old waypoint remains.")
    func refused() {
        var world = inside()
        let bad = Waypoint(
            text: "Depot", coordinate: Samples.home, radius: Metres(6_000_000), defined: Samples.start)
        let effects = world.tell(.command(.waypoint(bad)), at: 20)
        let reasons = effects.compactMap { if case .decided(let decision) = $0 { decision.text } else { nil } }
        #expect(reasons.contains { $0.hasPrefix("refused: ") })
        #expect(world.engine.status.regionsInside.map(\.name.name) == ["Depot"])
    }

    @Test("A waypoint with the key of a configured region is refused, and the region stays.")
    func configuredRegion() throws {
        var setup = World().engine.configuration
        setup.regions = [try Samples.circle("depot", radius: 100)]
        var world = World()
        world.engine = Engine(setup)
        let waypoint = Waypoint(
            text: "Yard", coordinate: Samples.home, radius: Metres(300), defined: Samples.start, id: "depot")
        let effects = world.tell(.command(.waypoint(waypoint)), at: 20)
        let reasons = effects.compactMap { if case .decided(let decision) = $0 { decision.text } else { nil } }
        #expect(reasons.contains { $0.hasPrefix("refused: ") && $0.contains("depot") })
        #expect(world.engine.state.regions.waypoints.isEmpty && effects.allSatisfy { $0.record == nil })
    }

    private func waypoint(_ text: String) -> Waypoint {
        Waypoint(text: text, coordinate: Samples.home, radius: Metres(200), defined: Samples.start)
    }

    @Test("The record of a replaced waypoint names the occupied regions after the replacement.")
    func replaced() throws {
        var world = inside()
        #expect(world.engine.status.regionsInside.map(\.name.name) == ["Depot"])
        let effects = world.tell(.command(.waypoint(waypoint("Yard"))), at: 20)
        let record = try #require(effects.compactMap(\.record).first { $0.kind == .waypoint })
        #expect(record.regions?.map(\.name) == ["Yard"])
    }

    @Test("After a restart, the vehicle is not in a waypoint that was removed before.")
    func removed() {
        var world = inside()
        #expect(world.engine.state.regions.stays.count == 1)
        _ = world.tell(.command(.clearWaypoints), at: 20)
        #expect(world.engine.state.regions.stays.isEmpty)
    }
}
