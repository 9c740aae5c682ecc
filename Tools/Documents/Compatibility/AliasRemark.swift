import Tracking

/// Remarks about names of other products, besides how their values are read.
enum AliasRemark {
    /// The remark about a name; empty when there is none.
    static func of(_ name: String, in system: OptionSystem) -> String {
        remarks.first { $0.system == system && $0.name == name }?.text ?? ""
    }

    private static let remarks: [(system: OptionSystem, name: String, text: String)] = [
        (.radar, "desiredStoppedUpdateInterval", "0 keeps the receiver off"),
        (.radar, "stopDistance", "0 switches the rule off"),
        (.radar, "stoppedGeofenceRadius", "0 leaves the radius unchanged"),
        (.radar, "movingGeofenceRadius", "0 leaves the radius unchanged"),
        (.radar, "startTrackingAfter", "ISO 8601, or null for at once"),
        (.radar, "stopTrackingAfter", "ISO 8601, or null for never"),
        (.radar, "showBlueBar", "controls a light of the board instead, if it has one"),
        (.radar, "foregroundServiceEnabled", "controls a light of the board instead, if it has one"),
        (.radar, "foregroundService", "controls a light of the board instead, if it has one"),
        (.radar, "syncGeofences", "decides which regions are kept; none are fetched from a server"),
        (.radar, "syncGeofencesLimit", "decides which regions are kept; none are fetched from a server"),
        (.radar, "replay", "Radar's default is `none`; here nothing is dropped by default"),
        (.radar, "desiredAccuracy", "best, hundred metres and a kilometre on iOS; four priorities on Android"),
        (.transistor, "stationaryRadius", "the geofence around the parked place"),
        (.transistor, "useSignificantChangesOnly", "not in its documentation"),
        (.transistor, "locationTimeout", "not in its documentation"),
        (.transistor, "locationUpdateInterval", "not in its documentation"),
        (.transistor, "fastestLocationUpdateInterval", "not in its documentation"),
        (.transistor, "heartbeatInterval", "not in its documentation"),
        (.transistor, "elasticityMultiplier", "not in its documentation"),
        (.transistor, "maxDaysToPersist", "not in its documentation"),
        (.transistor, "maxRecordsToPersist", "not in its documentation"),
        (.trckr, "trackingSchedule", "all five fields of crontab, where Trckr knows hours and days"),
        (.geoManager, "timeInterval", "60 to 1800 s, else 300 s"),
        (.geoManager, "distanceInterval", "200 to 500 m, else 300 m"),
        (.geoManager, "accuracy", "one of these, else `best`"),
        (.geoManager, "startTime", "before `endTime`, else 00:00; text or hours and minutes"),
        (.geoManager, "endTime", "after `startTime`, else 23:59; text or hours and minutes"),
        (.geoManager, "shouldTrackLastKnownLocation", "whether it is reported; it is stored in any case"),
        (.ownTracks, "locatorInterval", "in the modes other than move"),
        (.ownTracks, "moveModeLocatorInterval", "in move mode"),
        (.ownTracks, "pegLocatorFastestIntervalToInterval", "the interval of the mode; not in its documentation"),
        (.ownTracks, "ignoreInaccurateLocations", "not in its documentation"),
        (.ownTracks, "ping", "the heartbeat of significant mode"),
    ]
}
