import Motion
import Quantities
import Testing

@Suite("The mounting of the chip")
struct MountingEstimateTests {
    /// The vehicle's directions ahead, sideways and up, as unit vectors in the axes of a chip that is mounted at an angle.
    private struct Mounting {
        var ahead = AccelerationSample(x: 0.6, y: 0, z: -0.8)
        var aside = AccelerationSample(x: 0, y: 1, z: 0)
        var up = AccelerationSample(x: 0.8, y: 0, z: 0.6)

        func reading(ahead a: Double, aside b: Double = 0) -> AccelerationSample {
            ahead * a + aside * b + up * 9.8
        }
    }

    private var estimate = MountingEstimate()
    private let mounting = Mounting()

    private mutating func stand(_ windows: Int = 10) {
        for _ in 0..<windows { estimate.learn(atRest: mounting.reading(ahead: 0)) }
    }

    /// Accelerates and brakes in turn, with the same number of bends to the left and to the right.
    private mutating func drive(_ windows: Int, by change: Double = 1.5) {
        for index in 0..<windows {
            let change = index.isMultiple(of: 2) ? change : -change
            let reading = mounting.reading(ahead: change, aside: index % 4 < 2 ? 1 : -1)
            estimate.learn(reading, whileSpeedChangedBy: Acceleration(change))
        }
    }

    @Test(
        "The mounting is known only after a rest and 20 changes of speed.", arguments: [(19, false), (20, true)])
    mutating func known(windows: Int, isKnown: Bool) {
        stand()
        drive(windows)
        #expect(estimate.isKnown == isKnown)
    }

    @Test("The mounting separates acceleration ahead from acceleration to the side.")
    mutating func push() throws {
        stand()
        drive(40)
        let braking = try #require(estimate.push(mounting.reading(ahead: -5, aside: 0)))
        #expect((braking.ahead.value + 5).magnitude < 0.01)
        #expect(braking.aside.magnitude < Acceleration(0.01))
        let corner = try #require(estimate.push(mounting.reading(ahead: 0, aside: -4)))
        #expect(corner.ahead.magnitude < Acceleration(0.01))
        #expect((corner.aside.magnitude.value - 4).magnitude < 0.01)
    }

    @Test("The mounting is not learnt without a rest, because the direction of gravity is unknown.")
    mutating func noRest() {
        drive(100)
        #expect(!estimate.isKnown)
        stand(4)
        drive(100)
        #expect(!estimate.isKnown)
    }

    @Test("The mounting is not learnt from gentle changes, which look like slopes.")
    mutating func gentle() {
        stand()
        drive(100, by: 0.6)
        #expect(!estimate.isKnown)
    }

    @Test("The mounting is not learnt if chip and receiver disagree.")
    mutating func contradiction() {
        stand()
        for index in 0..<100 {
            let reading = mounting.reading(ahead: index % 4 < 2 ? 2 : -2)
            estimate.learn(reading, whileSpeedChangedBy: Acceleration(index.isMultiple(of: 2) ? 1.5 : -1.5))
        }
        #expect(!estimate.isKnown)
    }

    @Test(
        "The mounting is forgotten if gravity changes direction, but not on the steepest street.",
        arguments: [(19.0, true), (21, false)])
    mutating func remounted(degrees: Double, isKnown: Bool) {
        stand()
        drive(40)
        // These are the sine and the cosine of 19° and of 21°.
        let (sine, cosine) = degrees < 20 ? (0.32557, 0.94552) : (0.35837, 0.93358)
        for _ in 0..<3 { estimate.learn(atRest: (mounting.up * cosine + mounting.aside * sine) * 9.8) }
        #expect(estimate.isKnown == isKnown)
    }

    @Test("The mounting is not learnt while other vibration dominates.")
    mutating func drowned() {
        stand()
        for index in 0..<100 {
            let change = index.isMultiple(of: 2) ? 1.5 : -1.5
            let reading = mounting.reading(ahead: change, aside: index % 4 < 2 ? 4 : -4)
            estimate.learn(reading, whileSpeedChangedBy: Acceleration(change))
        }
        #expect(!estimate.isKnown)
    }

    @Test("The mounting is not forgotten after two unusual windows.")
    mutating func oddWindows() {
        stand()
        drive(40)
        for _ in 0..<10 {
            for _ in 0..<2 { estimate.learn(atRest: mounting.ahead * 9.8) }
            stand(1)
        }
        #expect(estimate.isKnown)
    }

    @Test("The mounting is learnt again after the chip was turned about its vertical axis.")
    mutating func turned() throws {
        stand()
        drive(100)
        var turned = Mounting()
        swap(&turned.ahead, &turned.aside)
        for index in 0..<400 {
            let change = index.isMultiple(of: 2) ? 1.5 : -1.5
            estimate.learn(turned.reading(ahead: change), whileSpeedChangedBy: Acceleration(change))
        }
        let push = try #require(estimate.push(turned.reading(ahead: -5)))
        #expect((push.ahead.value + 5).magnitude < 0.3)
    }
}
