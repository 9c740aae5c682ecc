import Tracking

/// Trckr's features that are not in the option table.
extension CompatibilityRow {
    static let trckr = trckrProperties + trckrRules + trckrPermissions

    private static let trckrProperties: [CompatibilityRow] = [
        .callback(
            "trackingEnabled",
            [.command("tracking start"), .command("tracking stop"), .option("trackingSchedule")],
            "survives a restart; crontab fields, as in Trckr's example, set `trackingSchedule`"),
        .callback("shared", [.command("run")], "one daemon per database"),
        .callback(
            "delegate", [.command("watch --json"), .section("targets")],
            "events for a program on this computer, records for a server"
        ),
        .callback("TrckrDelegate.shouldTrackOutsideSchedule()", [.option("trackOutsideSchedule")]),
        .callback(
            "locations", [.option("stationaryInterval")], "the fixes of this time are in memory"),
        .callback("lastLocation", [.command("status")], "even after a restart"),
        .callback(
            "locationServicesEnabled", [.command("status"), .record(.providerchange)],
            "whether the receiver answers; no permission is needed"),
        .callback("isWithinSchedule", [.command("status")], "true without a schedule"),
        .callback(
            "stationary(locations:interval:after:)",
            [.function("stationary(locations:interval:after:distance:speed:)")]),
        .callback(
            "stationary(…) without enough locations",
            [.function("stationary(locations:interval:after:distance:speed:)")],
            "returns nil"),
        .callback(
            "stationary(…) with after", [.function("stationary(locations:interval:after:distance:speed:)")]),
    ]

    private static let trckrRules: [CompatibilityRow] = [
        .preset("the defaults", "trckr"),
        .rule(
            "continuous updates while the user moves", [.profile("trckr"), .option("distanceFilter")],
            "a record every 10 m; Trckr has no distance filter"),
        .rule("continuous updates end when the user is stationary", [.option("stationaryInterval")]),
        .rule(
            "a bounding box and an average speed decide", [.option("stationaryDistance"), .option("stationarySpeed")]),
        .rule(
            "an exit from the geofence resumes continuous updates", [.option("stationaryRadius")],
            "the accelerometer notices before 150 to 1000 m have passed"),
        .rule(
            "significant changes keep the app alive in the background", [.option("useSignificantLocationChanges")],
            "a daemon needs no such help"),
        .rule("beacons identify the vehicle", [.option("beacons")]),
        .rule("the schedule of the example: Monday to Friday, 10 to 20", [.option("trackingSchedule")]),
        .rule("trips outside the schedule have a tag", [.option("tagForOffScheduleTracking")]),
    ]

    private static let trckrPermissions: [CompatibilityRow] = [
        .option("NSMotionUsageDescription", [.command("doctor")], ofBoards),
        .option("NSLocationAlwaysAndWhenInUseUsageDescription", [.command("doctor")], ofBoards),
        .option("NSLocationAlwaysUsageDescription", [.command("doctor")], ofBoards),
        .option("NSLocationWhenInUseUsageDescription", [.command("doctor")], ofBoards),
        .none(.option, "UIBackgroundModes", because: "a daemon always runs in the background"),
        .none(.callback, "CLLocationManagerDelegate", because: "gpsd replaces CoreLocation"),
    ]

    /// The counterpart of a phone's permissions.
    static let ofBoards =
        "reports missing access to devices"
}
