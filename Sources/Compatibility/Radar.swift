import TrackingOptions

extension OptionSystem {
    static let radarKeysWithoutEffect = ["rampUpRadius", "batchInterval", "batchSize", "useMotion", "usePressure"]
}

extension ForeignName {
    static let radar: [ForeignName] =
        shared(
            .radar,
            [
                "desiredMovingUpdateInterval", "fastestMovingUpdateInterval", "desiredStoppedUpdateInterval",
                "fastestStoppedUpdateInterval", "useSignificantLocationChanges", "useMovingGeofence",
                "movingGeofenceRadius", "stopDuration", "stopDistance", "useStoppedGeofence", "stoppedGeofenceRadius",
                "useVisits", "beacons", "syncGeofences", "syncGeofencesLimit", "desiredSyncInterval",
                "startTrackingAfter", "stopTrackingAfter",
            ]) + [
            ForeignName(
                .radar, "desiredAccuracy", means: "desiredAccuracy",
                .words(["3": "high", "2": "medium", "1": "low", "0": "none"])),
            ForeignName(.radar, "showBlueBar", means: "indicator", .together),
            ForeignName(.radar, "foregroundServiceEnabled", means: "indicator", .together),
            ForeignName(.radar, "foregroundService", means: "indicator", .together),
            ForeignName(.radar, "sync", means: "sync", syncCodes),
            ForeignName(.radar, "syncLocations", means: "sync", syncCodes),
            ForeignName(
                .radar, "replay", means: "replay",
                .words([
                    "2": "all", "1": "stops", "0": "none", "replayAll": "all", "replayStops": "stops",
                    "replayNone": "none",
                ])),
        ]

    private static let syncCodes = Reading.words(["2": "all", "1": "stopsAndExits", "0": "none"])
}

extension Profile {
    private typealias Row = (key: String, efficient: OptionValue, responsive: OptionValue, continuous: OptionValue)

    /// Profiles with all figures of the Android table, and with the rows that only the iOS table has.
    static let radarOnAndroid: [Profile] = [
        Profile(
            "continuous", "Records about every 30 s, moving or stopped; a preset of Radar on Android.",
            column("Radar, Android table, CONTINUOUS", androidTable, \.continuous),
            column("Radar, iOS table, presetContinuous", iOSAlone, \.continuous), radarRules),
        Profile(
            "responsive", "Records about every 2.5 min while moving, never when stopped; a preset of Radar on Android.",
            column("Radar, Android table, RESPONSIVE", androidTable, \.responsive),
            column("Radar, iOS table, presetResponsive", iOSAlone, \.responsive), radarRules),
        Profile(
            "efficient",
            "Records every 20 min while moving, hourly when stopped, and fixes of other requests at most every 6 min; a preset of Radar on Android.",
            column("Radar, Android table, EFFICIENT", androidTable, \.efficient),
            column("Radar, iOS table, presetEfficient", iOSAlone, \.efficient),
            .from(
                "Radar, Android, the sentence about EFFICIENT",
                ["startDistance": .metres(100), "startDelay": .seconds(900), "usePassiveFixes": .flag(true)]),
            radarRules),
    ]

    /// Profiles with all figures of the iOS table.
    static let radarOnIOS: [Profile] = [
        Profile(
            "continuous-ios", "Records about every 30 s, moving or stopped; a preset of Radar on iOS.",
            column("Radar, iOS table, presetContinuous", iOSTable + iOSAlone, \.continuous), androidDefaults, radarRules
        ),
        Profile(
            "responsive-ios", "Records about every 2.5 min while moving, never when stopped; a preset of Radar on iOS.",
            column("Radar, iOS table, presetResponsive", iOSTable + iOSAlone, \.responsive), androidDefaults, radarRules
        ),
        Profile(
            "efficient-ios", "Records only stops, departures and visits; a preset of Radar on iOS.",
            column("Radar, iOS table, presetEfficient", iOSTable + iOSAlone, \.efficient), androidDefaults,
            .from(
                "Radar, iOS, the sentence about presetEfficient",
                ["startDistance": .metres(300), "arrivalPoints": .count(0)]),
            radarRules),
    ]

    private static func column(
        _ source: String, _ table: [Row], _ column: (Row) -> OptionValue
    ) -> [OptionAssignment] {
        table.map { OptionAssignment($0.key, column($0), source: source) }
    }

    /// Switches off what Radar does not have, because it samples only by time.
    static let radarRules: [OptionAssignment] = .from(
        "Radar has no distance rule, and no elasticity",
        ["distanceFilter": .metres(0), "disableElasticity": .flag(true)])

    /// Rows that the iOS table does not have. The limit of regions is not among them: its default on Android is 0, but
    /// Radar on iOS supports regions without such a row.
    private static let androidDefaults: [OptionAssignment] = .from(
        "Radar, Android default",
        ["fastestStoppedUpdateInterval": .seconds(0), "fastestMovingUpdateInterval": .seconds(0)])

    private static let androidTable: [Row] = [
        ("desiredStoppedUpdateInterval", .seconds(3600), .seconds(0), .seconds(30)),
        ("fastestStoppedUpdateInterval", .seconds(1200), .seconds(0), .seconds(30)),
        ("desiredMovingUpdateInterval", .seconds(1200), .seconds(150), .seconds(30)),
        ("fastestMovingUpdateInterval", .seconds(360), .seconds(30), .seconds(30)),
        ("desiredSyncInterval", .seconds(140), .seconds(20), .seconds(20)),
        ("desiredAccuracy", medium, medium, high),
        ("stopDuration", .seconds(140), .seconds(140), .seconds(140)),
        ("stopDistance", .metres(70), .metres(70), .metres(70)),
        ("startTrackingAfter", .nothing, .nothing, .nothing),
        ("stopTrackingAfter", .nothing, .nothing, .nothing),
        ("replay", .choice(ReplayRule.stops), .choice(ReplayRule.stops), .choice(ReplayRule.none)),
        ("sync", .choice(SyncRule.all), .choice(SyncRule.all), .choice(SyncRule.all)),
        ("useStoppedGeofence", .flag(false), .flag(true), .flag(false)),
        ("stoppedGeofenceRadius", .metres(0), .metres(100), .metres(0)),
        ("useMovingGeofence", .flag(false), .flag(true), .flag(false)),
        ("movingGeofenceRadius", .metres(0), .metres(100), .metres(0)),
        ("syncGeofences", .flag(true), .flag(true), .flag(true)),
        ("syncGeofencesLimit", .count(10), .count(10), .count(0)),
        ("indicator", .choice(Indicator.off), .choice(Indicator.off), .choice(Indicator.always)),
        ("beacons", .flag(false), .flag(false), .flag(false)),
    ]

    private static let iOSTable: [Row] = [
        ("desiredStoppedUpdateInterval", .seconds(0), .seconds(0), .seconds(30)),
        ("desiredMovingUpdateInterval", .seconds(0), .seconds(150), .seconds(30)),
        ("desiredSyncInterval", .seconds(0), .seconds(20), .seconds(20)),
        ("desiredAccuracy", medium, medium, high),
        ("stopDuration", .seconds(0), .seconds(140), .seconds(140)),
        ("stopDistance", .metres(0), .metres(70), .metres(70)),
        ("startTrackingAfter", .nothing, .nothing, .nothing),
        ("stopTrackingAfter", .nothing, .nothing, .nothing),
        ("replay", .choice(ReplayRule.stops), .choice(ReplayRule.stops), .choice(ReplayRule.none)),
        ("sync", .choice(SyncRule.all), .choice(SyncRule.all), .choice(SyncRule.all)),
        ("indicator", .choice(Indicator.off), .choice(Indicator.off), .choice(Indicator.always)),
        ("useStoppedGeofence", .flag(false), .flag(true), .flag(false)),
        ("stoppedGeofenceRadius", .metres(0), .metres(100), .metres(0)),
        ("useMovingGeofence", .flag(false), .flag(true), .flag(false)),
        ("movingGeofenceRadius", .metres(0), .metres(100), .metres(0)),
        ("syncGeofences", .flag(true), .flag(true), .flag(true)),
        ("beacons", .flag(false), .flag(false), .flag(false)),
    ]

    /// Rows that the Android table does not have.
    private static let iOSAlone: [Row] = [
        ("useVisits", .flag(true), .flag(true), .flag(false)),
        ("useSignificantLocationChanges", .flag(false), .flag(true), .flag(false)),
    ]

    private static let medium = OptionValue.choice(DesiredAccuracy.medium)
    private static let high = OptionValue.choice(DesiredAccuracy.high)
}

/// The visible sign of tracking on a phone (iOS: a blue bar; Android: a notification, perhaps only at updates); here a
/// light.
struct RadarIndicator {
    private var first: OptionTree.Entry?
    private var blueBar: Bool?
    private var service: Bool?
    private var hasServiceOptions = false
    private var updatesOnly = false

    mutating func read(_ entry: OptionTree.Entry) -> Bool {
        if entry.value == .empty { return true }
        first = first ?? entry
        switch (entry.key, entry.value) {
        case ("foregroundService", .mapping(let parts)):
            hasServiceOptions = true
            // A board cannot show the other parts: texts, icons and notification channels.
            guard let part = parts.first(where: { $0.key == "updatesOnly" }), part.value != .empty else { return true }
            guard let flag = Self.flag(part.value) else { return false }
            updatesOnly = flag
        case ("showBlueBar", let value):
            guard let flag = Self.flag(value) else { return false }
            blueBar = flag
        case (_, let value):
            guard let flag = Self.flag(value) else { return false }
            service = flag
        }
        return true
    }

    /// Nil if the options set none of the keys.
    var result: (OptionTree.Entry, Indicator)? {
        guard let first else { return nil }
        let isShown = blueBar == true || service ?? hasServiceOptions
        return (first, isShown ? (updatesOnly ? .updates : .always) : .off)
    }

    private static func flag(_ value: OptionTree) -> Bool? {
        guard case .text(let text) = value else { return nil }
        return OptionKind.flag.value(of: text).map { $0 == .flag(true) }
    }
}

struct RadarPreset {
    enum Name: String, CaseIterable { case efficient, responsive, continuous }

    private let name: Name
    /// The platform with this spelling: `RESPONSIVE` is Android's, `presetResponsive` is iOS's; nil if both use it.
    let platform: OptionPlatform?

    /// Reads a preset in the spelling of either platform, of the dashboard or of trackerd's profiles, with or
    /// without a type in front.
    init?(_ text: String) {
        let last = text.split(separator: ".").last.map(String.init) ?? ""
        let (prefix, suffix) = ("preset", "-ios")
        var word = last.lowercased()
        if word.hasPrefix(prefix) {
            word.removeFirst(prefix.count)
            platform = .ios
        } else if word.hasSuffix(suffix) {
            word.removeLast(suffix.count)
            platform = .ios
        } else {
            platform = last == last.uppercased() ? .android : nil
        }
        guard let name = Name(rawValue: word) else { return nil }
        self.name = name
    }

    func profile(on platform: OptionPlatform) -> Profile? {
        switch platform {
        case .ios: .named("\(name.rawValue)-ios")
        case .android: .named(name.rawValue)
        }
    }
}
