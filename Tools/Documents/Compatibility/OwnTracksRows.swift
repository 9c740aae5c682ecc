import TrackingOptions
import Tracking

/// OwnTracks' features that are not in the option table.
extension CompatibilityRow {
    static let ownTracks = ownTracksModes + ownTracksRules + ownTracksRegions + ownTracksWaypoints + ownTracksScreen

    private static let ownTracksModes: [CompatibilityRow] = [
        .mode("quiet", [.command("mode quiet"), .profile("quiet")], "suppresses region events too"),
        .mode(
            "manual", [.command("mode manual"), .profile("manual")],
            "only requested locations and region events"),
        .mode("significant, iOS", [.command("mode significant"), .profile("significant")]),
        .mode("move, iOS", [.command("mode move"), .profile("move")]),
        .mode("significant, Android", [.profile("significant-android")]),
        .mode("move, Android", [.profile("move-android")], "without a displacement"),
        .mode(
            "the switch between the modes", [.command("mode"), .option("monitoring")],
            "in force until `trackerd mode default`, even after a restart"),
    ]

    private static let ownTracksRules: [CompatibilityRow] = [
        .rule(
            "the user publishes the location by hand", [.command("locate"), .record(.request)], "in every mode"),
        .rule(
            "`reportLocation` is ignored in manual mode", [.option("monitoring")],
            "also in quiet mode; [remote-control.md](remote-control.md)"),
        .rule(
            "low power in manual mode, with as few fixes as in significant mode", [.option("monitoring")],
            "a fix every five minutes, for region events"),
        .rule(
            "a device at rest publishes only an occasional ping",
            [.option("heartbeatInterval"), .record(.ping)]),
        .rule("500 m are published after 5 minutes, and 10 km in 5 minutes only once", [.profile("significant")]),
        .rule("displacement and interval must both be reached on Android", [.option("updateRule")], "`all`"),
        .rule(
            "locations that other apps request are used too",
            [.profile("significant-android"), .option("usePassiveFixes")],
            "only trackerd's own requests: no other app shares the receiver"),
        .rule(
            "the priority without power uses only fixes that other requests cause", [.option("desiredAccuracy")],
            "`none`; the receiver is never switched on, so records have no position"),
        .rule("records are published over MQTT", [.section("targets")]),
    ]

    private static let ownTracksRegions: [CompatibilityRow] = [
        .rule(
            "entering and leaving a circular region is reported", [.command("region"), .record(.transition)]),
        .rule("regions do not depend on the mode", [.record(.transition)], "except in quiet mode"),
        .rule(
            "a region event also publishes the location", [.record(.location)],
            "marked as caused by a region"),
        .rule("a radius of 0 switches a region off", [.command("waypoint")]),
        .rule(
            "a UUID in the description makes it a beacon region", [.command("waypoint"), .option("beacons")]),
        .rule("entering and leaving a beacon region is reported", [.record(.transition)]),
        .rule(
            "the events `c` and `b`, `enter` and `leave`, with the description", [.record(.transition)],
            "with the trigger `area` or `beacon`"),
        .rule(
            "a waypoint is published when the user creates or changes it", [.command("waypoint"), .record(.waypoint)]),
    ]

    private static let ownTracksWaypoints: [CompatibilityRow] = [
        "waypoint row 1: an automatic location is not a waypoint",
        "waypoint row 2: a location without a description is not a waypoint",
        "waypoint row 3: a waypoint with only a description is published, but not watched",
        "waypoint row 4: a circle, event `c` without a description",
        "waypoint row 5: a circle, event `c` with a description, published",
        "waypoint row 6: a beacon, event `b` without a description",
        "waypoint row 7: a beacon, event `b` with a description, published",
        "waypoint row 8: a circle and a beacon: the circle counts, event `c` without a description",
        "waypoint row 9: a circle and a beacon: the circle counts, event `c` with a description, published",
    ].map { name in
        let isPrivate = name.contains(", event") && name.hasSuffix("without a description")
        return .rule(name, [.command("waypoint")], isPrivate ? "`--no-shared`; `shared: false`" : "")
    }

    private static let ownTracksScreen: [CompatibilityRow] = [
        .rule(
            "red while in a region, blue while not", [.command("status")],
            "each record names the regions that contain the vehicle"),
        .none(.rule, "the icons of the modes", because: "the device has no screen"),
        .none(.rule, "move mode while the app is in the foreground", because: "a daemon always runs in the background"),
        .rule(
            "move mode while charging only", [.command("mode move"), .section("board.ignition")],
            "not needed: the vehicle supplies the power, and the receiver is off while parked"
        ),
    ]
}
