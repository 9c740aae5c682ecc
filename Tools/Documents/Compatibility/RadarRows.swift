import Tracking

/// Features of the Radar SDK besides its names in the option table.
extension CompatibilityRow {
    static let radar = radarOptions + radarPresets + radarCalls + radarRules + radarRemote

    private static let radarOptions: [CompatibilityRow] = [
        .option(
            "preset", [.profile("efficient"), .profile("responsive"), .profile("continuous")],
            "null: trackerd uses the object as it is"),
        .option("foregroundService.updatesOnly", [.option("indicator")], "`updates` instead of `always`"),
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
            "setForegroundServiceOptions", [.option("indicator")], "as the object `foregroundService`"),
    ]

    private static let radarRules: [CompatibilityRow] = [
        .rule("two states, stopped and moving", [.record(.motionchange)]),
        .rule("options for each of the two states", [.builtIn]),
        .rule("`CONTINUOUS` reports about every 30 s, moving or stopped", [.profile("continuous")]),
        .rule("`RESPONSIVE` shuts down when stopped, and wakes up beyond 100 m", [.profile("responsive")]),
        .rule(
            "`EFFICIENT` on iOS reports only stops and exits, as visits",
            [.profile("efficient-ios"), .record(.visit)]),
        .rule("`replay`: of the failed records, all, only stops or none are sent later", [.option("replay")]),
        .rule("`replay` set to none", [.option("replay")], "the newest record is still sent"),
        .rule("a custom options object for iOS", [.section("tracking")]),
        .rule("a custom options object for Android, with numbers instead of words", [.section("tracking")]),
        .none(
            .rule, "Low Power Mode, Doze, App Standby and Background Location Limits delay updates",
            because: "no system throttles this program"),
        .none(.rule, "Android vitals count wake-ups and scans", because: "no app store counts them"),
        .none(.rule, "the background mode `location`", because: "a daemon has no foreground"),
    ]

    private static let radarRemote: [CompatibilityRow] = [
        .rule(
            "remote options by operating system", [.command("config show --remote FILE")], "`linux` or `any`"),
        .rule("remote options by environment, live and test", [.command("config show --environment test")]),
        .rule("remote options on and off a trip", [.command("config show --on-trip")]),
        .rule(
            "remote options override those of the client", [.builtIn],
            "the engine supports this; no server can send remote options yet"),
        .rule(
            "remote options may be a preset or a whole object", [.builtIn],
            "the engine supports this; no server can send remote options yet"),
        .rule(
            "remote options apply until they are withdrawn", [.builtIn],
            "also after a restart; the engine supports this; no server can send remote options yet"),
    ]
}
