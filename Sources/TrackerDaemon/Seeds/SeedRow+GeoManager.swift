import Tracking

/// What GeoManager has beside the names of the option table.
extension SeedRow {
    static let geoManager = geoManagerCalls + geoManagerRequest + geoManagerRules + geoManagerPermissions

    private static let geoManagerCalls: [SeedRow] = [
        .callback(
            "startLocationCollection()", [.command("tracking start"), .profile("interval")],
            "as the configuration says; the defaults are the profile",
            by: .core("Seeds/CollectionTests", "started without a configuration has the defaults")),
        .callback(
            "startLocationCollection(configuration:)", [.command("tracking start --options FILE")],
            by: .core("Seeds/CollectionTests", "started with one has that")),
        .callback(
            "stopLocationCollection()", [.command("tracking stop")], "forgets the configuration that was given",
            by: .core(
                "Seeds/CollectionTests",
                "shows the configuration that was given, and none when none was, or after it was stopped")),
        .callback(
            "getConfiguration()", [.command("tracking show")],
            by: Proof(
                "EndToEndTests/ControlCommandTests",
                "switch tracking off and on, with options of one's own that survive a restart until it is switched off")
        ),
        .callback(
            "GeoConfiguration", [.section("tracking.geoManager")],
            by: .file(
                "CompatibilityTests/GeoManagerTests",
                "A GeoManager configuration is read as GeoManager's documentation writes it.")),
        .callback(
            "GeoTime", [.option("startTime"), .option("endTime")],
            by: .file(
                "CompatibilityTests/SeedNameTests", "A time of day may be an object of hours and minutes.")),
        .callback(
            "GeoManager.shared", [], "one program a database, and so one tracker",
            by: Proof("StoreTests/RecordQueueTests", "belongs to one program at a time")),
    ]

    private static let answered = Proof.core(
        "Seeds/CollectionTests", "is answered once with the place, and with its five action parameters")

    private static let geoManagerRequest: [SeedRow] = [
        .callback("requestLocation", [.command("locate"), .record(.request)], by: answered),
        .callback(
            "requestLocation(actionParameters:)", [.command("locate"), .record(.request)],
            by: Proof(
                "EndToEndTests/ControlCommandTests",
                "locate the vehicle, and keep with the record what they were told about the action")),
        .callback(
            "requestLocation: success", [.record(.request)], "as good as `desiredAccuracy`",
            by: .core("RequestsTests", "is answered with the first fix that is good enough, with its action")),
        .callback(
            "requestLocation: failure", [.record(.request)], "after `fixTimeout`",
            by: .core("Seeds/CollectionTests", "fails with a reason when there is no fix in time")),
        .option("actionType", [.record(.request)], by: answered),
        .option("actionLog", [.record(.request)], by: answered),
        .option("actionId", [.record(.request)], by: answered),
        .option("actionDuration", [.record(.request)], by: answered),
        .option("additionalLog", [.record(.request)], by: answered),
    ]

    private static let geoManagerRules: [SeedRow] = [
        .preset(
            "the default configuration", "interval",
            by: .file(
                "CompatibilityTests/ProfileTests", "A profile has the figures of the product that it is named after.")),
        .rule(
            "an interval and/or a distance", [.option("updateRule")], "`any`, which GeoManager means, or `all`",
            by: .core("SamplerTests", "by time, by displacement, or by both, as updateRule says")),
        .rule(
            "the tracker spools for 60 s", [.option("desiredSyncInterval")],
            by: Proof(
                "UploadTests/DeliveryTests", "begins an upload once in the interval, with what waited when it began")),
        .rule(
            "a property out of its range has its default", [], "with a warning; our own keys are refused instead",
            by: .file(
                "CompatibilityTests/GeoManagerTests",
                "A GeoManager property that is out of its range has GeoManager's default, with a warning.")),
        .rule(
            "60 to 1800 s and 200 to 500 m", [.option("desiredMovingUpdateInterval"), .option("distanceFilter")],
            by: .file("CompatibilityTests/GeoManagerTests", "The limits of a GeoManager property are within its range.")
        ),
        .rule(
            "the day must begin before it ends", [.option("startTime"), .option("endTime")],
            by: .file(
                "CompatibilityTests/GeoManagerTests",
                "GeoManager hours that do not begin before they end are both replaced by the defaults.")),
        .rule(
            "the day ends at 23:59", [.option("endTime")],
            by: .file("CompatibilityTests/ProfileTests", "GeoManager's profile ends the day at 23:59.")),
        .rule(
            "the last known location is taken as it comes, and nothing is powered for it", [.command("status")],
            by: .core("Seeds/LastPlaceTests", "is there at rest and after a restart, without the receiver")),
        .rule(
            "significant changes alone while the app is not in use", [.option("useSignificantLocationChanges")],
            "an option, since a daemon is always in use",
            by: .core("SamplerTests", "after 500 m, but not within 300 s of the last")),
        .rule(
            "the interval works in the foreground alone", [], "here always",
            by: .core("SamplerTests", "by time, by displacement, or by both, as updateRule says")),
    ]

    private static let geoManagerPermissions: [SeedRow] = [
        .none(.rule, "authorization: not determined, restricted or denied", because: ofPhones),
        .none(.rule, "authorization: always, or when in use", because: ofPhones),
        .none(.rule, "foreground, background and terminated", because: "a daemon runs from boot to power-off"),
        .none(.rule, "the background mode for location updates", because: "a daemon has no foreground"),
        .none(
            .rule, "calls on the main thread", because: "one loop owns the tracker, and orders come to it by a socket"),
        .none(.rule, "Apple's reasons to reject an app", because: "no shop stands in between"),
    ]
}
