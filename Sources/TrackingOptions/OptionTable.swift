import Quantities

/// The table of tracking options.
extension TrackingOption {
    /// All options, in the order in which trackerd lists them.
    package static let all = accuracy + sampling + stops + recording + upload + schedule

    /// Returns the option with this key, or nil if there is none.
    package static func named(_ key: String) -> TrackingOption? { all.first { $0.key == key } }

    /// The longest duration that an option may have.
    static let day = Duration.seconds(86_400)
    /// The longest distance that an option may have, in metres; a longer distance is most likely a typing error.
    static let farthest = 100_000.0
}

/// How accurate a fix must be, and which fixes become records.
extension TrackingOption {
    static let accuracy: [TrackingOption] = [
        TrackingOption(
            "monitoring", \.monitoring,
            "What trackerd records without a request: nothing, region events, significant changes of position, or the whole route."
        ),
        TrackingOption(
            "desiredAccuracy", \.desiredAccuracy,
            "How accurate a fix must be, and how much power the receiver may use for it."),
        TrackingOption(
            "accuracyLimit", \.accuracyLimit, 1...farthest,
            "Reject fixes with a larger horizontal error."),
        TrackingOption(
            "fixTimeout", \.fixTimeout, .seconds(1)...day,
            "How long the receiver may search for a fix; after this time trackerd uses the best fix so far, or pauses the search."
        ),
    ]

    static let sampling: [TrackingOption] = [
        TrackingOption(
            "desiredMovingUpdateInterval", \.desiredMovingUpdateInterval, .zero...day,
            "While moving, record after this time since the last record; 0: no time rule."),
        TrackingOption(
            "fastestMovingUpdateInterval", \.fastestMovingUpdateInterval, .zero...day,
            "The shortest time between two records while moving."),
        TrackingOption(
            "desiredStoppedUpdateInterval", \.desiredStoppedUpdateInterval, .zero...day,
            "While parked, power the receiver at this interval, for one record each time; 0: never."),
        TrackingOption(
            "fastestStoppedUpdateInterval", \.fastestStoppedUpdateInterval, .zero...day,
            "While parked, record fixes that other requests cause, at most one fix in this time; 0: only if usePassiveFixes is on."
        ),
        TrackingOption(
            "distanceFilter", \.distanceFilter, 0...farthest,
            "Record after this distance from the last record; 0: no distance rule."),
        TrackingOption(
            "updateRule", \.updateRule,
            "Record a fix that meets the time rule or the distance rule (`any`), or only one that meets both (`all`)."),
        TrackingOption(
            "disableElasticity", \.disableElasticity, "Use the same distance filter at all speeds."),
        TrackingOption(
            "elasticityMultiplier", \.elasticityMultiplier, 0...100,
            "How strongly the distance filter grows with speed; 0: not at all."),
        TrackingOption(
            "turnFilter", \.turnFilter, 0...180,
            "Also record if the course has changed by this angle since the last record; 0: off."),
        TrackingOption(
            "useSignificantLocationChanges", \.useSignificantLocationChanges,
            "Record when the vehicle is 500 m from the last record, but at most once in 300 s."),
        TrackingOption(
            "useMovingGeofence", \.useMovingGeofence,
            "While the receiver is off between two fixes, power it as soon as the vehicle can have left the circle around the last record; no effect if the receiver would be off too briefly to save power."
        ),
        TrackingOption(
            "movingGeofenceRadius", \.movingGeofenceRadius, 0...farthest,
            "The radius of the circle of useMovingGeofence; 0: no circle."),
        TrackingOption(
            "usePassiveFixes", \.usePassiveFixes,
            "Also record fixes that other requests cause, at most one in fastestMovingUpdateInterval while moving, and one in fastestStoppedUpdateInterval while parked."
        ),
        TrackingOption(
            "arrivalPoints", \.arrivalPoints, 0...20,
            "The number of fixes at the place of an arrival that trackerd records with the arrival, for servers that detect visits."
        ),
    ]
}

/// When a trip starts and ends.
extension TrackingOption {
    static let stops: [TrackingOption] = [
        TrackingOption(
            "motionTriggerDelay", \.motionTriggerDelay, .zero...day, "Motion must last this long before a trip starts."),
        TrackingOption(
            "stopTimeout", \.stopTimeout, .seconds(1)...day, "A stop is confirmed after this long without motion."),
        TrackingOption(
            "stopDetectionDelay", \.stopDetectionDelay, .zero...day,
            "Stop detection begins after this long without motion."),
        TrackingOption(
            "stopDuration", \.stopDuration, .zero...day,
            "A stop is also confirmed if, for this time, all fixes are within stopDistance of each other; 0: rule off."),
        TrackingOption(
            "stopDistance", \.stopDistance, 0...farthest,
            "The largest distance between two fixes at the same place; 0: rule off."),
        TrackingOption(
            "stopRequiresRest", \.stopRequiresRest,
            "The stopDuration rule also requires that the vehicle rests, so that shunting does not count as a stop; if nothing proves the rest, the fixes must cover three times stopDuration."
        ),
        TrackingOption(
            "stationaryInterval", \.stationaryInterval, .zero...day,
            "A stop is also confirmed if, for this time, the fixes show neither a displacement nor a speed; 0: rule off."
        ),
        TrackingOption(
            "stationaryDistance", \.stationaryDistance, 1...farthest,
            "The largest diagonal of the bounding box of the fixes in stationaryInterval."),
        TrackingOption(
            "stationarySpeed", \.stationarySpeed, 0.01...100,
            "The limit for the average speed in stationaryInterval; the average is the mean of the reported speeds, or the path divided by the time."
        ),
        TrackingOption(
            "stationaryRadius", \.stationaryRadius, 25...farthest,
            "A fix farther than this from the parked place starts a trip."),
        TrackingOption(
            "useStoppedGeofence", \.useStoppedGeofence,
            "Leaving the circle around the parked place starts a trip; motion inside the circle does not."),
        TrackingOption(
            "stoppedGeofenceRadius", \.stoppedGeofenceRadius, 0...farthest,
            "The radius of the circle of useStoppedGeofence; 0: no circle."),
        TrackingOption(
            "parkedCheckInterval", \.parkedCheckInterval, .zero...day,
            "While parked without motion, check the position at this interval, to detect ferries and smooth tows; 0: never."
        ),
        TrackingOption(
            "startDistance", \.startDistance, 0...farthest,
            "Motion starts a trip only if the vehicle is beyond this distance from the parked place; 0: at once."),
        TrackingOption(
            "startDelay", \.startDelay, .zero...day,
            "Within this time after a stop, neither motion nor a fix starts a trip; 0: no delay."),
        TrackingOption("stopOnIgnitionOff", \.stopOnIgnitionOff, "Switching the ignition off ends the trip at once."),
        TrackingOption("tripGap", \.tripGap, .zero...day, "Stops shorter than this do not split a trip."),
    ]
}
