import Quantities
import TestSupport
import TrackingOptions

@testable import Tracking

extension SplitMix {
    /// Returns random options: about half of the options have their defaults, the others have random values within their ranges.
    mutating func options() -> TrackingOptions {
        var options = TrackingOptions()
        set(&options.monitoring, .move, .move, .significant, .manual, .quiet)
        set(&options.desiredAccuracy, .best, .high, .medium, .low, .none)
        set(&options.accuracyLimit, Metres(1), Metres(50), Metres(100_000))
        set(&options.fixTimeout, .seconds(1), .seconds(20), .seconds(600), .seconds(86_400))
        sample(&options)
        set(&options.motionTriggerDelay, .seconds(3), .seconds(60), .seconds(86_400))
        set(&options.stopTimeout, .seconds(1), .seconds(60), .seconds(180), .seconds(86_400))
        set(&options.stopDetectionDelay, .seconds(60), .seconds(86_400))
        set(&options.stopDuration, .zero, .seconds(1), .seconds(60), .seconds(86_400))
        set(&options.stopDistance, Metres(1), Metres(500), Metres(100_000))
        set(&options.stationaryInterval, .seconds(120), .seconds(10))
        set(&options.stationaryRadius, Metres(25), Metres(500), Metres(100_000))
        set(&options.useStoppedGeofence, true)
        set(&options.stoppedGeofenceRadius, Metres(25), Metres(1000))
        set(&options.startDistance, Metres(100), Metres(300))
        set(&options.startDelay, .seconds(60), .seconds(900))
        set(&options.stopOnIgnitionOff, true)
        set(&options.parkedCheckInterval, .zero, .seconds(600), .seconds(86_400))
        set(&options.tripGap, .seconds(60), .seconds(3600))
        set(&options.useVisits, true)
        set(&options.heartbeatInterval, .seconds(60), .seconds(3600))
        set(&options.arrivalPoints, 0, 1, 20)
        set(&options.sync, .none, .stopsAndExits)
        return options
    }

    private mutating func sample(_ options: inout TrackingOptions) {
        set(&options.desiredMovingUpdateInterval, .seconds(10), .seconds(150), .seconds(300), .seconds(86_400))
        set(&options.fastestMovingUpdateInterval, .zero, .seconds(5), .seconds(600))
        set(&options.desiredStoppedUpdateInterval, .seconds(30), .seconds(600), .seconds(86_400))
        set(&options.fastestStoppedUpdateInterval, .seconds(1), .seconds(60))
        set(&options.distanceFilter, .zero, Metres(100), Metres(100_000))
        set(&options.updateRule, .all)
        set(&options.disableElasticity, true)
        set(&options.elasticityMultiplier, 0, 0.5, 100)
        set(&options.turnFilter, Degrees(25), Degrees(180))
        set(&options.useSignificantLocationChanges, true)
        set(&options.useMovingGeofence, true)
        set(&options.movingGeofenceRadius, .zero, Metres(25), Metres(5000))
        set(&options.usePassiveFixes, true)
    }

    private mutating func set<Value>(_ value: inout Value, _ others: Value...) {
        if once(in: 2) { value = pick(others) }
    }
}
