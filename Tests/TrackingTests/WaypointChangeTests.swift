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

    @Test(
        "After a waypoint with the key of a configured region is removed, the tracker watches the configured region again."
    )
    func configuredRegion() throws {
        var watcher = RegionWatcher(
            [try Samples.circle("depot", radius: 100)], servers: [], near: nil, TrackingOptions(), restoring: .init())
        var effects = EffectBuffer()
        let waypoint = Waypoint(
            text: "Depot", coordinate: Samples.home, radius: Metres(300), defined: Samples.start, id: "depot")
        #expect(watcher.set(waypoint, parked: nil, into: &effects))
        #expect(watcher.regions.map(\.text) == ["Depot"])
        watcher.forget("depot")
        #expect(watcher.regions == [try Samples.circle("depot", radius: 100)])
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
