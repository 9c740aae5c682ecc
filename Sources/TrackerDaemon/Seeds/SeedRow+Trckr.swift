import Tracking

/// What Trckr has beside the names of the option table.
extension SeedRow {
    static let trckr = trckrProperties + trckrRules + trckrPermissions

    private static let trckrProperties: [SeedRow] = [
        .callback(
            "trackingEnabled", [.command("tracking start"), .command("tracking stop")], "remembered over a restart",
            by: Proof(
                "EndToEndTests/ControlCommandTests",
                "switch tracking off and on, with options of one's own that survive a restart until it is switched off")
        ),
        .callback(
            "shared", [], "one program a database, and so one tracker",
            by: Proof("StoreTests/RecordQueueTests", "belongs to one program at a time")),
        .callback(
            "delegate", [.section("targets")], "whoever wants to be told is a target of the upload",
            by: Proof("UploadTests/UploadWorkerTests", "lets no target wait for another")),
        .callback(
            "TrckrDelegate.shouldTrackOutsideSchedule()", [.option("trackOutsideSchedule")],
            by: .core(
                "Seeds/ScheduledTrackingTests", "may be tracked outside of, with a tag on its records and none inside")
        ),
        .callback(
            "locations", [.option("stationaryInterval")], "kept for as long as the window is, in memory alone",
            by: .core("WindowRuleTests", "looks back no further than the interval, to the second")),
        .callback(
            "lastLocation", [.command("status")], "after a restart too",
            by: .core("Seeds/LastPlaceTests", "is there at rest and after a restart, without the receiver")),
        .callback(
            "locationServicesEnabled", [.command("status"), .record(.providerchange)],
            "whether the receiver answers; there is no permission to ask for",
            by: .core("EngineHealthTests", "is told of, power-cycled, and told of again when it is back")),
        .callback(
            "isWithinSchedule", [.command("status")], "true without a schedule",
            by: .core("Seeds/ScheduledTrackingTests", "is always open when there is none")),
        .callback(
            "stationary(locations:interval:after:)",
            [.function("stationary(locations:interval:after:distance:speed:)")],
            by: .core("StationaryTests", "is found when the locations of the interval lie close together")),
        .callback(
            "stationary(…) without enough locations",
            [.function("stationary(locations:interval:after:distance:speed:)")],
            "finds nothing", by: .core("StationaryTests", "is unknown when the locations do not fill the interval")),
        .callback(
            "stationary(…) with after", [.function("stationary(locations:interval:after:distance:speed:)")],
            by: .core("StationaryTests", "takes only locations after the given time")),
    ]

    private static let trckrRules: [SeedRow] = [
        .preset(
            "the defaults", "trckr",
            by: .file(
                "CompatibilityTests/ProfileTests", "A profile has the figures of the product that it is named after.")),
        .rule(
            "continuous updates while the user moves",
            by: .core("EngineTests", "records while it drives, and not while it waits at a light")),
        .rule(
            "continuous updates end when the user is stationary", [.option("stationaryInterval")],
            by: .core(
                "WindowRuleTests",
                "is confirmed with the place and the time of arrival as soon as the interval is filled")),
        .rule(
            "a bounding box and an average speed judge", [.option("stationaryDistance"), .option("stationarySpeed")],
            by: .core(
                "WindowRuleTests", "is confirmed when the public function finds the stationary location, and only then")
        ),
        .rule(
            "an exit from the geofence resumes them", [.option("stationaryRadius")],
            "beside the accelerometer, which needs no 150 to 1000 m",
            by: .core(
                "Seeds/PhilosophyTests",
                "a place beyond stationaryRadius and the error of the fix starts a trip, though nothing was felt")),
        .rule(
            "significant changes sustain it in the background", [.option("useSignificantLocationChanges")],
            "a daemon needs nothing that sustains it",
            by: .core("SamplerTests", "after 500 m, but not within 300 s of the last")),
        .rule(
            "beacons tell which vehicle is used", [.option("beacons")],
            by: .core("VehicleDetectionTests", "is the one whose beacon is heard most strongly in the first 60 s")),
        .rule(
            "the schedule of the example: Monday to Friday, 10 to 20", [.option("trackingSchedule")],
            by: .file(
                "CalendarTests/CrontabTests", "Trckr's example line means Monday to Friday from 10:00 until 20:59.")),
        .rule(
            "trips out of schedule have a tag", [.option("tagForOffScheduleTracking")],
            by: .core(
                "Seeds/ScheduledTrackingTests", "may be tracked outside of, with a tag on its records and none inside")
        ),
    ]

    private static let trckrPermissions: [SeedRow] = [
        .none(.option, "NSMotionUsageDescription", because: ofPhones),
        .none(.option, "NSLocationAlwaysAndWhenInUseUsageDescription", because: ofPhones),
        .none(.option, "NSLocationAlwaysUsageDescription", because: ofPhones),
        .none(.option, "NSLocationWhenInUseUsageDescription", because: ofPhones),
        .none(.option, "UIBackgroundModes", because: "a daemon has no foreground"),
        .none(.callback, "CLLocationManagerDelegate", because: "gpsd takes the place of CoreLocation"),
    ]

    /// Why a permission has no meaning.
    static let ofPhones = "the owner of the device gives the program the right to it once, and nobody is asked later"
}
