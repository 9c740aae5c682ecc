import Tracking

/// What the Radar SDK has beside the names of the option table.
extension SeedRow {
    static let radar = radarOptions + radarPresets + radarCalls + radarRules + radarRemote

    private static let radarOptions: [SeedRow] = [
        .option(
            "preset", [.profile("efficient"), .profile("responsive"), .profile("continuous")],
            "null: the object stands for itself",
            by: .file(
                "CompatibilityTests/RemoteOptionsTests",
                "Remote options may be a preset, which then applies as a whole.")),
        .option(
            "foregroundService.updatesOnly", [.option("indicator")], "`updates` in place of `always`",
            by: .file(
                "CompatibilityTests/RadarNotificationTests",
                "Radar's notification at updates only becomes a light that blinks at updates.")),
        .noNotification("text"), .noNotification("title"), .noNotification("icon"), .noNotification("iconString"),
        .noNotification("iconColor"), .noNotification("activity"), .noNotification("importance"),
        .noNotification("id"), .noNotification("channelName"),
    ]

    private static func noNotification(_ part: String) -> SeedRow {
        .option(
            "foregroundService.\(part)", [], "read and without effect: a board has no notifications",
            by: .file(
                "CompatibilityTests/RadarNotificationTests",
                "Texts, icons and channel of Radar's notification are accepted without an effect."
            ))
    }

    private static let androidTable = Proof.file(
        "CompatibilityTests/RadarProfileTests", "Radar's presets have every figure of the Android table.")
    private static let iOSTable = Proof.file(
        "CompatibilityTests/RadarProfileTests", "Radar's iOS presets have every figure of the iOS table.")

    private static let radarPresets: [SeedRow] = [
        .preset("EFFICIENT", "efficient", by: androidTable), .preset("RESPONSIVE", "responsive", by: androidTable),
        .preset("CONTINUOUS", "continuous", by: androidTable),
        .preset("presetEfficient", "efficient-ios", by: iOSTable),
        .preset("presetResponsive", "responsive-ios", by: iOSTable),
        .preset("presetContinuous", "continuous-ios", by: iOSTable),
    ]

    private static let radarCalls: [SeedRow] = [
        .callback(
            "startTracking", [.command("tracking start")], "with an options object too",
            by: .core("EngineCommandTests", "to track again begins with a look, also when another look was cut short")),
        .callback(
            "stopTracking", [.command("tracking stop")],
            by: .core(
                "EngineCommandTests",
                "to switch tracking off parks the vehicle, rests the receiver, and stays deaf until it is taken back")),
        .callback(
            "setForegroundServiceOptions", [.option("indicator")], "as the object `foregroundService`",
            by: .file(
                "CompatibilityTests/RadarNotificationTests",
                "Radar's notification at updates only becomes a light that blinks at updates.")),
    ]

    private static let radarRules: [SeedRow] = [
        .rule(
            "two states, stopped and moving", [.record(.motionchange)],
            by: .core("EnginePropertyTests", "never goes twice to the same state, and says why")),
        .rule(
            "options for each of the two states", [],
            by: .core("EngineTests", "records while it drives, and not while it waits at a light")),
        .rule(
            "`CONTINUOUS` reports about every 30 s, moving or stopped", [.profile("continuous")],
            by: .core("Seeds/RadarPresetLifeTests", "reports every 30 s under CONTINUOUS, parked and on its way")),
        .rule(
            "`RESPONSIVE` shuts down when stopped, and wakes up beyond 100 m", [.profile("responsive")],
            by: .core(
                "Seeds/RadarPresetLifeTests",
                "shuts down under RESPONSIVE when it stops, and has to move more than 100 m to wake up")),
        .rule(
            "`EFFICIENT` on iOS reports stops and exits alone, as visits",
            [.profile("efficient-ios"), .record(.visit)],
            by: .core(
                "Seeds/RadarPresetLifeTests", "reports its stops and departures alone under EFFICIENT on iOS, as visits"
            )
        ),
        .rule(
            "`replay`: stops, all or nothing of what failed is sent later", [.option("replay")],
            by: Proof("UploadTests/ReplayRuleTests", "is delivered later, all of it, when the rule is `all`")),
        .rule(
            "`replay` of nothing", [.option("replay")], "the newest is tried nevertheless",
            by: Proof(
                "UploadTests/ReplayRuleTests",
                "stays on the device when the rule is `none`, but the newest is always tried")),
        .rule(
            "a custom options object for iOS", [.section("tracking")],
            by: Proof(
                "TrackerDaemonTests/TrackingSectionTests", "reads the object of a Radar dashboard for iOS as it is")),
        .rule(
            "a custom options object for Android, with numbers for words", [.section("tracking")],
            by: Proof(
                "TrackerDaemonTests/TrackingSectionTests",
                "reads the object of a Radar dashboard for Android, with its numbers for words, as it is")),
        .none(
            .rule, "Low Power Mode, Doze, App Standby and Background Location Limits delay updates",
            because: "no system holds this program back"),
        .none(
            .rule, "Android vitals count wake-ups and scans", because: "no shop counts them"),
        .none(.rule, "the background mode `location`", because: "a daemon has no foreground"),
    ]

    private static let radarRemote: [SeedRow] = [
        .rule(
            "remote options by operating system", [.command("config show --remote FILE")], "`linux`, or `any`",
            by: .file(
                "CompatibilityTests/RemoteOptionsTests",
                "Remote options are selected by environment, operating system and trip status.")),
        .rule(
            "remote options by environment, live and test", [.command("config show --environment test")],
            by: .file(
                "CompatibilityTests/RemoteOptionsTests",
                "Only the most specific object of the remote options applies.")),
        .rule(
            "remote options on and off a trip", [.command("config show --on-trip")],
            by: .file(
                "TrackingOptionsTests/OptionLayersTests", "A layer may apply on a trip only, or between trips only.")),
        .rule(
            "remote options override those of the client", [], "in the engine; no server can send them yet",
            by: .file(
                "TrackingOptionsTests/OptionLayersTests",
                "A mode overrides the file, and the server overrides the mode.")),
        .rule(
            "remote options may be a preset or a whole object", [], "in the engine; no server can send them yet",
            by: .file(
                "CompatibilityTests/RemoteOptionsTests",
                "Remote options may be a preset, which then applies as a whole.")),
        .rule(
            "remote options hold until they are withdrawn", [],
            "over a restart too; in the engine; no server can send them yet",
            by: .file(
                "TrackingOptionsTests/OptionLayersTests",
                "Custom options, the mode and remote options survive a restart; other layers do not.")
        ),
    ]
}
