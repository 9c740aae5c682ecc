import Motion
import Quantities
import Testing

@testable import Tracking

@Suite("Harsh driving")
struct DrivingRuleTests {
    private var rule = DrivingRule()

    /// Passes fixes to the rule, one per second, and returns the resulting events.
    private mutating func drive(_ speeds: [Double], courses: [Double] = [], from start: Double = 100) throws
        -> [DrivingEvent]
    {
        var events: [DrivingEvent] = []
        for (index, speed) in speeds.enumerated() {
            let course = courses.isEmpty ? 90 : courses[index]
            let second = start + Double(index)
            let fix = try #require(Samples.driving(second, speed: speed, course: course))
            events += rule.handle(.fix(fix), at: .at(second))
        }
        return events
    }

    @Test(
        "Three fixes give a speed only if neither gap between them is too wide.",
        arguments: [(3.0, 6.0), (3.1, 6.1), (3, 6.1)])
    func gaps(second: Double, third: Double) throws {
        let fixes = try [0, second, third].map { try #require(Samples.driving($0, speed: 10)) }
        let reading = SpeedReading((fixes[0], fixes[1], fixes[2]), at: .at(third))
        #expect((reading != nil) == (second <= 3 && third - second <= 3))
    }

    @Test("Harsh braking is 2.7 m/s² or more at 10 km/h or more, and is reported at its end with peak and length.")
    mutating func braking() throws {
        let events = try drive([20, 20, 17, 13, 10, 10, 10])
        #expect(events == [DrivingEvent(.braking, peak: Acceleration(4), lasted: .seconds(3))])
    }

    @Test("Harsh acceleration is 2.5 m/s² or more.")
    mutating func acceleration() throws {
        let events = try drive([5, 5, 8, 11, 11, 11])
        #expect(events == [DrivingEvent(.acceleration, peak: Acceleration(3), lasted: .seconds(2))])
    }

    @Test("Harsh cornering is 3.4 m/s² or more at 30 km/h or more, also across north.")
    mutating func cornering() throws {
        let events = try drive(
            [15, 15, 15, 15, 15, 15, 15], courses: [350, 350, 5, 20, 35, 35, 35])
        #expect(events.map(\.kind) == [.cornering])
        // The vehicle drives at 15 m/s and turns by 15° = 0.2618 rad per second.
        #expect((try #require(events.first?.peak).value - 3.927).magnitude < 0.001)
        #expect(events.first?.lasted == .seconds(3))
    }

    @Test(
        "Driving below a limit is not harsh.",
        arguments: [
            [20, 20, 17.4, 14.8, 14.8, 14.8], [5, 5, 7.4, 9.8, 9.8, 9.8], [0.6, 0.6, 0.6, 2.7, 2.7, 2.7],
            [30, 30, 30, 30, 30],
        ])
    mutating func gentle(speeds: [Double]) throws {
        #expect(try drive(speeds).isEmpty)
    }

    @Test("A turn in a car park is not harsh cornering.")
    mutating func slowCorner() throws {
        #expect(try drive([8, 8, 8, 8, 8, 8], courses: [0, 0, 45, 90, 90, 90]).isEmpty)
    }

    @Test("A single wrong fix is not harsh driving.")
    mutating func outlier() throws {
        #expect(try drive([20, 20, 20, 12, 20, 20, 20]).isEmpty)
        #expect(try drive([20, 20, 20, 20, 20, 20], courses: [0, 0, 0, 40, 0, 0], from: 200).isEmpty)
    }

    @Test("An acceleration that no vehicle can have is not harsh driving.")
    mutating func implausible() throws {
        #expect(try drive([5, 5, 15, 15, 15]).isEmpty)
        #expect(try drive([30, 30, 10, 10, 10], from: 200).isEmpty)
    }

    @Test("The jump of a receiver that reported a standstill for too long is not harsh driving.")
    mutating func staticHold() throws {
        #expect(try drive([0, 0, 0, 4.5, 5, 5.5, 6]).isEmpty)
    }

    @Test("Harsh driving is not detected with a poor sky view, nor across a gap.")
    mutating func badSky() throws {
        for (second, speed) in [(1.0, 20.0), (2, 20), (3, 16), (4, 12), (5, 12), (6, 12)] {
            let fix = try #require(Samples.driving(second, speed: speed, accuracy: 16))
            #expect(rule.handle(.fix(fix), at: .at(second)).isEmpty)
        }
        #expect(try drive([20, 20], from: 100).isEmpty)
        #expect(try drive([10, 10, 10], from: 104.1).isEmpty)
    }

    @Test("Each kind of harsh driving is reported at most once in ten seconds.")
    mutating func pause() throws {
        let once = [20.0, 20, 16, 16, 16]
        #expect(try drive(once).map(\.kind) == [.braking])
        #expect(try drive(once, from: 106).filter { $0.kind == .braking }.isEmpty)
        #expect(try drive(once, from: 120).map(\.kind) == [.braking])
    }

    @Test("Harsh driving is detected in the same way with a receiver that reports ten times a second.")
    mutating func tenHertz() throws {
        var events: [DrivingEvent] = []
        for index in 0..<100 {
            let second = 100 + Double(index) / 10
            // The vehicle brakes from 20 m/s to 10 m/s at 4 m/s², from the third second on.
            let speed = 20 - min(10, max(0, (second - 103) * 4))
            let fix = try #require(Samples.driving(second, speed: speed))
            events += rule.handle(.fix(fix), at: .at(second))
        }
        #expect(events.map(\.kind) == [.braking])
        #expect((try #require(events.first?.peak).value - 4).magnitude < 0.01)
    }
}
