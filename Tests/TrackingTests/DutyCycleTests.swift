import Quantities
import Testing
import TrackingOptions

@testable import Tracking

@Suite("The duty cycle of the receiver between two fixes")
struct DutyCycleTests {
    private static let intervals: [(interval: Int, timeToFix: Int?, rest: Int?)] = [
        // The rule applies to an interval of 120 s or more if the pause is at least three times as long as the search.
        (119, 1, nil), (120, 1, 119), (120, 30, 90), (120, 31, nil), (300, 75, 225), (300, 76, nil),
        // If the time to first fix is unknown, the rule assumes 35 s, as for a warm start under an open sky.
        (139, nil, nil), (140, nil, 105), (0, nil, nil),
    ]

    @Test("The receiver pauses only if the pause saves more than the new search costs.", arguments: intervals)
    func rest(interval: Int, timeToFix: Int?, rest: Int?) {
        let found = DutyCycle.rest(
            before: .seconds(interval), of: .seconds(interval), timeToFix: timeToFix.map { .seconds($0) })
        #expect(found == rest.map { .seconds($0) })
    }

    private static let rules: [(UpdateRule, interval: Int, metres: Double, turn: Double, earliest: Int)] = [
        (.any, 300, 0, 0, 300), (.any, 300, 10, 0, 5), (.any, 0, 10, 0, 5), (.all, 300, 10, 0, 300),
        (.all, 0, 10, 0, 5), (.all, 300, 0, 25, 5), (.any, 300, 200, 0, 300), (.any, 60, 200, 0, 5),
    ]

    @Test(
        "The receiver is needed when the first rule may request a record, but not before fastestMovingUpdateInterval.",
        arguments: rules)
    func earliest(rule: UpdateRule, interval: Int, metres: Double, turn: Double, earliest: Int) {
        let options = options {
            $0.updateRule = rule
            $0.desiredMovingUpdateInterval = .seconds(interval)
            $0.distanceFilter = Metres(metres)
            $0.turnFilter = Degrees(turn)
            $0.fastestMovingUpdateInterval = .seconds(5)
        }
        #expect(Sampler(options).interval(SharedOptions(options)) == .seconds(earliest))
    }

    @Test("The receiver is needed at 300 s, when a significant change may be complete.")
    func significantChange() throws {
        let rest = try rest {
            $0.distanceFilter = .zero
            $0.useSignificantLocationChanges = true
        }
        #expect(rest == .seconds(299))
    }

    @Test(
        "The receiver is needed when the vehicle may have left the moving geofence, if a pause until then saves power.",
        arguments: [(10.0, 299), (2, 199), (1, 299), (0.5, 299), (nil, 299)])
    func movingGeofence(speed: Double?, seconds: Int) throws {
        let rest = try rest(at: speed) {
            $0.distanceFilter = .zero
            $0.desiredMovingUpdateInterval = .seconds(300)
            $0.useMovingGeofence = true
            $0.movingGeofenceRadius = Metres(400)
        }
        #expect(rest == .seconds(seconds))
    }

    @Test(
        "The rest begins with the departure, and lasts for the remainder of the interval.",
        arguments: [(0.0, 299), (3, 296), (100, 199), (298, nil)] as [(Double, Int?)])
    func sinceDeparture(second: Double, seconds: Int?) throws {
        let rest = try rest(second: second) {
            $0.distanceFilter = .zero
            $0.desiredMovingUpdateInterval = .seconds(300)
        }
        #expect(rest == seconds.map { .seconds($0) })
    }

    @Test(
        "With a distance rule of 200 m or more, the rest ends when the vehicle may have covered that distance.",
        arguments: [(15.0, 19), (0, 59), (100, nil)] as [(Double, Int?)])
    func coarseDistance(speed: Double, seconds: Int?) throws {
        let rest = try rest(at: speed) {
            $0.distanceFilter = Metres(300)
            $0.disableElasticity = true
            $0.desiredMovingUpdateInterval = .seconds(300)
        }
        #expect(rest == seconds.map { .seconds($0) })
    }

    @Test("The receiver is needed every quarter of an hour if only stops are recorded.")
    func stopsAlone() throws {
        #expect(try rest { $0.distanceFilter = .zero } == .seconds(899))
    }

    @Test(
        "The receiver is needed every five minutes in a mode that records only on request.",
        arguments: [MonitoringMode.quiet, .manual])
    func unasked(mode: MonitoringMode) throws {
        #expect(try rest(second: 1000) { $0.monitoring = mode } == .seconds(299))
    }

    /// Returns how long the receiver rests after a fix; the last record is from second 0, and the time to first fix is
    /// one second.
    private func rest(
        second: Double = 0, at speed: Double? = 10, _ change: (inout TrackingOptions) -> Void
    ) throws -> Duration? {
        let options = options(change)
        let fix = try Samples.accepted(second, speed: speed)
        return Sampler(options).rest(
            after: fix, last: TrackPoint(try Samples.accepted(0)), timeToFix: .seconds(1), SharedOptions(options))
    }

    private func options(_ change: (inout TrackingOptions) -> Void) -> TrackingOptions {
        var options = TrackingOptions()
        change(&options)
        return options
    }
}
