import Tracking

/// What Transistor's philosophy has besides the names in the option table.
extension CompatibilityRow {
    static let transistor =
        transistorOptions + transistorStates + transistorSampling + transistorUpload + transistorAbstains

    private static let transistorOptions: [CompatibilityRow] = [
        .option(
            "geolocation.disableElasticity", [.option("disableElasticity")], "the groups of version 5 are known"),
        .option("activity.stopDetectionDelay", [.option("stopDetectionDelay")], "in minutes"),
        .option("http.url", [.section("targets")], "an upload setting; ignored among the tracking options"),
        .option("stopOnTerminate", [], "ignored: nobody closes a daemon, and the system restarts it"),
    ]

    private static let transistorStates: [CompatibilityRow] = [
        .rule("motion decides, and not an interval", [.profile("motion")]),
        .rule("exactly two states", [.record(.motionchange)]),
        .rule("stationary: a reference position, the accelerometer, and no GPS"),
        .rule("moving: recorded by the rules of the options"),
        .rule(
            "the change from one state to the other is automatic", [.command("move"), .command("stay")],
            "can also be commanded"),
        .rule(
            "activity recognition detects motion", [.builtIn], "by the accelerometer; a vehicle neither walks nor runs"),
        .rule("motion is confirmed against `motionTriggerDelay`", [.option("motionTriggerDelay")]),
        .rule(
            "a geofence of `stationaryRadius` wakes a terminated app", [.option("stationaryRadius")],
            "movement while the program was down is detected at its start"),
        .rule("a stop is confirmed after `stopTimeout` only", [.option("stopTimeout")]),
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
            "persist first: every location is on disk before any upload", [.builtIn], "plain locations in groups"),
        .rule("an event is on disk at once"),
        .rule("records accumulate without a network", [.builtIn], "for a whole drive"),
        .rule("they are sent when the network is back", [.builtIn], "the newest first"),
        .rule("no location is lost to a network failure"),
    ]

    private static let transistorAbstains: [CompatibilityRow] = [
        .rule("no polling on a fixed timer", [.builtIn], "and no upload without a record"),
        .rule("no GPS running in the background", [.builtIn], "the receiver is off at rest"),
        .rule("no permanent wakelock", [.builtIn], "the loop sleeps until a device or a timer wakes it"),
        .none(.rule, "no screen that must be on", because: "the device has no screen"),
        .none(
            .rule, "no exemption from the system's power management",
            because: "the program runs as an ordinary user and asks for no exception"),
    ]
}
