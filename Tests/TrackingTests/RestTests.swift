import Motion
import Quantities
import TestSupport
import Testing

@testable import Tracking

@Suite("A rest")
struct RestTests {
    private var rest = RestDetector()

    @Test("A rest begins with the first slow fix, and its place is the mean of the fixes, weighted by accuracy.")
    mutating func place() throws {
        rest.add(try Samples.accepted(0, speed: 9), at: .at(0))
        #expect(!rest.isAtRest)
        rest.add(try Samples.accepted(1, east: 10, speed: 0.3, accuracy: 2), at: .at(1))
        rest.add(try Samples.accepted(2, east: 15, speed: 0.2, accuracy: 4), at: .at(2))
        let place = try #require(rest.position)
        let home = try #require(Samples.home)
        #expect(rest.since == Samples.start + .seconds(1))
        // The fixes at 10 m and 15 m have the weights 1/4 and 1/16, so the mean is a fifth of the way from 10 m to 15 m.
        #expect((home.distance(to: place.coordinate).value - 11).magnitude < 0.01)
        #expect(place.speed == .zero)
    }

    @Test("The error of a rest is at least the spread of its fixes, because reflections displace them for minutes.")
    mutating func spread() throws {
        for second in 0..<60 {
            let fix = try Samples.accepted(Double(second), east: second % 2 == 0 ? 0 : 10, speed: 0, accuracy: 2)
            rest.add(fix, at: .at(Double(second)))
        }
        let error = try #require(rest.position?.accuracy)
        #expect((error.value - 5).magnitude < 0.01)
    }

    @Test("A rest continues despite fast fixes in one place, which are noise, and ends with two that lead away.")
    mutating func noise() throws {
        rest.add(try Samples.accepted(0, speed: 0), at: .at(0))
        rest.add(try Samples.accepted(1, speed: 1.8), at: .at(1))
        rest.add(try Samples.accepted(2, speed: 0.1), at: .at(2))
        #expect(rest.since == Samples.start)
        rest.add(try Samples.accepted(3, speed: 1.8), at: .at(3))
        rest.add(try Samples.accepted(4, speed: 1.8), at: .at(4))
        #expect(rest.isAtRest)
        rest.add(try Samples.accepted(5, east: 11, speed: 1.8), at: .at(5))
        #expect(!rest.isAtRest)
    }

    @Test(
        "A rest ends when the vehicle is at another place, however slowly it moved to that place.",
        arguments: [(19.0, true), (21, false)])
    mutating func crawl(metres: Double, isAtRest: Bool) throws {
        rest.add(try Samples.accepted(0, speed: 0), at: .at(0))
        rest.add(try Samples.accepted(60, east: metres, speed: 1), at: .at(60))
        #expect(rest.isAtRest == isAtRest)
    }

    @Test("Fixes without speed show a rest by their places alone.")
    mutating func withoutSpeed() throws {
        for second in 0..<10 {
            let fix = try Samples.accepted(Double(second), east: Double(second) * 10, speed: nil)
            rest.add(fix, at: .at(Double(second)))
        }
        #expect(!rest.isAtRest)
        for second in 10..<25 {
            rest.add(try Samples.accepted(Double(second), east: 100, speed: nil), at: .at(Double(second)))
        }
        #expect(rest.isAtRest)
    }
}

@Suite("The odometer")
struct OdometerTests {
    @Test("The odometer counts movement, and not the noise of the receiver at rest.")
    func wander() throws {
        var odometer = Odometer()
        for second in 0...10 {
            odometer.add(try Samples.accepted(Double(second), east: Double(second) * 10), isAtRest: false)
        }
        #expect((odometer.distance.value - 100).magnitude < 0.01)
        for second in 11..<600 {
            odometer.add(try Samples.accepted(Double(second), east: 100 + Double(second % 7)), isAtRest: true)
        }
        odometer.add(try Samples.accepted(600, east: 110), isAtRest: false)
        #expect((odometer.distance.value - 110).magnitude < 0.01)
    }

    @Test(
        "After a correction of the date, the distance to the next fix counts up to 1 km plus both errors.",
        arguments: [(1006.0, true), (1012, false)])
    func correctedDate(metres: Double, counts: Bool) throws {
        var odometer = Odometer()
        odometer.add(try Samples.accepted(10, speed: nil), isAtRest: false)
        odometer.add(try Samples.accepted(9, east: metres, speed: nil), isAtRest: false)
        #expect((odometer.distance.value - (counts ? metres : 0)).magnitude < 0.5)
    }

    @Test(
        "A trip is never shorter than the straight lines through its track, even if the receiver reports low speeds.",
        arguments: [(0.5, 1000.0), (0.9, 5000), (0.966, 10_000)])
    func lowSpeeds(share: Double, metres: Double) throws {
        let trip = try distance(of: metres, corners: 500, speedShare: share)
        // The straight lines between the points cut the corners, and the last line may be too short by the errors at
        // both ends.
        #expect((metres * 0.985 - 20...metres + 20).contains(trip), "\(trip) m")
    }

    @Test("The odometer trusts the speeds as long as the positions agree within their errors.", arguments: 1...5)
    func zigzag(seed: UInt64) throws {
        let trip = try distance(of: 10_000, corners: 300, speedShare: 1, noise: 4, seed: seed)
        #expect((9990.0...10_050).contains(trip), "\(trip) m")
    }

    /// Returns the distance of the trip that the engine reports for a drive at 10 m/s with a turn to the left or right
    /// every `corners` metres.
    private func distance(
        of metres: Double, corners: Double, speedShare: Double, noise: Double = 0, seed: UInt64 = 1
    ) throws -> Double {
        var (random, world) = (SplitMix(seed: seed), World())
        world.park()
        let seconds = Int(metres / 10)
        var (east, north) = (0.0, 0.0)
        for second in 1...seconds {
            let isEastward = Int(Double(second - 1) * 10 / corners).isMultiple(of: 2)
            if isEastward { east += 10 } else { north += 10 }
            let time = Double(second + 10)
            _ = world.tell(.motion(MotionVerdict(isMoving: true)), at: time)
            let fix = Samples.fix(
                time, east: east + noise * random.normal() / 2, north: north + noise * random.normal() / 2,
                speed: 10 * speedShare)
            _ = world.tell(.fix(fix), at: time)
        }
        let stop = world.tell(.command(.stay), at: Double(seconds + 11))
        let reports = stop.compactMap { effect -> TripReport? in
            if case .trip(let report)? = effect.record?.content { report } else { nil }
        }
        return try #require(reports.last?.summary?.distance.value)
    }

    @Test("The odometer bridges a fix that is too poor to count.")
    func badFix() throws {
        var odometer = Odometer()
        odometer.add(try Samples.accepted(0), isAtRest: false)
        odometer.add(try Samples.accepted(1, north: 400, accuracy: 150), isAtRest: false)
        odometer.add(try Samples.accepted(2, east: 20), isAtRest: false)
        #expect((odometer.distance.value - 20).magnitude < 0.01)
    }
}
