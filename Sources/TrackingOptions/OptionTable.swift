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
            "What servers receive without a request: nothing (`quiet`), only region events (`manual`), or all records (`significant`, `move`)."
        ),
        TrackingOption(
            "desiredAccuracy", \.desiredAccuracy,
            "How accurate a fix must be; the receiver needs more time and power for a more accurate fix."),
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
            "While the vehicle moves, record when this time has passed since the last record; 0: no time rule."),
        TrackingOption(
            "fastestMovingUpdateInterval", \.fastestMovingUpdateInterval, .zero...day,
            "The shortest time between two records while the vehicle moves."),
        TrackingOption(
            "desiredStoppedUpdateInterval", \.desiredStoppedUpdateInterval, .zero...day,
            "While the vehicle is parked, switch the receiver on at this interval and record one fix; 0: never."),
        TrackingOption(
            "fastestStoppedUpdateInterval", \.fastestStoppedUpdateInterval, .zero...day,
            "While the vehicle is parked, record fixes that other requests cause, but at most one in this time; 0: record such fixes only if usePassiveFixes is on."
        ),
        TrackingOption(
            "distanceFilter", \.distanceFilter, 0...farthest,
            "Record when the vehicle is at this distance from the last record; 0: no distance rule."),
        TrackingOption(
            "updateRule", \.updateRule,
            "Record a fix if it meets the time rule or the distance rule (`any`), or only if it meets both rules (`all`)."
        ),
        TrackingOption(
            "disableElasticity", \.disableElasticity, "Use the same distance filter at all speeds."),
        TrackingOption(
            "elasticityMultiplier", \.elasticityMultiplier, 0...100,
            "How strongly the distance filter grows with speed; 0: not at all."),
        TrackingOption(
            "turnFilter", \.turnFilter, 0...180,
            "Also record when the course has changed by this angle since the last record; 0: off."),
        TrackingOption(
            "useSignificantLocationChanges", \.useSignificantLocationChanges,
            "Record when the vehicle is 500 m from the last record, but at most once in 300 s."),
        TrackingOption(
            "useMovingGeofence", \.useMovingGeofence,
            "While the receiver is off between two fixes, switch it on when the vehicle can have left the circle around the last record; no effect if the receiver would be off too briefly to save power."
        ),
        TrackingOption(
            "movingGeofenceRadius", \.movingGeofenceRadius, 0...farthest,
            "The radius of the circle of useMovingGeofence; 0: no circle."),
        TrackingOption(
            "usePassiveFixes", \.usePassiveFixes,
            "Also record fixes that other requests cause: during a trip at most one in fastestMovingUpdateInterval, and while the vehicle is parked at most one in fastestStoppedUpdateInterval."
        ),
        TrackingOption(
            "arrivalPoints", \.arrivalPoints, 0...20,
            "At an arrival, also record this number of fixes from the same place, because some servers need several points to detect a visit."
        ),
    ]
}

/// When a trip starts and ends.
extension TrackingOption {
    static let stops: [TrackingOption] = [
        TrackingOption(
            "motionTriggerDelay", \.motionTriggerDelay, .zero...day,
            "Motion starts a trip only after it has lasted for this time."),
        TrackingOption(
            "stopTimeout", \.stopTimeout, .seconds(1)...day, "Confirm a stop after this time without motion."),
        TrackingOption(
            "stopDetectionDelay", \.stopDetectionDelay, .zero...day,
            "Stop detection begins after this time without motion."),
        TrackingOption(
            "stopDuration", \.stopDuration, .zero...day,
            "Also confirm a stop if all fixes of this time are within stopDistance of each other; 0: rule off."
        ),
        TrackingOption(
            "stopDistance", \.stopDistance, 0...farthest,
            "The largest distance between two fixes that count as the same place; 0: the rule of stopDuration is off."),
        TrackingOption(
            "stopRequiresRest", \.stopRequiresRest,
            "The rule of stopDuration also requires that the fixes show the vehicle at rest, so that shunting does not count as a stop; if the fixes are too noisy to show this, they must be at the same place for three times stopDuration."
        ),
        TrackingOption(
            "stationaryInterval", \.stationaryInterval, .zero...day,
            "Also confirm a stop if the fixes of this time are within stationaryDistance and slower than stationarySpeed; 0: rule off."
        ),
        TrackingOption(
            "stationaryDistance", \.stationaryDistance, 1...farthest,
            "The largest diagonal of the bounding box of the fixes in stationaryInterval."),
        TrackingOption(
            "stationarySpeed", \.stationarySpeed, 0.01...100,
            "The limit for the average speed in stationaryInterval; the average is the mean of the speeds that the receiver reports, or without such speeds the length of the path divided by the time."
        ),
        TrackingOption(
            "stationaryRadius", \.stationaryRadius, 25...farthest,
            "Two fixes in a row farther than this from the parked place start a trip."),
        TrackingOption(
            "useStoppedGeofence", \.useStoppedGeofence,
            "Leaving the circle around the parked place starts a trip; motion inside the circle does not."),
        TrackingOption(
            "stoppedGeofenceRadius", \.stoppedGeofenceRadius, 0...farthest,
            "The radius of the circle of useStoppedGeofence; 0: no circle."),
        TrackingOption(
            "parkedCheckInterval", \.parkedCheckInterval, .zero...day,
            "While the vehicle is parked without motion, check the position at this interval, to detect a ferry or a smooth tow; 0: never."
        ),
        TrackingOption(
            "startDistance", \.startDistance, 0...farthest,
            "Motion starts a trip only if the vehicle is farther than this from the parked place; 0: motion starts a trip at any distance."
        ),
        TrackingOption(
            "startDelay", \.startDelay, .zero...day,
            "Within this time after a stop, neither motion nor a fix starts a trip; 0: no delay."),
        TrackingOption("stopOnIgnitionOff", \.stopOnIgnitionOff, "Switching the ignition off ends the trip at once."),
        TrackingOption("tripGap", \.tripGap, .zero...day, "Stops shorter than this time do not split a trip."),
    ]
}
