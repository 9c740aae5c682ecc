import Quantities
import Testing
import TrackingOptions

@testable import Tracking

@Suite("The last known place")
struct LastPlaceTests {
    @Test("The last known place is available while parked and after a restart, without the receiver.")
    func kept() throws {
        let world = stopped()
        let expected = try #require(Samples.home).moved(east: Metres(600), north: .zero)
        for engine in [world.engine, Engine(Profile.vehicle.options, restoring: world.engine.state)] {
            let last = try #require(engine.status.lastKnownLocation?.coordinate)
            #expect(last.distance(to: expected) < Metres(1))
        }
    }

    @Test("The last known place is not available if trackLastKnownLocation is off.")
    func withheld() {
        #expect(stopped { $0.trackLastKnownLocation = false }.engine.status.lastKnownLocation == nil)
    }

    private func stopped(_ change: (inout TrackingOptions) -> Void = { _ in }) -> World {
        var world = World(change)
        world.park()
        world.drive(from: 100, seconds: 60)
        world.stand(from: 160, seconds: 181)
        return world
    }
}
