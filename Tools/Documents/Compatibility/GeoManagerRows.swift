import Tracking

/// GeoManager's features that are not in the option table.
extension CompatibilityRow {
    static let geoManager = geoManagerCalls + geoManagerRequest + geoManagerRules + geoManagerPermissions

    private static let geoManagerCalls: [CompatibilityRow] = [
        .callback(
            "startLocationCollection()", [.command("tracking start"), .profile("interval")],
            "with the configured options; the profile has GeoManager's defaults"),
        .callback("startLocationCollection(configuration:)", [.command("tracking start --options FILE")]),
        .callback(
            "stopLocationCollection()", [.command("tracking stop")], "also discards the configuration"),
        .callback("getConfiguration()", [.command("tracking show")]),
        .callback("GeoConfiguration", [.section("tracking.geoManager")]),
        .callback("GeoTime", [.option("startTime"), .option("endTime")]),
        .callback(
            "GeoManager.shared", [.command("run")], "one daemon per database"
        ),
    ]

    private static let geoManagerRequest: [CompatibilityRow] = [
        .callback("requestLocation", [.command("locate"), .record(.request)]),
        .callback("requestLocation(actionParameters:)", [.command("locate"), .record(.request)]),
        .callback(
            "requestLocation: success", [.record(.request)], "when a fix meets `desiredAccuracy`"),
        .callback("requestLocation: failure", [.record(.request)], "after `fixTimeout`"),
        .option("actionType", [.record(.request)]),
        .option("actionLog", [.record(.request)]),
        .option("actionId", [.record(.request)]),
        .option("actionDuration", [.record(.request)]),
        .option("additionalLog", [.record(.request)]),
    ]

    private static let geoManagerRules: [CompatibilityRow] = [
        .preset("the default configuration", "interval"),
        .rule(
            "an interval and/or a distance", [.option("updateRule")], "`any`, as in GeoManager, or `all`"),
        .rule("the tracker spools for 60 s", [.option("desiredSyncInterval")]),
        .rule(
            "a property out of its range has its default",
            [.section("tracking.geoManager"), .command("config check FILE")],
            "with a warning; under our own keys it is an error"),
        .rule(
            "60 to 1800 s and 200 to 500 m", [.option("desiredMovingUpdateInterval"), .option("distanceFilter")]),
        .rule("the day must begin before it ends", [.option("startTime"), .option("endTime")]),
        .rule("the day ends at 23:59", [.option("endTime")]),
        .rule("reading the last known location powers no receiver", [.command("status")]),
        .rule(
            "only significant changes while the app is not in use", [.option("useSignificantLocationChanges")],
            "only if you set the option"),
        .rule(
            "the interval works only in the foreground",
            [.profile("interval"), .option("desiredStoppedUpdateInterval")],
            "always, even while parked"),
    ]

    private static let geoManagerPermissions: [CompatibilityRow] = [
        .rule("authorization: not determined, restricted or denied", [.command("doctor")], ofBoards),
        .rule("authorization: always, or when in use", [.command("doctor")], ofBoards),
        .none(.rule, "foreground, background and terminated", because: "a daemon runs from boot to power-off"),
        .none(.rule, "the background mode for location updates", because: "a daemon always runs in the background"),
        .none(
            .rule, "calls on the main thread",
            because: "one loop owns the tracker and receives commands through a socket"),
        .none(.rule, "Apple's reasons to reject an app", because: "there is no app store"),
    ]
}
