package import TrackingOptions

extension OptionSystem {
    static let transistorKeysWithoutEffect = [
        "url", "autoSync", "autoSyncThreshold", "batchSync", "maxBatchSize", "headers", "params", "debug", "logLevel",
        "logMaxDays", "stopOnTerminate", "startOnBoot", "foregroundService", "notification", "preventSuspend", "reset",
        "showsBackgroundLocationIndicator", "locationAuthorizationRequest",
    ]

    /// The groups of options in Transistor since version 5.
    static let transistorGroups = ["geolocation", "activity", "app", "http", "persistence", "logger"]
}

extension ForeignName {
    static let transistor: [ForeignName] =
        shared(
            .transistor,
            ["distanceFilter", "disableElasticity", "elasticityMultiplier", "stationaryRadius", "heartbeatInterval"])
        + [
            ForeignName(
                .transistor, "desiredAccuracy", means: "desiredAccuracy",
                .words(["-2": "best", "-1": "high", "10": "medium", "100": "low", "1000": "low"])),
            ForeignName(.transistor, "locationTimeout", means: "fixTimeout"),
            ForeignName(
                .transistor, "locationUpdateInterval", means: "desiredMovingUpdateInterval", .milliseconds),
            ForeignName(
                .transistor, "fastestLocationUpdateInterval", means: "fastestMovingUpdateInterval", .milliseconds),
            ForeignName(.transistor, "useSignificantChangesOnly", means: "useSignificantLocationChanges"),
            ForeignName(.transistor, "motionTriggerDelay", means: "motionTriggerDelay", .milliseconds),
            ForeignName(.transistor, "stopTimeout", means: "stopTimeout", .minutes),
            ForeignName(.transistor, "stopDetectionDelay", means: "stopDetectionDelay", .minutes),
            ForeignName(.transistor, "maxDaysToPersist", means: "maxDaysToPersist", unbounded),
            ForeignName(.transistor, "maxRecordsToPersist", means: "maxRecordsToPersist", unbounded),
        ]

    /// Transistor writes -1 for no limit.
    private static let unbounded = Reading.words(["-1": "0"])
}

extension Profile {
    /// The profile of Transistor, in which motion alone confirms stops.
    package static let motion = Profile(
        "motion",
        "Only the accelerometer confirms stops; the values are the defaults of Transistor's background geolocation.",
        .from(
            "Transistor, defaults",
            [
                "distanceFilter": .metres(10), "disableElasticity": .flag(false), "elasticityMultiplier": .number(1),
                "motionTriggerDelay": .seconds(0), "stopTimeout": .seconds(300), "stopDetectionDelay": .seconds(0),
                "stationaryRadius": .metres(150),
            ]),
        .from("Transistor has no place rule", ["stopDuration": .seconds(0)]))
}
