import Quantities

/// When a trip starts and ends.
extension TrackingOption {
    static let stops: [TrackingOption] = [
        .duration(
            "motionTriggerDelay", \.motionTriggerDelay, .zero...day, "Motion must last this long before it counts."),
        .duration(
            "stopTimeout", \.stopTimeout, .seconds(1)...day, "A stop is confirmed after this long without motion."),
        .duration(
            "stopDetectionDelay", \.stopDetectionDelay, .zero...day,
            "Stop detection does not begin before this long without motion."),
        .duration(
            "stopDuration", \.stopDuration, .zero...day,
            "Also stopped when all fixes of this long lie within stopDistance; 0: rule off."),
        .metres(
            "stopDistance", \.stopDistance, 1...farthest,
            "How far apart the fixes of one place may lie; 0 switches the rule off too.", isUntouchedByZero: true),
        .duration(
            "stationaryInterval", \.stationaryInterval, .zero...day,
            "Also stopped when the fixes of this long show neither way nor speed; 0: rule off."),
        .metres(
            "stationaryDistance", \.stationaryDistance, 1...farthest,
            "How large the bounding box of those fixes may be."),
        .speed(
            "stationarySpeed", \.stationarySpeed, 0.01...100, "Their average speed must be below this."),
        .metres(
            "stationaryRadius", \.stationaryRadius, 25...farthest,
            "A fix farther than this from the parked place means moving."),
        .flag(
            "useStoppedGeofence", \.useStoppedGeofence,
            "Leaving the bubble round the parked place starts a trip, and a wake that stays inside it does not."),
        .metres(
            "stoppedGeofenceRadius", \.stoppedGeofenceRadius, 1...farthest,
            "How far that bubble reaches; 0 leaves it as it is.",
            isUntouchedByZero: true),
        .flag("stopOnIgnitionOff", \.stopOnIgnitionOff, "Switching the ignition off ends the trip at once."),
        .duration("tripGap", \.tripGap, .zero...day, "Stops shorter than this do not split a trip."),
    ]
}
