import Quantities
import Testing
import TrackingOptions

@testable import Tracking

@Suite("The distance rule")
struct DistanceRuleTests {
    @Test(
        "The distance between records grows by one filter length for each 5 m/s begun.",
        arguments: [
            (speed: 7.7, filter: 30.0, metres: 60.0), (27, 50, 300), (0, 10, 10), (2.4, 10, 10), (5.0, 10, 10),
            (5.1, 10, 20),
        ])
    func elasticity(speed: Double, filter: Double, metres: Double) {
        var options = TrackingOptions()
        options.distanceFilter = Metres(filter)
        #expect(DistanceRule(options).effectiveFilter(at: MetresPerSecond(speed)) == Metres(metres))
    }

    @Test("The distance between records does not change with speed if elasticity is off.", arguments: [true, false])
    func inelastic(byFlag: Bool) {
        var options = TrackingOptions()
        options.disableElasticity = byFlag
        options.elasticityMultiplier = byFlag ? 1 : 0
        #expect(DistanceRule(options).effectiveFilter(at: MetresPerSecond(33)) == Metres(10))
        #expect(DistanceRule(options).effectiveFilter(at: nil) == Metres(10))
    }

    @Test("The distance rule is off at 0.")
    func off() throws {
        var options = TrackingOptions()
        options.distanceFilter = .zero
        let home = try #require(Samples.home)
        #expect(!DistanceRule(options).wants(try Samples.accepted(1, east: 5000), after: home))
    }
}
