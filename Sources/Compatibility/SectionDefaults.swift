import Quantities
import TrackingOptions

/// The defaults for the options that an options object leaves out.
///
/// The defaults do not apply if the options set a profile next to the object, or if the object sets a preset.
extension Profile {
    /// Returns the defaults of a product; OwnTracks has different defaults in each mode.
    static func defaults(of system: OptionSystem, in mode: MonitoringMode, on platform: OptionPlatform) -> Profile {
        switch system {
        case .radar: radarDefaults(on: platform)
        case .transistor: .motion
        case .trckr: .trckr
        case .geoManager: .interval
        case .ownTracks: .of(mode, on: platform)
        }
    }

    /// Returns Radar's defaults.
    ///
    /// With these defaults, the tracker records only departures and stops unless an option requests more.
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

    /// Returns Radar's defaults for uploads and for the regions of the server.
    ///
    /// On Android, Radar uploads only stops and exits, and stores no regions of the server.
    private static func radarUpload(on platform: OptionPlatform) -> KeyValuePairs<String, OptionValue> {
        switch platform {
        case .ios: ["sync": .choice(SyncRule.all)]
        case .android: ["sync": .choice(SyncRule.stopsAndExits), "syncGeofencesLimit": .count(0)]
        }
    }
}
