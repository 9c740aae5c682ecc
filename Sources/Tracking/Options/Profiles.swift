/// The catalogue.
extension Profile {
    /// All profiles, in the order in which they are listed.
    package static let all =
        [vehicle] + radarOnAndroid + radarOnIOS + [motion, trckr, interval]
        + [quiet, manual, significant, move, significantOnAndroid, moveOnAndroid]

    /// The profile of that name.
    package static func named(_ name: String) -> Profile? { all.first { $0.name == name } }

    /// OwnTracks' mode of that name.
    static func of(_ mode: MonitoringMode) -> Profile {
        switch mode {
        case .quiet: quiet
        case .manual: manual
        case .significant: significant
        case .move: move
        }
    }

    /// The profile that is used when none is named.
    package static let vehicle = Profile(
        "vehicle", "The default, tuned on recorded drives of cars and vans.",
        .from(
            "tuned on recorded drives",
            [
                "distanceFilter": .metres(200), "disableElasticity": .flag(false), "elasticityMultiplier": .number(1),
                "turnFilter": .degrees(25), "stopTimeout": .seconds(180), "stopDuration": .seconds(200),
                "stopDistance": .metres(70), "desiredSyncInterval": .seconds(20), "replay": .choice(ReplayRule.all),
            ]))

    /// Motion alone decides, as with Transistor.
    package static let motion = Profile(
        "motion", "The accelerometer alone decides, with the defaults of Transistor's background geolocation.",
        .from(
            "Transistor, defaults",
            [
                "distanceFilter": .metres(10), "disableElasticity": .flag(false), "elasticityMultiplier": .number(1),
                "motionTriggerDelay": .seconds(0), "stopTimeout": .seconds(300), "stopDetectionDelay": .seconds(0),
                "stationaryRadius": .metres(150),
            ]),
        .from("Transistor has no place rule", ["stopDuration": .seconds(0)]))

    /// A window of fixes decides, as with Trckr.
    static let trckr = Profile(
        "trckr", "A window of fixes shows whether the vehicle stands, as with Trckr.",
        .from(
            "Trckr, defaults",
            [
                "accuracyLimit": .metres(200), "stationaryInterval": .seconds(120),
                "stationaryDistance": .metres(150), "stationarySpeed": .metresPerSecond(0.85),
            ]),
        .from("Trckr has no place rule", ["stopDuration": .seconds(0)]),
        .from("Trckr knows no elasticity", ["disableElasticity": .flag(true)]))

    /// Every so often, and every so far, as with GeoManager.
    static let interval = Profile(
        "interval", "Every 300 s, and every 300 m, as the GeoManager of an analytics SDK.",
        .from(
            "GeoManager, default configuration",
            [
                "desiredAccuracy": .choice(DesiredAccuracy.best), "desiredMovingUpdateInterval": .seconds(300),
                "distanceFilter": .metres(300), "updateRule": .choice(UpdateRule.any),
                "startTime": .timeOfDay(.startOfDay), "endTime": .timeOfDay(.lastMinute),
            ]),
        .from("GeoManager, spool of the tracker", ["desiredSyncInterval": .seconds(60)]),
        .from("GeoManager has no place rule", ["stopDuration": .seconds(0)]),
        .from("GeoManager knows no elasticity", ["disableElasticity": .flag(true)]))
}

extension TimeOfDay {
    /// 23:59, with which GeoManager's day ends.
    static let lastMinute = TimeOfDay("23:59") ?? .endOfDay
}
