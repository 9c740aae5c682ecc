/// OwnTracks' modes.
///
/// A mode may be switched to while another profile holds, so each says all that there is to say about which fixes
/// become records.
extension Profile {
    static let quiet = Profile(
        "quiet", "Only what is asked for, as OwnTracks' quiet mode.",
        .from("OwnTracks, quiet mode", ["monitoring": .choice(MonitoringMode.quiet)]), nothingUnasked, rules)

    static let manual = Profile(
        "manual", "What is asked for, and region events, as OwnTracks' manual mode.",
        .from("OwnTracks, manual mode", ["monitoring": .choice(MonitoringMode.manual)]), nothingUnasked, rules)

    static let significant = Profile(
        "significant", "Every 500 m at most every 300 s, as OwnTracks' significant mode on iOS.",
        .from(
            "OwnTracks, iOS, significant mode",
            [
                "monitoring": .choice(MonitoringMode.significant), "useSignificantLocationChanges": .flag(true),
                "desiredMovingUpdateInterval": .seconds(0), "fastestMovingUpdateInterval": .seconds(300),
                "distanceFilter": .metres(500), "updateRule": .choice(UpdateRule.any),
            ]), rules)

    static let move = Profile(
        "move", "Every 100 m or every 300 s, as OwnTracks' move mode on iOS.",
        .from(
            "OwnTracks, iOS, move mode",
            [
                "monitoring": .choice(MonitoringMode.move), "useSignificantLocationChanges": .flag(false),
                "desiredMovingUpdateInterval": .seconds(300), "fastestMovingUpdateInterval": .seconds(1),
                "distanceFilter": .metres(100), "updateRule": .choice(UpdateRule.any),
            ]), rules)

    static let significantOnAndroid = Profile(
        "significant-android", "Every 15 min, and whatever fix is there anyway, as OwnTracks on Android.",
        .from(
            "OwnTracks, Android, significant mode",
            [
                "monitoring": .choice(MonitoringMode.significant), "useSignificantLocationChanges": .flag(false),
                "desiredAccuracy": .choice(DesiredAccuracy.medium), "desiredMovingUpdateInterval": .seconds(900),
                "fastestMovingUpdateInterval": .seconds(0), "fastestStoppedUpdateInterval": .seconds(0),
                "distanceFilter": .metres(0), "updateRule": .choice(UpdateRule.all),
            ]), rules)

    static let moveOnAndroid = Profile(
        "move-android", "Every 10 s, however far, as OwnTracks' move mode on Android.",
        .from(
            "OwnTracks, Android, move mode",
            [
                "monitoring": .choice(MonitoringMode.move), "useSignificantLocationChanges": .flag(false),
                "desiredAccuracy": .choice(DesiredAccuracy.high), "desiredMovingUpdateInterval": .seconds(10),
                "fastestMovingUpdateInterval": .seconds(1), "distanceFilter": .metres(0),
                "updateRule": .choice(UpdateRule.all),
            ]), rules)

    /// No rule asks for a record.
    private static let nothingUnasked: [OptionAssignment] = .from(
        "OwnTracks records nothing unasked in this mode",
        [
            "useSignificantLocationChanges": .flag(false), "desiredMovingUpdateInterval": .seconds(0),
            "distanceFilter": .metres(0),
        ])

    /// What OwnTracks has not.
    private static let rules: [OptionAssignment] = .from(
        "OwnTracks has no elasticity, no turn rule and no place rule",
        ["disableElasticity": .flag(true), "turnFilter": .degrees(0), "stopDuration": .seconds(0)])
}
