import Quantities
import Testing

@testable import Motion

@Suite("The forces of a window")
struct ForcesTests {
    @Test("A vector without length has no direction.")
    func direction() {
        #expect(AccelerationSample.zero.normalised == nil)
        #expect(AccelerationSample(x: 0, y: -2, z: 0).normalised == AccelerationSample(x: 0, y: -1, z: 0))
    }

    @Test("The mean of a window is the mean of its readings in any mounting.")
    func mean() throws {
        var detector = MotionDetector()
        var verdict: MotionVerdict?
        for index in 0...25 {
            let sample = AccelerationSample(x: index.isMultiple(of: 2) ? 1 : 3, y: -9.8, z: 0.5)
            verdict = detector.add(sample, at: Instant(seconds: Double(index) / 25)) ?? verdict
        }
        let mean = try #require(verdict?.forces?.mean)
        #expect((mean.x - 1.96).magnitude < 1e-9)
        #expect((mean.y + 9.8).magnitude < 1e-9)
        #expect((mean.z - 0.5).magnitude < 1e-9)
    }

    @Test("A recorded knock in a standing car is a shock of 1.4 g for one reading of ten.")
    func knock() throws {
        var detector = MotionDetector()
        let verdicts = RecordedKnock.samples.compactMap { detector.add($0.sample, at: $0.at) }
        let shocks = verdicts.compactMap(\.forces?.shock)
        #expect(shocks.count == 3)
        #expect(shocks[0].peak < Acceleration(0.2) && shocks[0].lasted == .zero)
        #expect(shocks[1].peak < Acceleration(0.2) && shocks[1].lasted == .zero)
        #expect((shocks[2].peak.value - 14.3).magnitude < 0.1)
        #expect(shocks[2].lasted == .milliseconds(100))
        #expect(verdicts.allSatisfy { !$0.isMoving })
    }

    @Test("A turn of the chip during a pause is not a shock.")
    func pause() throws {
        var detector = MotionDetector()
        for index in 0...10 {
            _ = detector.add(AccelerationSample(x: 0, y: 0, z: 9.8), at: Instant(seconds: Double(index) / 10))
        }
        var verdict: MotionVerdict?
        for index in 0...20 {
            let now = Instant(seconds: 100 + Double(index) / 10)
            verdict = detector.add(AccelerationSample(x: 9.8, y: 0, z: 0), at: now) ?? verdict
        }
        #expect(try #require(verdict?.forces?.shock.peak) == .zero)
    }

    @Test("Large readings do not reduce the precision of the deviation.")
    func precision() {
        var window = MotionWindow()
        for index in 0..<1000 {
            window.add(AccelerationSample(x: 0, y: 0, z: 1e6 + (index.isMultiple(of: 2) ? 0.01 : -0.01)))
        }
        #expect((window.deviation.value - 0.01).magnitude < 1e-6)
        #expect(MotionWindow().deviation == .zero)
    }
}

@Suite("An impact")
struct ImpactDetectorTests {
    private var detector = ImpactDetector()

    init() { for _ in 0..<30 { _ = detector.isImpact(shock(2), speed: nil) } }

    private func shock(_ peak: Double) -> WindowForces.Shock {
        WindowForces.Shock(peak: Acceleration(peak), lasted: .zero)
    }

    private mutating func isImpact(_ peak: Double, kmh: Double?) -> Bool {
        detector.isImpact(shock(peak), speed: kmh.map { MetresPerSecond($0 / 3.6) })
    }

    @Test(
        "An impact is at least 2 g at 25 km/h or more, or at least 4 g at any speed.",
        arguments: [
            (peak: 19.7, kmh: 26.0, isOne: true), (19.5, 120, false), (19.7, 24, false), (38, 24, false),
            (39.3, 0, true), (38, nil, false), (39.3, nil, true), (17.0, 58, false),
        ] as [(peak: Double, kmh: Double?, isOne: Bool)])
    mutating func limits(peak: Double, kmh: Double?, isOne: Bool) {
        #expect(isImpact(peak, kmh: kmh) == isOne)
    }

    @Test("A shock that is one of many similar shocks, as on a motorcycle, is not an impact.")
    mutating func motorcycle() {
        for second in 0..<60 { _ = isImpact(second.isMultiple(of: 5) ? 20 : 6, kmh: 20) }
        #expect(!isImpact(36, kmh: 31))
        #expect(isImpact(80, kmh: 31))
    }

    @Test(
        "The first shock sets the usual size; a second shock is an impact if it is six times that size or more.",
        arguments: [(5.0, false), (7, true)])
    func usual(factor: Double, isImpact: Bool) {
        var detector = ImpactDetector()
        let motorway = MetresPerSecond(30)
        let shocks = [9.8, 9.8 * factor].map { WindowForces.Shock(peak: Acceleration($0), lasted: .zero) }
        #expect(shocks.map { detector.isImpact($0, speed: motorway) } == [false, isImpact])
    }
}
