import Motion
import Quantities
import Testing

@testable import Tracking

@Suite("Harsh driving")
struct DrivingRuleTests {
    private var rule = DrivingRule()

    /// Tells fixes, one a second, and gives the events that come of them.
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

    @Test("is braking by 2.7 m/s² and more, from 10 km/h on; its peak and its length are told when it is over")
    mutating func braking() throws {
        let events = try drive([20, 20, 17, 13, 10, 10, 10])
        #expect(events == [DrivingEvent(.braking, peak: Acceleration(4), lasted: .seconds(3))])
    }

    @Test("is acceleration by 2.5 m/s² and more")
    mutating func acceleration() throws {
        let events = try drive([5, 5, 8, 11, 11, 11])
        #expect(events == [DrivingEvent(.acceleration, peak: Acceleration(3), lasted: .seconds(2))])
    }

    @Test("is cornering by 3.4 m/s² and more, from 30 km/h on, across north too")
    mutating func cornering() throws {
        let events = try drive(
            [15, 15, 15, 15, 15, 15, 15], courses: [350, 350, 5, 20, 35, 35, 35])
        #expect(events.map(\.kind) == [.cornering])
        // 15 m/s, and 15° = 0.2618 rad a second.
        #expect((try #require(events.first?.peak).value - 3.927).magnitude < 0.001)
        #expect(events.first?.lasted == .seconds(3))
    }

    @Test(
        "is not what stays below a limit",
        arguments: [
            [20, 20, 17.4, 14.8, 14.8, 14.8], [5, 5, 7.4, 9.8, 9.8, 9.8], [0.6, 0.6, 0.6, 2.7, 2.7, 2.7],
            [30, 30, 30, 30, 30],
        ])
    mutating func gentle(speeds: [Double]) throws {
        #expect(try drive(speeds).isEmpty)
    }

    @Test("is no corner in a car park")
    mutating func slowCorner() throws {
        #expect(try drive([8, 8, 8, 8, 8, 8], courses: [0, 0, 45, 90, 90, 90]).isEmpty)
    }

    @Test("is not a single fix that is wrong")
    mutating func outlier() throws {
        #expect(try drive([20, 20, 20, 12, 20, 20, 20]).isEmpty)
        #expect(try drive([20, 20, 20, 20, 20, 20], courses: [0, 0, 0, 40, 0, 0], from: 200).isEmpty)
    }

    @Test("is not what no vehicle does")
    mutating func implausible() throws {
        #expect(try drive([5, 5, 15, 15, 15]).isEmpty)
        #expect(try drive([30, 30, 10, 10, 10], from: 200).isEmpty)
    }

    @Test("is not the leap of a receiver that has held a standstill for too long")
    mutating func staticHold() throws {
        #expect(try drive([0, 0, 0, 4.5, 5, 5.5, 6]).isEmpty)
    }

    @Test("is not judged by fixes under a bad sky, nor across a gap")
    mutating func badSky() throws {
        for (second, speed) in [(1.0, 20.0), (2, 20), (3, 16), (4, 12), (5, 12), (6, 12)] {
            let fix = try #require(Samples.driving(second, speed: speed, accuracy: 16))
            #expect(rule.handle(.fix(fix), at: .at(second)).isEmpty)
        }
        #expect(try drive([20, 20], from: 100).isEmpty)
        #expect(try drive([10, 10, 10], from: 104.1).isEmpty)
    }

    @Test("is told of at most once in ten seconds, each kind by itself")
    mutating func pause() throws {
        let once = [20.0, 20, 16, 16, 16]
        #expect(try drive(once).map(\.kind) == [.braking])
        #expect(try drive(once, from: 106).filter { $0.kind == .braking }.isEmpty)
        #expect(try drive(once, from: 120).map(\.kind) == [.braking])
    }

    @Test("is the same for a receiver that reports ten times a second")
    mutating func tenHertz() throws {
        var events: [DrivingEvent] = []
        for index in 0..<100 {
            let second = 100 + Double(index) / 10
            // From 20 m/s down to 10 m/s, by 4 m/s², from the third second on.
            let speed = 20 - min(10, max(0, (second - 103) * 4))
            let fix = try #require(Samples.driving(second, speed: speed))
            events += rule.handle(.fix(fix), at: .at(second))
        }
        #expect(events.map(\.kind) == [.braking])
        #expect((try #require(events.first?.peak).value - 4).magnitude < 0.01)
    }
}
