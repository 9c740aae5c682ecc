package import TrackingOptions

extension OptionSystem {
    static let ownTracksKeysWithoutEffect = [
        "_type", "_id", "mode", "host", "port", "tls", "ws", "url", "auth", "username", "password", "deviceId",
        "clientId", "tid", "pubTopicBase", "pubRetain", "pubQos", "sub", "subTopic", "subQos", "cleanSession",
        "keepalive", "mqttProtocolLevel", "extendedData", "adapt", "downgrade", "cmd", "remoteConfiguration",
        "allowRemoteLocation", "encryptionKey", "connectionTimeoutSeconds", "httpHeaders", "positions", "days",
        "waypoints",
    ]
}

extension ForeignName {
    static let ownTracks: [ForeignName] = [
        ForeignName(
            .ownTracks, "monitoring", means: "monitoring",
            .words(["-1": "quiet", "0": "manual", "1": "significant", "2": "move"])),
        ForeignName(
            .ownTracks, "locatorPriority", means: "desiredAccuracy",
            .words(["3": "high", "2": "medium", "1": "low", "0": "none"])),
        ForeignName(.ownTracks, "ignoreInaccurateLocations", means: "accuracyLimit", .words(["0": "100000"])),
        ForeignName(.ownTracks, "locatorInterval", means: "desiredMovingUpdateInterval", .together),
        ForeignName(.ownTracks, "moveModeLocatorInterval", means: "desiredMovingUpdateInterval", .together),
        ForeignName(.ownTracks, OwnTracksLocator.peg, means: "fastestMovingUpdateInterval", .together),
        ForeignName(.ownTracks, "locatorDisplacement", means: "distanceFilter"),
        ForeignName(.ownTracks, "ping", means: "heartbeatInterval", .minutes),
    ]
}

extension OptionLayer {
    /// The values of OwnTracks' modes on iOS, for each mode that a command can select.
    package static let ownTracksModes = modes { .of($0) }

    package static let ownTracksModesOnAndroid = modes { .of($0, on: .android) }

    private static func modes(_ profile: (MonitoringMode) -> Profile) -> [MonitoringMode: OptionLayer] {
        [MonitoringMode: OptionLayer](
            uniqueKeysWithValues: MonitoringMode.allCases.map { mode in
                (mode, OptionLayer(.mode, name: mode.name, profile(mode).assignments))
            })
    }
}

extension OptionLayers {
    package var ownTracksModes: [MonitoringMode: OptionLayer] {
        usesOwnTracksOnAndroid ? OptionLayer.ownTracksModesOnAndroid : OptionLayer.ownTracksModes
    }

    var usesOwnTracksOnAndroid: Bool {
        let onAndroid = [Profile.significantOnAndroid, .moveOnAndroid].map(\.name)
        return layers.contains { $0.origin == .profile && onAndroid.contains($0.name) }
    }
}

extension Profile {
    static func of(_ mode: MonitoringMode, on platform: OptionPlatform = .ios) -> Profile {
        switch (mode, platform) {
        case (.quiet, _): quiet
        case (.manual, _): manual
        case (.significant, .ios): significant
        case (.significant, .android): significantOnAndroid
        case (.move, .ios): move
        case (.move, .android): moveOnAndroid
        }
    }

}

/// The profiles of OwnTracks' modes. Each replaces the profile in force: its own values apply, and the defaults of
/// all other options.
extension Profile {
    static let quiet = Profile(
        "quiet", "Sends records only on request, like OwnTracks' quiet mode.",
        .from("OwnTracks, quiet mode", ["monitoring": .choice(MonitoringMode.quiet)]), nothingUnasked, rules)

    static let manual = Profile(
        "manual", "Sends records only on request and at region events, like OwnTracks' manual mode.",
        .from("OwnTracks, manual mode", ["monitoring": .choice(MonitoringMode.manual)]), nothingUnasked, rules)

    static let significant = Profile(
        "significant", "Records every 500 m, but at most once in 300 s, like OwnTracks' significant mode on iOS.",
        .from(
            "OwnTracks, iOS, significant mode",
            [
                "monitoring": .choice(MonitoringMode.significant), "useSignificantLocationChanges": .flag(true),
                "desiredMovingUpdateInterval": .seconds(0), "fastestMovingUpdateInterval": .seconds(300),
                "desiredStoppedUpdateInterval": .seconds(0), "fastestStoppedUpdateInterval": .seconds(0),
                "distanceFilter": .metres(500), "updateRule": .choice(UpdateRule.any), "usePassiveFixes": .flag(false),
            ]), .from("OwnTracks, a ping every 15 minutes", ["heartbeatInterval": .seconds(900)]), rules)

    static let move = Profile(
        "move", "Records every 100 m or every 300 s, moving or parked, like OwnTracks' move mode on iOS.",
        .from(
            "OwnTracks, iOS, move mode",
            [
                "monitoring": .choice(MonitoringMode.move), "useSignificantLocationChanges": .flag(false),
                "desiredMovingUpdateInterval": .seconds(300), "fastestMovingUpdateInterval": .seconds(1),
                "desiredStoppedUpdateInterval": .seconds(300), "fastestStoppedUpdateInterval": .seconds(0),
                "distanceFilter": .metres(100), "updateRule": .choice(UpdateRule.any), "usePassiveFixes": .flag(false),
            ]), rules)

    static let significantOnAndroid = Profile(
        "significant-android",
        "Records every 15 min, moving or parked, and each fix that another request causes, like OwnTracks' significant mode on Android.",
        .from(
            "OwnTracks, Android, significant mode",
            [
                "monitoring": .choice(MonitoringMode.significant), "useSignificantLocationChanges": .flag(false),
                "desiredAccuracy": .choice(DesiredAccuracy.medium), "desiredMovingUpdateInterval": .seconds(900),
                "fastestMovingUpdateInterval": .seconds(0), "desiredStoppedUpdateInterval": .seconds(900),
                "fastestStoppedUpdateInterval": .seconds(0), "distanceFilter": .metres(0),
                "updateRule": .choice(UpdateRule.all), "usePassiveFixes": .flag(true),
            ]), rules)

    static let moveOnAndroid = Profile(
        "move-android", "Records every 10 s at any distance while moving, like OwnTracks' move mode on Android.",
        .from(
            "OwnTracks, Android, move mode",
            [
                "monitoring": .choice(MonitoringMode.move), "useSignificantLocationChanges": .flag(false),
                "desiredAccuracy": .choice(DesiredAccuracy.high), "desiredMovingUpdateInterval": .seconds(10),
                "fastestMovingUpdateInterval": .seconds(1), "desiredStoppedUpdateInterval": .seconds(0),
                "fastestStoppedUpdateInterval": .seconds(10), "distanceFilter": .metres(0),
                "updateRule": .choice(UpdateRule.all), "usePassiveFixes": .flag(false),
            ]), rules)

    private static let nothingUnasked: [OptionAssignment] = .from(
        "OwnTracks records nothing without a request in this mode",
        [
            "useSignificantLocationChanges": .flag(false), "desiredMovingUpdateInterval": .seconds(0),
            "desiredStoppedUpdateInterval": .seconds(0), "fastestStoppedUpdateInterval": .seconds(0),
            "distanceFilter": .metres(0), "usePassiveFixes": .flag(false),
        ])

    /// Switches off what OwnTracks does not have.
    private static let rules: [OptionAssignment] = .from(
        "OwnTracks has no elasticity, no turn rule, no bubbles, no place rule and no further points at an arrival",
        [
            "disableElasticity": .flag(true), "turnFilter": .degrees(0), "stopDuration": .seconds(0),
            "useMovingGeofence": .flag(false), "startDistance": .metres(0), "startDelay": .seconds(0),
            "arrivalPoints": .count(0),
        ])
}
