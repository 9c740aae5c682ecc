import Quantities
import Testing

@testable import Tracking

@Suite("The last known place")
struct LastPlaceTests {
    @Test("is there at rest and after a restart, without the receiver")
    func kept() throws {
        var world = World()
        world.park()
        world.drive(from: 100, seconds: 60)
        world.stand(from: 160, seconds: 181)
        let expected = try #require(Samples.home).moved(east: Metres(600), north: .zero)
        for state in [world.engine.state, Engine(Profile.vehicle.options, restoring: world.engine.state).state] {
            let last = try #require(state.lastFix?.coordinate)
            #expect(last.distance(to: expected) < Metres(1))
            #expect(state.parked.map { $0.coordinate.distance(to: expected) < Metres(1) } == true)
        }
    }
}
