import Motion
import Quantities
import Testing

@testable import Tracking

@Suite("Harsh driving measured by an accelerometer")
struct FeltDrivingTests {
    private var rule = DrivingRule()

    /// The vehicle stands for ten seconds, then accelerates and brakes in turn, until the engine has learned that the x axis
    /// points ahead.
    init() throws {
        for second in 0..<10 { try tell(Double(second), speed: 0, x: 0, isMoving: false) }
        for second in 10..<80 {
            let isFaster = second % 10 < 5
            let step = Double(second % 5) * 2 + 2
            try tell(Double(second), speed: isFaster ? 10 + step : 20 - step, x: isFaster ? 2 : -2)
        }
    }

    @discardableResult
    private mutating func tell(
        _ second: Double, speed: Double, x: Double, isMoving: Bool = true, blow: Double = 1
    ) throws -> [DrivingEvent] {
        let fix = try #require(Samples.driving(second, speed: speed))
        let verdict = Samples.verdict(x, 0, 9.8, isMoving: isMoving, blow: blow, lasted: 0.2)
        return rule.handle(.motion(verdict), at: .at(second)) + rule.handle(.fix(fix), at: .at(second))
    }

    /// Drives at 20 m/s, then at the speed of each step, while the chip measures the step's `x` in m/s².
    private mutating func drive(_ steps: [(speed: Double, x: Double)]) throws -> [DrivingEvent] {
        let steady = (speed: steps.last?.speed ?? 20, x: 0.0)
        let all = Array(repeating: (speed: 20.0, x: 0.0), count: 5) + steps + [steady, steady, steady]
        var events: [DrivingEvent] = []
        for (index, step) in all.enumerated() {
            events += try tell(200 + Double(index), speed: step.speed, x: step.x)
        }
        return events
    }

    @Test("The engine learns the chip's mounting while driving, and the chip then shows a peak that fixes do not.")
    mutating func peak() throws {
        #expect(rule.mounting.isKnown)
        let events = try drive([(17, -5), (14, -3)])
        #expect(events.map(\.kind) == [.braking])
        #expect((try #require(events.first?.peak).value - 5).magnitude < 0.1)
        #expect(events.first?.lasted == .seconds(2))
    }

    @Test("A chip's peak counts as harsh if the fixes, which smooth it, reach three quarters of the limit.")
    mutating func smoothed() throws {
        #expect(try drive([(17.9, -3.2), (15.8, -1)]).map(\.kind) == [.braking])
    }

    @Test("Driving does not count as harsh if only the fixes are harsh.")
    mutating func receiverFault() throws {
        #expect(try drive([(16, 0), (12, 0)]).isEmpty)
    }

    @Test("Driving does not count as harsh if only the chip measures a force, as on a steep street.")
    mutating func slope() throws {
        #expect(try drive([(19, -3), (18, -3)]).isEmpty)
    }

    @Test("The readings on a smooth motorway do not count as readings at rest.")
    mutating func motorway() throws {
        rule = DrivingRule()
        for second in 0..<100 { try tell(Double(second), speed: 30, x: 0, isMoving: false) }
        for second in 100..<200 {
            let isFaster = second % 10 < 5
            let step = Double(second % 5) * 2 + 2
            try tell(Double(second), speed: isFaster ? 10 + step : 20 - step, x: isFaster ? 2 : -2)
        }
        #expect(!rule.mounting.isKnown)
    }

    @Test("The learned mounting of the chip survives a restart.")
    mutating func restart() throws {
        rule = DrivingRule(mounting: rule.mounting)
        #expect(try drive([(16, 0), (12, 0)]).isEmpty)
    }

    @Test(
        "An impact counts if the vehicle was fast in the ten seconds before it.",
        arguments: [(20.0, 5.0, true), (20, 11, false), (6, 1, false)])
    mutating func impact(speed: Double, later: Double, isOne: Bool) throws {
        for second in 0..<20 { try tell(200 + Double(second), speed: speed, x: 0) }
        let verdict = Samples.verdict(0, 0, 9.8, blow: 25, lasted: 0.2)
        let events = rule.handle(.motion(verdict), at: .at(219 + later))
        let impact = DrivingEvent(.impact, peak: Acceleration(25), lasted: .milliseconds(200))
        #expect(events == (isOne ? [impact] : []))
    }

    @Test("A vehicle that rolls over repeatedly within ten seconds has one impact.")
    mutating func rollOver() throws {
        var events: [DrivingEvent] = []
        for (second, blow) in [25.0, 1, 1, 120, 1, 1, 300].enumerated() {
            events += try tell(200 + Double(second), speed: 20, x: 0, blow: blow)
        }
        #expect(events.map(\.kind) == [.impact])
    }
}

@Suite("A recorded drive in an ordinary style")
struct RecordedTripTests {
    @Test("An ordinary recorded drive has no harsh event, and shows the phone's mounting within 90 s.")
    func ordinary() throws {
        var rule = DrivingRule()
        var known: Instant?
        for second in RecordedTrip.seconds {
            #expect(rule.handle(.motion(second.verdict), at: second.moment).isEmpty)
            if let fix = second.fix { #expect(rule.handle(.fix(fix), at: second.moment).isEmpty) }
            if rule.mounting.isKnown { known = known ?? second.moment }
        }
        #expect(try #require(known) < .at(90))
        #expect(rule.mounting.isKnown)
    }

    @Test("With the learned mounting, a recorded drive shows in which seconds the vehicle accelerated or braked.")
    func direction() throws {
        var rule = DrivingRule()
        for second in RecordedTrip.seconds {
            _ = rule.handle(.motion(second.verdict), at: second.moment)
            if let fix = second.fix { _ = rule.handle(.fix(fix), at: second.moment) }
        }
        // The vehicle starts in second 9, and brakes before the first stop.
        for (moment, isFaster) in [(9.0, true), (10, true), (38, false)] {
            let second = try #require(RecordedTrip.seconds.first { $0.moment == .at(moment) })
            let push = try #require(second.verdict.forces.flatMap { rule.mounting.push($0.mean) })
            #expect(push.ahead.magnitude > Acceleration(1))
            #expect((push.ahead > .zero) == isFaster)
        }
    }
}
