extension TrackingOption {
    /// `trackerd config show` lists the options in this order.
    package static let all = accuracy + sampling + stops + recording + upload + schedule

    package static func named(_ key: String) -> TrackingOption? { all.first { $0.key == key } }

    static let day = Duration.seconds(86_400)
    /// The longest distance in metres; a longer one is most likely a typing error.
    static let farthest = 100_000.0
}

extension TrackingOption {
    static let accuracy: [TrackingOption] = [
        TrackingOption(
            "monitoring", \.monitoring, floor: .words(["move", "significant", "manual", "quiet"], last: "significant"),
            "What servers receive unasked: nothing (`quiet`), region events (`manual`), or everything (`significant`, `move`)."
        ),
        TrackingOption(
            "desiredAccuracy", \.desiredAccuracy,
            floor: .words(["best", "high", "medium", "low", "none"], last: "low"),
            "How accurate a fix must be; better ones take more time and power."),
        TrackingOption(
            "accuracyLimit", \.accuracyLimit, 1...farthest, floor: .number(from: .accuracy),
            "Reject fixes with a larger horizontal error."),
        TrackingOption(
            "fixTimeout", \.fixTimeout, .seconds(1)...day, floor: .number(from: .fixed(60), to: .fixed(600)),
            "How long to search for a fix; then the best so far counts, or if there is none, the search pauses."
        ),
    ]

    static let sampling: [TrackingOption] = [
        TrackingOption(
            "desiredMovingUpdateInterval", \.desiredMovingUpdateInterval, .zero...day,
            floor: .number(to: .interval, zero: .track),
            "While moving, record when this time has passed since the last record; 0: no time rule."),
        TrackingOption(
            "fastestMovingUpdateInterval", \.fastestMovingUpdateInterval, .zero...day, floor: .number(to: .interval),
            "The shortest time between two records while moving."),
        TrackingOption(
            "desiredStoppedUpdateInterval", \.desiredStoppedUpdateInterval, .zero...day,
            floor: .number(to: .interval, zero: .off),
            "While parked, switch the receiver on at this interval and record one fix; 0: never."),
        TrackingOption(
            "fastestStoppedUpdateInterval", \.fastestStoppedUpdateInterval, .zero...day,
            floor: .number(to: .interval, zero: .off),
            "While parked, also record fixes taken for another reason, at most one per interval; 0 leaves that to usePassiveFixes."
        ),
        TrackingOption(
            "distanceFilter", \.distanceFilter, 0...farthest, floor: .number(to: .distance, zero: .track),
            "Record at this distance from the last record; 0: no distance rule."),
        TrackingOption(
            "updateRule", \.updateRule, floor: .words(["any", "all"], last: "any"),
            "Record a fix that meets the time or the distance rule (`any`), or both (`all`)."
        ),
        TrackingOption(
            "disableElasticity", \.disableElasticity, floor: .staysOn,
            "Use the same distance filter at all speeds."),
        TrackingOption(
            "elasticityMultiplier", \.elasticityMultiplier, 0...100, floor: .number(to: .fixed(1)),
            "How strongly the distance filter grows with speed; 0: not at all."),
        TrackingOption(
            "turnFilter", \.turnFilter, 0...180, floor: .number(to: .fixed(90), zero: .off),
            "Also record when the course has changed by this angle since the last record; 0: off."),
        TrackingOption(
            "useSignificantLocationChanges", \.useSignificantLocationChanges, floor: .track,
            "Record 500 m from the last record, at most once in 300 s."),
        TrackingOption(
            "useMovingGeofence", \.useMovingGeofence, floor: .staysOn,
            "Switch the receiver on once the vehicle can have left the circle around the last record; no effect where a pause saves no power."
        ),
        TrackingOption(
            "movingGeofenceRadius", \.movingGeofenceRadius, 0...farthest, floor: .number(to: .distance, zero: .off),
            "The radius of the circle of useMovingGeofence; 0: no circle."),
        TrackingOption(
            "usePassiveFixes", \.usePassiveFixes, floor: .staysOn,
            "Also record fixes taken for another reason, at most one in fastestMovingUpdateInterval, or while parked in fastestStoppedUpdateInterval."
        ),
        TrackingOption(
            "arrivalPoints", \.arrivalPoints, 0...20, floor: .number(from: .owner),
            "At an arrival, record this many more fixes of the place, because some servers need several points for a visit."
        ),
    ]
}

extension TrackingOption {
    static let stops: [TrackingOption] = [
        TrackingOption(
            "motionTriggerDelay", \.motionTriggerDelay, .zero...day, floor: .number(to: .fixed(60)),
            "Motion starts a trip only after it has lasted for this time."),
        TrackingOption(
            "stopTimeout", \.stopTimeout, .seconds(1)...day, floor: .number(from: .fixed(60), to: .interval),
            "Confirm a stop after this time without motion."),
        TrackingOption(
            "stopDetectionDelay", \.stopDetectionDelay, .zero...day, floor: .number(to: .interval),
            "Stop detection begins after this time without motion."),
        TrackingOption(
            "stopDuration", \.stopDuration, .zero...day, floor: .number(from: .fixed(60), zero: .harmless),
            "Also confirm a stop if all fixes of this time are within stopDistance; 0: off."
        ),
        TrackingOption(
            "stopDistance", \.stopDistance, 0...farthest, floor: .number(to: .fixed(150)),
            "The largest distance between two fixes at one place; 0: the rule of stopDuration is off."),
        TrackingOption(
            "stopRequiresRest", \.stopRequiresRest, floor: .harmless,
            "The rule of stopDuration also requires rest, so that shunting is no stop; if the fixes are too noisy to show rest, the rule takes three times as long."
        ),
        TrackingOption(
            "stationaryInterval", \.stationaryInterval, .zero...day, floor: .number(from: .fixed(60), zero: .harmless),
            "Also confirm a stop if the fixes of this time are within stationaryDistance and slower than stationarySpeed; 0: off."
        ),
        TrackingOption(
            "stationaryDistance", \.stationaryDistance, 1...farthest, floor: .number(to: .fixed(150)),
            "The largest diagonal of the bounding box of the fixes in stationaryInterval."),
        TrackingOption(
            "stationarySpeed", \.stationarySpeed, 0.01...100, floor: .number(to: .fixed(1)),
            "The largest average speed in stationaryInterval: the mean of the reported speeds, or path divided by time."
        ),
        TrackingOption(
            "stationaryRadius", \.stationaryRadius, 25...farthest, floor: .number(to: .fixed(500)),
            "Two fixes in a row farther than this from the parked place start a trip."),
        TrackingOption(
            "useStoppedGeofence", \.useStoppedGeofence, floor: .staysOff(unlessWithinLimit: "stoppedGeofenceRadius"),
            "Leaving the circle around the parked place starts a trip; motion inside the circle does not."),
        TrackingOption(
            "stoppedGeofenceRadius", \.stoppedGeofenceRadius, 0...farthest, floor: .number(to: .fixed(500)),
            "The radius of the circle of useStoppedGeofence; 0: no circle."),
        TrackingOption(
            "parkedCheckInterval", \.parkedCheckInterval, .zero...day, floor: .number(to: .interval, zero: .off),
            "While parked without motion, check the position at this interval, to detect a ferry or a smooth tow; 0: never."
        ),
        TrackingOption(
            "startDistance", \.startDistance, 0...farthest, floor: .number(to: .fixed(500)),
            "Motion starts a trip only beyond this distance from the parked place; 0: at any."
        ),
        TrackingOption(
            "startDelay", \.startDelay, .zero...day, floor: .number(to: .fixed(120)),
            "Within this time after a stop, neither motion nor a fix starts a trip; 0: no delay."),
        TrackingOption(
            "stopOnIgnitionOff", \.stopOnIgnitionOff, floor: .harmless,
            "Switching the ignition off ends the trip at once."),
        TrackingOption(
            "tripGap", \.tripGap, .zero...day, floor: .number(to: .interval),
            "Stops shorter than this time do not split a trip."),
    ]
}
