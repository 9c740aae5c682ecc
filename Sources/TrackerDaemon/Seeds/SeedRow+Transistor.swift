import Tracking

/// What Transistor's philosophy has beside the names of the option table.
extension SeedRow {
    static let transistor =
        transistorOptions + transistorStates + transistorSampling + transistorUpload + transistorAbstains

    private static let transistorOptions: [SeedRow] = [
        .option(
            "geolocation.disableElasticity", [.option("disableElasticity")], "the groups of version 5 are known",
            by: .file("CompatibilityTests/OptionReaderTests", "Transistor's options may be sorted into its groups.")),
        .option(
            "activity.stopDetectionDelay", [.option("stopDetectionDelay")], "in minutes",
            by: .file("CompatibilityTests/OptionReaderTests", "Transistor's options may be sorted into its groups.")),
        .option(
            "http.url", [.section("targets")], "a key of the upload, read over among the options",
            by: Proof("TrackerDaemonTests/ConfigurationTests", "needs three lines")),
        .option(
            "stopOnTerminate", [], "read over, since nobody closes a daemon, and the system starts it again",
            by: .file(
                "CompatibilityTests/OptionReaderTests", "Keys that have no effect on tracking are accepted with a note."
            )),
    ]

    private static let transistorStates: [SeedRow] = [
        .rule(
            "motion decides, and not an interval", [.profile("motion")],
            by: .core("Seeds/PhilosophyTests", "a parked vehicle waits for no timer, and its receiver is off")),
        .rule(
            "exactly two states", [.record(.motionchange)],
            by: .core("EnginePropertyTests", "never goes twice to the same state, and says why")),
        .rule(
            "stationary: a reference position, the accelerometer, and no GPS",
            by: .core(
                "EngineTests",
                "looks where the vehicle is when it starts, and switches the receiver off when that is known")),
        .rule(
            "moving: recorded as the options say",
            by: .core("EngineTests", "records while it drives, and not while it waits at a light")),
        .rule(
            "the way from one state to the other is automatic", [.command("move"), .command("stay")],
            "may be told, too", by: .core("EngineTests", "departs for each of its reasons")),
        .rule(
            "activity recognition tells of motion", [], "by the accelerometer; a vehicle neither walks nor runs",
            by: Proof("MotionTests/MotionDetectorTests", "begins with the third lively window")),
        .rule(
            "motion is confirmed against `motionTriggerDelay`", [.option("motionTriggerDelay")],
            by: .core(
                "EngineTests", "forgets a burst shorter than motionTriggerDelay, and rests the receiver again")),
        .rule(
            "a geofence of `stationaryRadius` wakes a terminated app", [.option("stationaryRadius")],
            "what happened while the program was down is seen at its start",
            by: Proof(
                "Scenarios/PowerCutWhileDriving", "of a parked vehicle that is found elsewhere tells of the new place")),
        .rule(
            "a stop is confirmed after `stopTimeout` only", [.option("stopTimeout")],
            by: .core("StillnessRuleTests", "is not confirmed when motion came first")),
        .rule(
            "no stop at a traffic light", [.option("stopTimeout")],
            by: Proof("Scenarios/TrafficLight", "is no stop, whether the engine idles or is switched off")),
        .rule(
            "no stop in slow traffic", [.option("stopTimeout")],
            by: Proof("Scenarios/Queue", "is no stop without an accelerometer either")),
        .rule(
            "a stop releases GPS and records its place", [.record(.motionchange)],
            by: .core("EngineTests", "writes the place and the moment of arrival before it switches the receiver off")),
        .rule(
            "`stopDetectionDelay` comes before `stopTimeout`", [.option("stopDetectionDelay")],
            by: .core("StopReasonTests", "by stillness only after stopDetectionDelay and stopTimeout together")),
    ]

    private static let transistorSampling: [SeedRow] = [
        .rule(
            "`distanceFilter` counts from the last recorded position", [.option("distanceFilter")],
            by: .core(
                "Seeds/PhilosophyTests",
                "on its way records are so far apart as the filter says, however much time they take")),
        .rule(
            "elasticity: the filter grows with speed", [.option("elasticityMultiplier")],
            by: .core("DistanceRuleTests", "grows with speed, a filter length for each 5 m/s begun")),
        .rule(
            "`disableElasticity`: a fixed resolution", [.option("disableElasticity")],
            by: .core("DistanceRuleTests", "stays the same when elasticity is off")),
    ]

    private static let transistorUpload: [SeedRow] = [
        .rule(
            "persist first: every location is on disk before any upload", [], "plain locations in groups",
            by: Proof(
                "EndToEndTests/KillTests",
                "at a hundred moments of a drive loses nothing that was on disk, doubles nothing, and the servers get it all"
            )),
        .rule(
            "an event is on disk at once",
            by: Proof(
                "StoreTests/RecordQueueTests", "has an event on disk at once, and takes the locations before it along")),
        .rule(
            "records accumulate without a network", [], "for a whole drive",
            by: Proof(
                "EndToEndTests/OutageTests", "arrives afterwards, the newest place first, then the rest in order")),
        .rule(
            "they are sent when the network is back", [], "the newest first",
            by: Proof(
                "UploadTests/UploadWorkerTests", "brings every record after the server was away, the newest first")),
        .rule(
            "no location is lost to a network failure",
            by: Proof(
                "UploadTests/DeliveryModelTests",
                "brings every record at least once, none that is refused, and the newest first after each outage")),
    ]

    private static let transistorAbstains: [SeedRow] = [
        .rule(
            "no polling on a fixed timer", [], "and no upload without a record",
            by: Proof("UploadTests/UploadWorkerTests", "does not wake up when there is nothing to do")),
        .rule(
            "no GPS running in the background", [], "the receiver is off at rest",
            by: .core(
                "EnginePropertyTests", "switches the receiver off after a drive only when the stop has been recorded")),
        .rule(
            "no wakelock that is held for ever", [], "the loop sleeps until a device or a timer wakes it",
            by: Proof(
                "HouseTests/BorderTests",
                "keeps Swift concurrency and Dispatch out of the daemon: either costs a wake-up a second for ever")),
        .none(.rule, "no screen that must be on", because: "the device has no screen"),
        .none(
            .rule, "no way round the power management of the system",
            because: "the program runs as an ordinary user and asks for no exception"),
    ]
}
