import Tracking

/// Features of the Radar SDK that are not in the option table.
extension CompatibilityRow {
    static let radar = radarOptions + radarPresets + radarCalls + radarRules + radarRemote

    private static let radarOptions: [CompatibilityRow] = [
        .option(
            "preset", [.profile("efficient"), .profile("responsive"), .profile("continuous")],
            "the preset's name on Android or iOS; null selects Radar's defaults"
        ),
        .option(
            "platform", [.section("tracking.radar")],
            "our own key: `ios` or `android`, if no other key shows the platform"),
        .option(
            "foregroundService.updatesOnly", [.option("indicator")],
            "`updates` instead of `always`"),
        .noNotification("text"), .noNotification("title"), .noNotification("icon"), .noNotification("iconString"),
        .noNotification("iconColor"), .noNotification("activity"), .noNotification("importance"),
        .noNotification("id"), .noNotification("channelName"),
    ]

    private static func noNotification(_ part: String) -> CompatibilityRow {
        .option("foregroundService.\(part)", [], "accepted and ignored: a board has no notifications")
    }

    private static let radarPresets: [CompatibilityRow] = [
        .preset("EFFICIENT", "efficient"), .preset("RESPONSIVE", "responsive"),
        .preset("CONTINUOUS", "continuous"),
        .preset("presetEfficient", "efficient-ios"),
        .preset("presetResponsive", "responsive-ios"),
        .preset("presetContinuous", "continuous-ios"),
    ]

    private static let radarCalls: [CompatibilityRow] = [
        .callback("startTracking", [.command("tracking start")], "also with an options object"),
        .callback("stopTracking", [.command("tracking stop")]),
        .callback(
            "setForegroundServiceOptions", [.option("indicator")],
            "same names as in `foregroundService`"),
    ]

    private static let radarRules: [CompatibilityRow] = [
        .rule("two states, stopped and moving", [.record(.motionchange)]),
        .rule(
            "options for each of the two states",
            [.option("desiredMovingUpdateInterval"), .option("desiredStoppedUpdateInterval")]),
        .rule("`CONTINUOUS` reports about every 30 s, moving or stopped", [.profile("continuous")]),
        .rule(
            "`RESPONSIVE` reports about every 2.5 min while moving", [.profile("responsive")],
            "every 150 s, but not within 30 s of another record"),
        .rule("`RESPONSIVE` shuts down when stopped", [.profile("responsive")]),
        .rule(
            "`RESPONSIVE` wakes up beyond 100 m", [.profile("responsive"), .option("useStoppedGeofence")]),
        .rule(
            "`EFFICIENT` reports as fast as every 6 minutes while moving", [.profile("efficient")],
            "every 20 min, or 6 min if fixes are taken for another reason"),
        .rule("`EFFICIENT` reports periodically when stopped", [.profile("efficient")], "every hour"),
        .rule(
            "`EFFICIENT` wakes up beyond 100 m, and at least 15 minutes after the stop",
            [.profile("efficient"), .option("startDistance"), .option("startDelay")],
            "`ignition` and `trackerd move` start a trip at once"),
        .rule(
            "`presetEfficient` reports only stops and exits, as visits",
            [.profile("efficient-ios"), .record(.visit)]),
        .rule(
            "`presetEfficient` wakes up after several hundred metres and the departure of a visit",
            [.profile("efficient-ios"), .option("startDistance")], "300 m"),
        .rule(
            "the presets have a lowest, a low and a moderate battery usage",
            [.command("replay DRIVE --profile efficient,responsive,continuous")],
            "shows on-time of the receiver and charge of each"),
        .rule("`replay`: of the failed records, all, only stops or none are sent later", [.option("replay")]),
        .rule("`replay` set to none", [.option("replay")], "the newest position is still sent"),
        .rule("a custom options object for iOS", [.section("tracking.radar")]),
        .rule("a custom options object for Android, with numbers instead of words", [.section("tracking.radar")]),
        .rule(
            "Low Power Mode, Doze, App Standby and Background Location Limits delay updates",
            [.section("board.lowVoltage")],
            "nothing throttles the program; with a low battery it pauses uploads, beacons and position checks"
        ),
        .none(.rule, "Android vitals count wake-ups and scans", because: "no app store counts them"),
        .none(.rule, "the background mode `location`", because: "a daemon always runs in the background"),
    ]

    private static let radarRemote: [CompatibilityRow] = [
        .rule(
            "remote options by operating system", [.command("config show --remote FILE")], "`linux` or `any`"),
        .rule("remote options by environment, live and test", [.command("config show --environment test")]),
        .rule("remote options on and off a trip", [.command("config show --on-trip")]),
        .rule(
            "remote options override those of the client", [.command("config show --remote FILE")],
            "[remote-control.md](remote-control.md)"),
        .rule(
            "remote options may be a preset or a whole object", [.command("config show --remote FILE")],
            "[remote-control.md](remote-control.md)"),
        .rule(
            "remote options apply until they are withdrawn", [.command("config show --remote FILE")],
            "even after a restart; [remote-control.md](remote-control.md)"),
    ]
}
