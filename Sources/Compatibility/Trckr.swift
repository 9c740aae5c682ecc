import TrackingOptions

extension ForeignName {
    static let trckr: [ForeignName] =
        shared(.trckr, ["trackingSchedule", "tagForOffScheduleTracking"]) + [
            ForeignName(.trckr, "DesiredAccuracy", means: "accuracyLimit"),
            ForeignName(.trckr, "StationaryInterval", means: "stationaryInterval"),
            ForeignName(.trckr, "StationaryDistance", means: "stationaryDistance"),
            ForeignName(.trckr, "StationarySpeed", means: "stationarySpeed"),
            ForeignName(.trckr, "shouldTrackOutsideSchedule", means: "trackOutsideSchedule"),
        ]
}

extension Profile {
    /// The profile of Trckr, in which the fixes of a time window confirm stops.
    static let trckr = Profile(
        "trckr", "Confirms a stop if the fixes of 120 s show no movement, as in Trckr.",
        .from(
            "Trckr, defaults",
            [
                "accuracyLimit": .metres(200), "stationaryInterval": .seconds(120),
                "stationaryDistance": .metres(150), "stationarySpeed": .metresPerSecond(0.85),
            ]),
        .from("Trckr has no place rule", ["stopDuration": .seconds(0)]),
        .from("Trckr has no elasticity", ["disableElasticity": .flag(true)]))
}
