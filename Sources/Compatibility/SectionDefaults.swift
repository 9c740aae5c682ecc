import TrackingOptions

/// Profiles for the options that an options object leaves out. They do not apply if there is a profile beside the
/// object, or a preset in it.
extension Profile {
    static func defaults(of system: OptionSystem, in mode: MonitoringMode, on platform: OptionPlatform) -> Profile {
        switch system {
        case .radar: radarDefaults(on: platform)
        case .transistor: .motion
        case .trckr: .trckr
        case .geoManager: .interval
        case .ownTracks: .of(mode, on: platform)
        }
    }

    /// Radar's defaults: only departures and stops are recorded unless an option asks for more.
    private static func radarDefaults(on platform: OptionPlatform) -> Profile {
        let name = "Radar's defaults, \(platform.title)"
        return Profile(
            name, "What an options object of Radar leaves out.",
            .from("Radar, documented defaults", radarFigures),
            .from("Radar, \(platform.title)", radarUpload(on: platform)),
            radarRules)
    }

    private static let radarFigures: KeyValuePairs<String, OptionValue> = [
        "desiredStoppedUpdateInterval": .seconds(0), "fastestStoppedUpdateInterval": .seconds(0),
        "desiredMovingUpdateInterval": .seconds(0), "fastestMovingUpdateInterval": .seconds(0),
        "desiredSyncInterval": .seconds(0), "desiredAccuracy": .choice(DesiredAccuracy.medium),
        "stopDuration": .seconds(0), "stopDistance": .metres(0), "startTrackingAfter": .nothing,
        "stopTrackingAfter": .nothing, "replay": .choice(ReplayRule.none), "indicator": .choice(Indicator.off),
        "useStoppedGeofence": .flag(false), "stoppedGeofenceRadius": .metres(0), "useMovingGeofence": .flag(false),
        "movingGeofenceRadius": .metres(0), "syncGeofences": .flag(false), "useVisits": .flag(false),
        "useSignificantLocationChanges": .flag(false), "beacons": .flag(false),
    ]

    /// What Radar uploads by default: on Android only stops and exits, and it stores none of the server's regions there.
    private static func radarUpload(on platform: OptionPlatform) -> KeyValuePairs<String, OptionValue> {
        switch platform {
        case .ios: ["sync": .choice(SyncRule.all)]
        case .android: ["sync": .choice(SyncRule.stopsAndExits), "syncGeofencesLimit": .count(0)]
        }
    }
}
