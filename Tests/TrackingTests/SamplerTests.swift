import Quantities
import Testing
import TrackingOptions

@testable import Tracking

@Suite("Sampling of fixes")
struct SamplerTests {
    private static let combinations: [(UpdateRule, Double, Double, seconds: Double, metres: Double, Bool)] = [
        // Both rules are on: 60 s and 100 m.
        (.any, 60, 100, 60, 0, true), (.any, 60, 100, 59, 101, true), (.any, 60, 100, 59, 99, false),
        (.all, 60, 100, 60, 99, false), (.all, 60, 100, 59, 101, false), (.all, 60, 100, 60, 101, true),
        // One rule is on.
        (.any, 0, 100, 5, 101, true), (.any, 0, 100, 900, 99, false), (.any, 60, 0, 60, 0, true),
        (.any, 60, 0, 59, 900, false), (.all, 0, 100, 5, 101, true), (.all, 0, 100, 900, 99, false),
        (.all, 60, 0, 60, 0, true), (.all, 60, 0, 59, 900, false),
        // No rule is on.
        (.any, 0, 0, 9000, 9000, false), (.all, 0, 0, 9000, 9000, false),
    ]

    @Test("A fix is recorded by time, by displacement, or by both, as updateRule states.", arguments: combinations)
    func updateRule(
        rule: UpdateRule, interval: Double, filter: Double, seconds: Double, metres: Double, isRecorded: Bool
    ) throws {
        let recorded = try sample(seconds, east: metres) {
            $0.updateRule = rule
            $0.desiredMovingUpdateInterval = Duration(inSeconds: interval)
            $0.distanceFilter = Metres(filter)
            $0.disableElasticity = true
        }
        #expect(recorded == isRecorded)
    }

    @Test("The first fix is recorded, whatever the rules are.")
    func first() throws {
        var options = TrackingOptions()
        options.distanceFilter = .zero
        var sampler = Sampler(options)
        let fix = try Samples.accepted(0)
        #expect(sampler.sample(fix, after: nil, isAtRest: true, options) == [fix])
    }

    @Test("At rest, a fix is recorded only by time, because the receiver's noise does not count as distance.")
    func atRest() throws {
        var options = TrackingOptions()
        options.desiredMovingUpdateInterval = .seconds(60)
        options.turnFilter = Degrees(10)
        var sampler = Sampler(options)
        let last = TrackPoint(try Samples.accepted(0, east: 5))
        for second in 1...59 {
            // The fixes are 4 m and 12 m from the last record, and the distance filter is 10 m.
            let fix = try Samples.accepted(Double(second), east: second.isMultiple(of: 2) ? 17 : 9)
            #expect(sampler.sample(fix, after: last, isAtRest: true, options).isEmpty)
        }
        #expect(sampler.sample(try Samples.accepted(60, east: 9), after: last, isAtRest: true, options).count == 1)
    }

    @Test(
        "The fixes at both ends of a gap are recorded, no sooner than fastestMovingUpdateInterval.",
        arguments: [(1, 2), (45, 1)])
    func gap(interval: Int, count: Int) throws {
        var options = corners(distance: 5000)
        options.fastestMovingUpdateInterval = .seconds(interval)
        var sampler = Sampler(options)
        let last = TrackPoint(try Samples.accepted(0))
        for second in 1...20 {
            let fix = try Samples.accepted(Double(second), east: Double(second) * 20)
            #expect(sampler.sample(fix, after: last, isAtRest: false, options).isEmpty)
        }
        let after = try Samples.accepted(60, east: 1200)
        #expect(sampler.sample(after, after: last, isAtRest: false, options).count == count)
    }

    @Test(
        "A fix is recorded no sooner than fastestMovingUpdateInterval after the last recorded fix.",
        arguments: [(1.0, 0.9, false), (1, 1, true), (30, 29, false), (30, 30, true), (0, 0.1, true)])
    func fastest(interval: Double, seconds: Double, isRecorded: Bool) throws {
        let recorded = try sample(seconds, east: 500) { $0.fastestMovingUpdateInterval = Duration(inSeconds: interval) }
        #expect(recorded == isRecorded)
    }

    @Test("A fix is recorded even if the last recorded fix has a later time, from a clock that was ahead.")
    func clockAhead() throws {
        #expect(try sample(-3600) { $0.desiredMovingUpdateInterval = .seconds(60) })
        #expect(try sample(-3600, east: 501) { $0.useSignificantLocationChanges = true })
    }

    @Test(
        "In significant mode, a fix is recorded after 500 m, but not within 300 s of the last record.",
        arguments: [(501.0, 300.0, true), (499, 900, false), (900, 299, false)])
    func significantChange(metres: Double, seconds: Double, isRecorded: Bool) throws {
        let recorded = try sample(seconds, east: metres) {
            $0.distanceFilter = .zero
            $0.useSignificantLocationChanges = true
        }
        #expect(recorded == isRecorded)
    }

    @Test("In quiet and manual mode, no rule records a fix.", arguments: [MonitoringMode.quiet, .manual])
    func unasked(mode: MonitoringMode) throws {
        let recorded = try sample(900, east: 900) {
            $0.monitoring = mode
            $0.desiredMovingUpdateInterval = .seconds(60)
        }
        #expect(!recorded)
    }

    @Test("A fix and the corner before it are both recorded if both are due at once.")
    func cornerAndDistance() throws {
        let options = corners(distance: 205)
        var sampler = Sampler(options)
        let last = TrackPoint(try Samples.accepted(0))
        for second in 1...10 {
            let fix = try Samples.accepted(Double(second), east: Double(second) * 20)
            #expect(sampler.sample(fix, after: last, isAtRest: false, options).isEmpty)
        }
        let corner = try Samples.accepted(10, east: 200)
        let fix = try Samples.accepted(11, east: 200, north: 60)
        #expect(sampler.sample(fix, after: last, isAtRest: false, options) == [corner, fix])
    }

    @Test("A fix is recorded no sooner than fastestMovingUpdateInterval after a recorded corner.")
    func fastestAfterCorner() throws {
        var options = corners(distance: 1000)
        options.fastestMovingUpdateInterval = .seconds(5)
        var sampler = Sampler(options)
        let last = TrackPoint(try Samples.accepted(0))
        for second in 1...10 {
            let fix = try Samples.accepted(Double(second), east: Double(second) * 20, speed: 20)
            #expect(sampler.sample(fix, after: last, isAtRest: false, options).isEmpty)
        }
        var turned = Samples.fix(11, east: 200, north: 60, speed: 20)
        turned.course = Degrees(0)
        let recorded = sampler.sample(try #require(AcceptedFix(turned)), after: last, isAtRest: false, options)
        // The corner or the fix is recorded, but not both.
        #expect(recorded.count == 1)
    }

    private func corners(distance: Double) -> TrackingOptions {
        var options = TrackingOptions()
        options.turnFilter = Degrees(25)
        options.distanceFilter = Metres(distance)
        options.disableElasticity = true
        return options
    }

    /// Returns whether the sampler records a fix after this time and at this distance from the last record.
    private func sample(
        _ seconds: Double, east: Double = 0, _ change: (inout TrackingOptions) -> Void
    ) throws -> Bool {
        var options = TrackingOptions()
        change(&options)
        var sampler = Sampler(options)
        let last = TrackPoint(try Samples.accepted(0))
        let fix = try Samples.accepted(seconds, east: east, speed: 4)
        return sampler.sample(fix, after: last, isAtRest: false, options) == [fix]
    }
}

@Suite("Turns")
struct TurnRuleTests {
    private static let turns: [(angle: Double, from: Double, to: Double, speed: Double, Bool)] = [
        (25, 90, 115, 10, true), (25, 90, 114, 10, false), (25, 115, 90, 10, true), (25, 350, 15, 10, true),
        (25, 350, 14, 10, false), (180, 0, 180, 10, true), (25, 90, 180, 2.1, true), (25, 90, 180, 2, false),
        (0, 90, 270, 10, false),
    ]

    @Test("A turn counts if it is at least turnFilter at more than 2 m/s, also across north.", arguments: turns)
    func turn(angle: Double, from: Double, to: Double, speed: Double, isWanted: Bool) throws {
        let last = TrackPoint(try fix(course: from, speed: 10))
        let rule = TurnRule(angle: Degrees(angle))
        #expect(rule.wants(try fix(course: to, speed: speed, east: 31, north: 31), after: last) == isWanted)
    }

    @Test(
        "A turn less than 10 m beside the line of the last record does not count.",
        arguments: [(9.0, false), (11, true)])
    func aside(metres: Double, isWanted: Bool) throws {
        let last = TrackPoint(try fix(course: 0, speed: 10))
        let turned = try fix(course: 90, speed: 10, east: metres)
        #expect(TurnRule(angle: Degrees(25)).wants(turned, after: last) == isWanted)
    }

    @Test("A turn needs a course at both ends, and a speed.")
    func unknown() throws {
        let rule = TurnRule(angle: Degrees(25))
        let north = TrackPoint(try fix(course: 0, speed: 10))
        #expect(!rule.wants(try fix(course: nil, speed: 10), after: north))
        #expect(!rule.wants(try fix(course: 90, speed: nil), after: north))
        #expect(
            !rule.wants(try fix(course: 90, speed: 10), after: TrackPoint(try fix(course: nil, speed: 1))))
    }

    private func fix(course: Double?, speed: Double?, east: Double = 0, north: Double = 0) throws -> AcceptedFix {
        var fix = Samples.fix(0, east: east, north: north, speed: speed)
        fix.course = course.map(Degrees.init)
        return try #require(AcceptedFix(fix))
    }
}
