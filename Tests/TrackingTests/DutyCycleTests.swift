import Quantities
import Testing
import TrackingOptions

@testable import Tracking

@Suite("The duty cycle of the receiver between two fixes")
struct DutyCycleTests {
    private static let intervals: [(interval: Int, timeToFix: Int?, rest: Int?)] = [
        // The rule applies from 120 s on, and if the pause is at least three times as long as the search.
        (119, 1, nil), (120, 1, 119), (120, 30, 90), (120, 31, nil), (300, 75, 225), (300, 76, nil),
        // If the time is unknown, the rule uses a warm start with an open sky, 35 s.
        (139, nil, nil), (140, nil, 105), (0, nil, nil),
    ]

    @Test("The receiver pauses only if the pause is worth a new search.", arguments: intervals)
    func rest(interval: Int, timeToFix: Int?, rest: Int?) {
        let found = DutyCycle.rest(before: .seconds(interval), timeToFix: timeToFix.map { .seconds($0) })
        #expect(found == rest.map { .seconds($0) })
    }

    private static let rules: [(UpdateRule, interval: Int, metres: Double, turn: Double, earliest: Int)] = [
        (.any, 300, 0, 0, 300), (.any, 300, 10, 0, 5), (.any, 0, 10, 0, 5), (.all, 300, 10, 0, 300),
        (.all, 0, 10, 0, 5), (.all, 300, 0, 25, 5), (.any, 0, 0, 0, 5),
    ]

    @Test(
        "The receiver is needed when the first rule may want a record, but not before fastestMovingUpdateInterval.",
        arguments: rules)
    func earliest(rule: UpdateRule, interval: Int, metres: Double, turn: Double, earliest: Int) {
        let sampler = sampler {
            $0.updateRule = rule
            $0.desiredMovingUpdateInterval = .seconds(interval)
            $0.distanceFilter = Metres(metres)
            $0.turnFilter = Degrees(turn)
            $0.fastestMovingUpdateInterval = .seconds(5)
        }
        #expect(sampler.earliestNext(at: MetresPerSecond(10)) == .seconds(earliest))
    }

    @Test("The receiver is needed at 300 s, when a significant change may be complete.")
    func significantChange() {
        let sampler = sampler {
            $0.distanceFilter = .zero
            $0.useSignificantLocationChanges = true
        }
        #expect(sampler.earliestNext(at: nil) == .seconds(300))
    }

    @Test(
        "The receiver is needed when the vehicle may have left the moving geofence.",
        arguments: [(10.0, 40), (2, 200), (1, 300), (0.5, 300), (nil, 300)])
    func movingGeofence(speed: Double?, seconds: Int) {
        let sampler = sampler {
            $0.distanceFilter = .zero
            $0.desiredMovingUpdateInterval = .seconds(300)
            $0.useMovingGeofence = true
            $0.movingGeofenceRadius = Metres(400)
        }
        #expect(sampler.earliestNext(at: speed.map(MetresPerSecond.init)) == .seconds(seconds))
    }

    @Test(
        "The receiver is needed every five minutes in a mode that records only on request.",
        arguments: [MonitoringMode.quiet, .manual])
    func unasked(mode: MonitoringMode) {
        #expect(sampler { $0.monitoring = mode }.earliestNext(at: MetresPerSecond(10)) == .seconds(300))
    }

    /// The rules of sampling under these options.
    private struct Rules {
        let options: TrackingOptions

        func earliestNext(at speed: MetresPerSecond?) -> Duration {
            Sampler(options).earliestNext(at: speed, options)
        }
    }

    private func sampler(_ change: (inout TrackingOptions) -> Void) -> Rules {
        var options = TrackingOptions()
        change(&options)
        return Rules(options: options)
    }
}
