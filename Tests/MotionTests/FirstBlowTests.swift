import Motion
import Quantities
import Testing

@Suite("An impact soon after the start")
struct FirstBlowTests {
    @Test(
        "The first blow sets what is usual: a second one is an impact from six times its size.",
        arguments: [(5.0, false), (7, true)])
    func usual(factor: Double, isImpact: Bool) {
        var detector = ImpactDetector()
        let motorway = MetresPerSecond(30)
        let blows = [9.8, 9.8 * factor].map { WindowForces.Shock(peak: Acceleration($0), lasted: .zero) }
        #expect(blows.map { detector.isImpact($0, speed: motorway) } == [false, isImpact])
    }
}
