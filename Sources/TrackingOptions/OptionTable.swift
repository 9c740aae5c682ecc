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
            "Fixes with a larger horizontal error are refused."),
        TrackingOption(
            "fixTimeout", \.fixTimeout, .seconds(1)...day,
            "How long the receiver may search; then trackerd uses the best fix so far, or pauses the search."),
    ]

    static let sampling: [TrackingOption] = [
        TrackingOption(
            "desiredMovingUpdateInterval", \.desiredMovingUpdateInterval, .zero...day,
            "While moving, record at least this often; 0: no time rule."),
        TrackingOption(
            "fastestMovingUpdateInterval", \.fastestMovingUpdateInterval, .zero...day,
            "While moving, never record more often than this."),
        TrackingOption(
            "desiredStoppedUpdateInterval", \.desiredStoppedUpdateInterval, .zero...day,
            "While parked, power the receiver this often for one record; 0: receiver off."),
        TrackingOption(
            "fastestStoppedUpdateInterval", \.fastestStoppedUpdateInterval, .zero...day,
            "While parked, record fixes that other requests cause, at most this often; 0: only with usePassiveFixes."),
        TrackingOption(
            "distanceFilter", \.distanceFilter, 0...farthest,
            "Record after this distance from the last record; 0: no distance rule."),
        TrackingOption(
            "updateRule", \.updateRule,
            "Whether the time rule or the distance rule is enough (`any`), or both must be met (`all`)."),
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
            "Record after 500 m from the last record, but at most every 300 s."),
        TrackingOption(
            "useMovingGeofence", \.useMovingGeofence,
            "While the receiver is off between two fixes, request one as soon as the vehicle can have left the circle around the last record, if such a short time saves power."
        ),
        TrackingOption(
            "movingGeofenceRadius", \.movingGeofenceRadius, 0...farthest,
            "The radius of the useMovingGeofence circle; 0: no circle."),
        TrackingOption(
            "usePassiveFixes", \.usePassiveFixes,
            "Also record fixes that other requests cause, at most every fastestMovingUpdateInterval or fastestStoppedUpdateInterval."
        ),
        TrackingOption(
            "arrivalPoints", \.arrivalPoints, 0...20,
            "The number of fixes near an arrival that trackerd records with it, for servers that detect visits."),
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
            "A stop is also confirmed if all fixes of this duration are within stopDistance; 0: rule off."),
        TrackingOption(
            "stopDistance", \.stopDistance, 0...farthest,
            "The largest distance between fixes of one place; 0: rule off."),
        TrackingOption(
            "stopRequiresRest", \.stopRequiresRest,
            "The stopDuration rule also requires that the vehicle rests, so that shunting is no stop; without proof of rest, three times stopDuration is enough."
        ),
        TrackingOption(
            "stationaryInterval", \.stationaryInterval, .zero...day,
            "A stop is also confirmed if the fixes of this duration show neither distance nor speed; 0: rule off."),
        TrackingOption(
            "stationaryDistance", \.stationaryDistance, 1...farthest,
            "The largest bounding-box diagonal of the fixes in stationaryInterval."),
        TrackingOption(
            "stationarySpeed", \.stationarySpeed, 0.01...100,
            "The average speed in stationaryInterval must be below this: the mean of the reported speeds, or the path divided by the time."
        ),
        TrackingOption(
            "stationaryRadius", \.stationaryRadius, 25...farthest,
            "A fix farther than this from the parked place starts a trip."),
        TrackingOption(
            "useStoppedGeofence", \.useStoppedGeofence,
            "Leaving the circle around the parked place starts a trip; motion inside it does not."),
        TrackingOption(
            "stoppedGeofenceRadius", \.stoppedGeofenceRadius, 0...farthest,
            "The radius of the useStoppedGeofence circle; 0: no circle."),
        TrackingOption(
            "parkedCheckInterval", \.parkedCheckInterval, .zero...day,
            "While parked without motion, check the position this often: ferries and smooth tows; 0: never."),
        TrackingOption(
            "startDistance", \.startDistance, 0...farthest,
            "Motion starts a trip only beyond this distance from the parked place; 0: at once."),
        TrackingOption(
            "startDelay", \.startDelay, .zero...day,
            "Neither motion nor a fix starts a trip before this long after the stop; 0: at once."),
        TrackingOption("stopOnIgnitionOff", \.stopOnIgnitionOff, "Switching the ignition off ends the trip at once."),
        TrackingOption("tripGap", \.tripGap, .zero...day, "Stops shorter than this do not split a trip."),
    ]
}
