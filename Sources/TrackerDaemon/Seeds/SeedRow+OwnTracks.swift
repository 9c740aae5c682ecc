import Tracking

/// What OwnTracks has beside the names of the option table.
extension SeedRow {
    static let ownTracks = ownTracksModes + ownTracksRules + ownTracksRegions + ownTracksWaypoints + ownTracksScreen

    private static let unasked = Proof.core(
        "EngineModeTests", "that records nothing unasked leaves no point of the track, however the vehicle drives")
    private static let inEveryMode = Proof.core(
        "Seeds/OwnTracksRegionTests", "are told in every mode but quiet, whatever else that records")
    private static let manualRequest = Proof.core(
        "EngineModeTests", "ignores a remote request in manual and in quiet, and nobody else's")

    private static let ownTracksModes: [SeedRow] = [
        .mode("quiet", [.command("mode quiet"), .profile("quiet")], "no region events either", by: inEveryMode),
        .mode(
            "manual", [.command("mode manual"), .profile("manual")], "what is asked for, and region events", by: unasked
        ),
        .mode(
            "significant, iOS", [.command("mode significant"), .profile("significant")],
            by: .core(
                "Seeds/OwnTracksModeTests",
                "in significant mode make one record for 500 m and more, at most every 5 minutes")
        ),
        .mode(
            "move, iOS", [.command("mode move"), .profile("move")],
            by: .core(
                "Seeds/OwnTracksModeTests", "in move mode make a record at 100 m or after 300 s, whatever is first")),
        .mode(
            "significant, Android", [.profile("significant-android")],
            by: .core("Seeds/OwnTracksModeTests", "in significant mode on Android make a record every 15 minutes")),
        .mode(
            "move, Android", [.profile("move-android")], "the profile has no displacement",
            by: .core(
                "Seeds/OwnTracksModeTests", "in move mode on Android make a record every 10 s, however far that is")),
        .mode(
            "the switch between them", [.command("mode"), .option("monitoring")], "it outlives a restart",
            by: .core("Seeds/OwnTracksModeTests", "may be switched while it runs, and outlive a restart")),
    ]

    private static let ownTracksRules: [SeedRow] = [
        .rule(
            "the user publishes the location by hand", [.command("locate"), .record(.request)], "in every mode",
            by: manualRequest),
        .rule(
            "`reportLocation` is ignored in manual mode", [.option("monitoring")],
            "in quiet mode too; in the engine; no server can ask yet",
            by: manualRequest),
        .rule(
            "low power in manual mode, as seldom as in significant mode", [.option("monitoring")],
            "every five minutes, for the regions",
            by: .core("DutyCycleTests", "is needed every five minutes in a mode that records nothing unasked")),
        .rule(
            "who does not move publishes nothing, but a ping once in a while",
            [.option("heartbeatInterval"), .record(.ping)],
            by: .core("ParkedVehicleTests", "a ping is recorded each heartbeatInterval, without the receiver")),
        .rule(
            "500 m are published after 5 minutes, and 10 km in 5 minutes once", [.profile("significant")],
            by: .core(
                "Seeds/OwnTracksModeTests",
                "in significant mode make one record for 500 m and more, at most every 5 minutes")
        ),
        .rule(
            "displacement and interval must both hold on Android", [.option("updateRule")], "`all`",
            by: .core("SamplerTests", "by time, by displacement, or by both, as updateRule says")),
        .rule(
            "locations of other apps are taken as they come", [.option("fastestStoppedUpdateInterval")],
            "a fix that is there for another reason; no other app shares the receiver",
            by: .core(
                "ParkedVehicleTests",
                "a fix that is there anyway is recorded at most each fastestStoppedUpdateInterval, and by default never"
            )),
        .rule(
            "the priority with no power takes what is there", [.option("desiredAccuracy")], "`none`",
            by: .core("EngineModeTests", "listens to fixes that are there anyway when desiredAccuracy is none")),
        .rule(
            "published over MQTT", [.section("targets")],
            by: Proof(
                "UploadTests/FormatTests", "leaves out over MQTT what the topic says, and retains only the newest")),
    ]

    private static let ownTracksRegions: [SeedRow] = [
        .rule(
            "a circular region is told of when it is entered and left", [.command("region"), .record(.transition)],
            by: .core("RegionTrackerTests", "is entered at once by a fix that lies inside by more than its error")),
        .rule("regions do not depend on the mode", [.record(.transition)], "but for quiet", by: inEveryMode),
        .rule(
            "the location is published additionally", [.record(.location)], "and says that a region asked for it",
            by: .core("Seeds/OwnTracksRegionTests", "bring a location along, which says that a region asked for it")),
        .rule(
            "a radius of 0 switches a region off", [.command("waypoint")],
            by: .core("Seeds/OwnTracksRegionTests", "are switched off by setting their radius to 0")),
        .rule(
            "a UUID in the description makes it a beacon region", [.command("waypoint"), .option("beacons")],
            by: .core("WaypointTests", "may name a beacon, where 0 stands for any number")),
        .rule(
            "a beacon region is told of when it is entered and left", [.record(.transition)],
            by: .core(
                "Seeds/OwnTracksRegionTests",
                "may be a beacon, named in the description: heard it is entered, and unheard it is left")),
        .rule(
            "the events `c` and `b`, `enter` and `leave`, with the description", [.record(.transition)],
            "of the trigger `area` or `beacon`",
            by: Proof(
                "UploadTests/RecordKindTests", "that have a message of their own, on a topic of its own, never retained"
            )),
        .rule(
            "a waypoint is published when it is made or changed", [.command("waypoint"), .record(.waypoint)],
            by: .core(
                "Seeds/OwnTracksRegionTests", "are told as waypoints when they are made, and when they are changed")),
    ]

    private static let ownTracksWaypoints: [SeedRow] = [
        "waypoint row 1: an automatic location is no waypoint", "waypoint row 2: without a description it is none",
        "waypoint row 3: a description alone is told, and not watched",
        "waypoint row 4: a circle, event `c` without a description",
        "waypoint row 5: a circle, event `c` with it, told",
        "waypoint row 6: a beacon, event `b` without a description",
        "waypoint row 7: a beacon, event `b` with it, told",
        "waypoint row 8: with both the circle counts, event `c` without a description",
        "waypoint row 9: with both the circle counts, event `c` with it, told",
    ].map { name in
        .rule(
            name, [.command("waypoint")],
            by: .core("WaypointTests", "is told, and watched by its border or its beacon, as OwnTracks' table has it"))
    }

    private static let ownTracksScreen: [SeedRow] = [
        .rule(
            "red while in a region, blue while not", [.command("status")],
            "no map: each record names the regions that it was made in",
            by: .core("Seeds/OwnTracksRegionTests", "name themselves in each record that is made in them")),
        .none(.rule, "the icons of the modes", because: "the device has no screen"),
        .none(.rule, "move mode while the app is in the foreground", because: "a daemon has no foreground"),
        .none(
            .rule, "move mode while charging only",
            because: "the vehicle feeds the device; a switch of mode is one command"),
    ]
}
