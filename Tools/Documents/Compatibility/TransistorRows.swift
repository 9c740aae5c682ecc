import Tracking

/// Features in Transistor's philosophy of operation that are not in the option table.
extension CompatibilityRow {
    static let transistor =
        transistorOptions + transistorStates + transistorSampling + transistorUpload + transistorAbstains

    private static let transistorOptions: [CompatibilityRow] = [
        .option(
            "geolocation.disableElasticity", [.option("disableElasticity")], "trackerd reads the groups of version 5"),
        .option("activity.stopDetectionDelay", [.option("stopDetectionDelay")], "in minutes"),
        .option("http.url", [.section("targets")], "an upload setting; ignored among the tracking options"),
        .option("stopOnTerminate", [], "ignored: users cannot close a daemon, and systemd restarts it"),
    ]

    private static let transistorStates: [CompatibilityRow] = [
        .rule("motion decides, not an interval", [.profile("motion")]),
        .rule("exactly two states", [.record(.motionchange)]),
        .rule(
            "stationary: a reference position, the accelerometer, and no GPS",
            [.command("status"), .command("replay DRIVE")],
            "the replay prints events `receiver`, which show when the receiver is on"),
        .rule("moving: the options decide what is recorded", [.command("replay DRIVE")]),
        .rule(
            "the change from one state to the other is automatic", [.command("move"), .command("stay")],
            "commands can also change the state"),
        .rule(
            "activity recognition detects motion", [.command("why"), .section("board.accelerometer")],
            "the accelerometer detects motion; trackerd distinguishes no activities, because a vehicle neither walks nor runs"
        ),
        .rule("motion must last for `motionTriggerDelay`", [.option("motionTriggerDelay")]),
        .rule(
            "a geofence of `stationaryRadius` wakes a terminated app", [.option("stationaryRadius")],
            "at its start, the program detects that the vehicle was moved while the program was down"),
        .rule("a stop is confirmed only after `stopTimeout`", [.option("stopTimeout")]),
        .rule("no stop at a traffic light", [.option("stopTimeout")]),
        .rule("no stop in slow traffic", [.option("stopTimeout")]),
        .rule("a stop releases GPS and records its place", [.record(.motionchange)]),
        .rule("`stopDetectionDelay` comes before `stopTimeout`", [.option("stopDetectionDelay")]),
    ]

    private static let transistorSampling: [CompatibilityRow] = [
        .rule("`distanceFilter` counts from the last recorded position", [.option("distanceFilter")]),
        .rule("elasticity: the filter grows with speed", [.option("elasticityMultiplier")]),
        .rule("`disableElasticity`: a fixed resolution", [.option("disableElasticity")]),
    ]

    private static let transistorUpload: [CompatibilityRow] = [
        .rule(
            "persist first: every location is on disk before any upload", [.command("queue"), .section("store")],
            "trackerd writes plain locations in groups"),
        .rule("an event is on disk at once", [.command("queue")]),
        .rule(
            "records accumulate without a network", [.command("queue")],
            "trackerd stores at least the records of a whole drive"),
        .rule(
            "records are sent when the network is back", [.command("queue")], "trackerd sends the newest position first"
        ),
        .rule("no location is lost to a network failure", [.command("queue")]),
    ]

    private static let transistorAbstains: [CompatibilityRow] = [
        .rule(
            "no polling on a fixed timer", [.command("replay DRIVE")],
            "trackerd too contacts a server only if it has a record to send, unless you let it poll for orders"),
        .rule(
            "no GPS running in the background", [.command("status")], "the receiver is off while the vehicle is parked"),
        .rule("no permanent wakelock", [.command("run")], "the loop sleeps until a device or a timer wakes it"),
        .none(.rule, "no screen that must be on", because: "the device has no screen"),
        .none(
            .rule, "no exemption from the system's power management",
            because: "the program runs as an ordinary user and asks for no exception"),
    ]
}
