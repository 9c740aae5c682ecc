import Compatibility
import Tracking

/// What there is to know about a name of another system, beside how its values are read.
enum AliasRemark {
    /// The remark about a name; empty when there is none.
    static func of(_ name: String, in system: OptionSystem) -> String {
        remarks.first { $0.system == system && $0.name == name }?.text ?? ""
    }

    private static let remarks: [(system: OptionSystem, name: String, text: String)] = [
        (.radar, "desiredStoppedUpdateInterval", "0 keeps the receiver off"),
        (.radar, "stopDistance", "0 switches the rule off"),
        (.radar, "stoppedGeofenceRadius", "0 leaves it as it is"),
        (.radar, "movingGeofenceRadius", "0 leaves it as it is"),
        (.radar, "startTrackingAfter", "ISO 8601, or null for at once"),
        (.radar, "stopTrackingAfter", "ISO 8601, or null for never"),
        (.radar, "showBlueBar", "a light of the board in its place, where the board has one"),
        (.radar, "foregroundServiceEnabled", "a light of the board in its place, where the board has one"),
        (.radar, "foregroundService", "a light of the board in its place, where the board has one"),
        (.radar, "syncGeofences", "which regions are kept is decided; none are fetched from a server"),
        (.radar, "syncGeofencesLimit", "which regions are kept is decided; none are fetched from a server"),
        (.radar, "replay", "Radar's default is `none`; here nothing is lost unless asked for"),
        (.radar, "desiredAccuracy", "best, hundred metres and a kilometre on iOS; four priorities on Android"),
        (.transistor, "stationaryRadius", "the document's geofence round the parked place"),
        (.transistor, "useSignificantChangesOnly", "not in the document"),
        (.transistor, "locationTimeout", "not in the document"),
        (.transistor, "locationUpdateInterval", "not in the document"),
        (.transistor, "fastestLocationUpdateInterval", "not in the document"),
        (.transistor, "heartbeatInterval", "not in the document"),
        (.transistor, "elasticityMultiplier", "not in the document"),
        (.transistor, "maxDaysToPersist", "not in the document"),
        (.transistor, "maxRecordsToPersist", "not in the document"),
        (.trckr, "trackingSchedule", "all five fields of crontab, where Trckr knows hours and days"),
        (.geoManager, "timeInterval", "60 to 1800 s, else 300 s"),
        (.geoManager, "distanceInterval", "200 to 500 m, else 300 m"),
        (.geoManager, "accuracy", "one of these, else `best`"),
        (.geoManager, "startTime", "before `endTime`, else 00:00; text or hours and minutes"),
        (.geoManager, "endTime", "after `startTime`, else 23:59; text or hours and minutes"),
        (.geoManager, "shouldTrackLastKnownLocation", "whether it is told; it is kept in any case"),
        (.ownTracks, "locatorInterval", "in the modes other than move"),
        (.ownTracks, "moveModeLocatorInterval", "in move mode"),
        (.ownTracks, "pegLocatorFastestIntervalToInterval", "the interval of the mode; not in the document"),
        (.ownTracks, "ignoreInaccurateLocations", "not in the document"),
        (.ownTracks, "ping", "the sign of life of significant mode"),
    ]
}
