import Tracking

/// Features in Transistor's philosophy of operation that are not in the option table.
extension CompatibilityRow {
    static let transistor =
        transistorOptions + transistorStates + transistorSampling + transistorUpload + transistorAbstains

    private static let transistorOptions: [CompatibilityRow] = [
        .option(
            "geolocation.disableElasticity", [.option("disableElasticity")], "as in all groups of version 5"),
        .option("activity.stopDetectionDelay", [.option("stopDetectionDelay")], "in minutes"),
        .option("http.url", [.section("targets")], "ignored among the tracking options"),
        .option("stopOnTerminate", [], "ignored: systemd restarts the daemon"),
    ]

    private static let transistorStates: [CompatibilityRow] = [
        .rule("motion decides, not an interval", [.profile("motion")]),
        .rule("exactly two states", [.record(.motionchange)]),
        .rule(
            "stationary: a reference position, the accelerometer, and no GPS",
            [.command("status"), .command("replay DRIVE")],
            "events `receiver` show when it is on"),
        .rule("moving: the options decide what is recorded", [.command("replay DRIVE")]),
        .rule(
            "the change from one state to the other is automatic", [.command("move"), .command("stay")],
            "a command can change it too"),
        .rule(
            "activity recognition detects motion", [.command("why"), .section("board.accelerometer")],
            "motion only: a vehicle neither walks nor runs"
        ),
        .rule("motion must last for `motionTriggerDelay`", [.option("motionTriggerDelay")]),
        .rule(
            "a geofence of `stationaryRadius` wakes a terminated app", [.option("stationaryRadius")],
            "at the start trackerd notices that the vehicle was moved meanwhile"),
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
            "plain locations are written in groups"),
        .rule("an event is on disk at once", [.command("queue")]),
        .rule(
            "records accumulate without a network", [.command("queue")],
            "at least those of a whole drive"),
        .rule(
            "records are sent when the network is back", [.command("queue")], "the newest position first"
        ),
        .rule("no location is lost to a network failure", [.command("queue")]),
    ]

    private static let transistorAbstains: [CompatibilityRow] = [
        .rule(
            "no polling on a fixed timer", [.command("replay DRIVE")],
            "a server is contacted only for a record, unless you have it polled for orders"),
        .rule(
            "no GPS running in the background", [.command("status")], "the receiver is off while the vehicle is parked"),
        .rule("no permanent wakelock", [.command("run")], "the loop sleeps until a device or a timer wakes it"),
        .none(.rule, "no screen that must be on", because: "the device has no screen"),
        .none(
            .rule, "no exemption from the system's power management",
            because: "the program runs as an ordinary user and asks for no exception"),
    ]
}
