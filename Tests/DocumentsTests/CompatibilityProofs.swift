import Compatibility
import TrackingOptions
import Documents
import Tracking

/// The test that proves each row of the compatibility tables, as `Suite.function`.
enum CompatibilityProofs {
    /// Returns the test that proves a row, or nil if the lists contain no test for the row.
    ///
    /// If a row is another name of our option, the test of that option proves the row.
    static func test(of row: CompatibilityRow, in system: OptionSystem) -> String? {
        if let named = rows(of: system).first(where: { $0.rows.contains(row.name) }) { return named.test }
        guard row.kind == .option, case .option(let key)? = row.here.first, row.here.count == 1 else { return nil }
        return options[key]
    }

    /// Returns the tests of the rows that are not names of our options.
    static func rows(of system: OptionSystem) -> [(test: String, rows: [String])] {
        switch system {
        case .radar: radar
        case .transistor: transistor
        case .trckr: trckr
        case .geoManager: geoManager
        case .ownTracks: ownTracks
        }
    }

    static let options: [String: String] = [
        "monitoring": "ModeDriveTests.messages",
        "desiredAccuracy": "FixOptionReplayTests.desiredAccuracy",
        "accuracyLimit": "FixOptionReplayTests.accuracyLimit",
        "fixTimeout": "FixOptionReplayTests.fixTimeout",
        "desiredMovingUpdateInterval": "SectionReplayTests.points",
        "fastestMovingUpdateInterval": "SectionReplayTests.points",
        "desiredStoppedUpdateInterval": "SectionReplayTests.parked",
        "fastestStoppedUpdateInterval": "ParkedOptionTests.passiveFixes",
        "distanceFilter": "SectionReplayTests.points",
        "disableElasticity": "SectionReplayTests.points",
        "elasticityMultiplier": "SectionReplayTests.points",
        "useSignificantLocationChanges": "SectionReplayTests.points",
        "useMovingGeofence": "SectionReplayTests.points",
        "movingGeofenceRadius": "SectionReplayTests.points",
        "motionTriggerDelay": "StopOptionReplayTests.changes",
        "stopTimeout": "StopOptionReplayTests.changes",
        "stopDetectionDelay": "StopOptionReplayTests.changes",
        "stopDuration": "StopOptionReplayTests.changes",
        "stopDistance": "StopOptionReplayTests.changes",
        "stationaryInterval": "StopOptionReplayTests.changes",
        "stationaryDistance": "StopOptionReplayTests.changes",
        "stationarySpeed": "StopOptionReplayTests.changes",
        "stationaryRadius": "StopOptionReplayTests.stationaryRadius",
        "useStoppedGeofence": "StopOptionReplayTests.stoppedGeofence",
        "stoppedGeofenceRadius": "StopOptionReplayTests.stoppedGeofence",
        "useVisits": "StopOptionReplayTests.visits",
        "beacons": "ReplayConfigurationTests.forbidden",
        "syncGeofences": "ServerRegionTests.driven",
        "syncGeofencesLimit": "ServerRegionTests.driven",
        "heartbeatInterval": "SectionReplayTests.parked",
        "trackLastKnownLocation": "ParkedOptionTests.lastKnownLocation",
        "indicator": "IndicatorTests.light",
        "sync": "UploadOptionTests.sync",
        "replay": "UploadOptionTests.replay",
        "desiredSyncInterval": "RuntimeOptionTests.syncInterval",
        "maxDaysToPersist": "RetentionOptionTests.days",
        "maxRecordsToPersist": "RuntimeOptionTests.retention",
        "startTrackingAfter": "ScheduleReplayTests.trip",
        "stopTrackingAfter": "ScheduleReplayTests.trip",
        "trackingSchedule": "ScheduleReplayTests.trip",
        "startTime": "ScheduleReplayTests.trip",
        "endTime": "ScheduleReplayTests.trip",
        "tagForOffScheduleTracking": "ScheduleReplayTests.tags",
        "trackOutsideSchedule": "ScheduleReplayTests.trip",
    ]

    private static let radar: [(test: String, rows: [String])] = [
        (
            "SectionReplayTests.points",
            [
                "preset", "platform", "two states, stopped and moving", "a custom options object for iOS",
                "a custom options object for Android, with numbers instead of words",
            ]
        ),
        (
            "IndicatorTests.light",
            [
                "foregroundService.updatesOnly", "setForegroundServiceOptions", "foregroundService.text",
                "foregroundService.title", "foregroundService.icon", "foregroundService.iconString",
                "foregroundService.iconColor", "foregroundService.activity", "foregroundService.importance",
                "foregroundService.id", "foregroundService.channelName",
            ]
        ),
        ("ControlCommandTests.tracking", ["startTracking", "stopTracking"]),
        ("SectionReplayTests.parked", ["options for each of the two states"]),
        (
            "PresetReplayTests.driving",
            [
                "EFFICIENT", "RESPONSIVE", "CONTINUOUS", "presetEfficient", "presetResponsive", "presetContinuous",
                "`RESPONSIVE` reports about every 2.5 min while moving",
                "`EFFICIENT` reports as fast as every 6 minutes while moving",
            ]
        ),
        (
            "PresetReplayTests.parked",
            [
                "`CONTINUOUS` reports about every 30 s, moving or stopped", "`RESPONSIVE` shuts down when stopped",
                "`EFFICIENT` reports periodically when stopped",
            ]
        ),
        (
            "PresetReplayTests.wakeUp",
            [
                "`RESPONSIVE` wakes up beyond 100 m",
                "`EFFICIENT` wakes up beyond 100 m, and at least 15 minutes after the stop",
                "`presetEfficient` wakes up after several hundred metres and the departure of a visit",
            ]
        ),
        ("PresetReplayTests.stopsAlone", ["`presetEfficient` reports only stops and exits, as visits"]),
        ("PresetReplayTests.power", ["the presets have a lowest, a low and a moderate battery usage"]),
        (
            "LowBatteryTests.pauses",
            ["Low Power Mode, Doze, App Standby and Background Location Limits delay updates"]
        ),
        (
            "UploadOptionTests.replay",
            [
                "`replay`: of the failed records, all, only stops or none are sent later", "`replay` set to none",
            ]
        ),
        (
            "OptionCommandTests.remoteDocument",
            [
                "remote options by operating system", "remote options by environment, live and test",
                "remote options override those of the client", "remote options may be a preset or a whole object",
            ]
        ),
        ("OptionCommandTests.remote", ["remote options on and off a trip"]),
        ("RemoteControlTests.confirmed", ["remote options apply until they are withdrawn"]),
    ]

    private static let transistor: [(test: String, rows: [String])] = [
        (
            "StopOptionReplayTests.changes",
            [
                "activity.stopDetectionDelay", "a stop is confirmed only after `stopTimeout`",
                "`stopDetectionDelay` comes before `stopTimeout`",
            ]
        ),
        ("OptionCommandTests.withoutEffect", ["http.url", "stopOnTerminate"]),
        ("PresetReplayTests.parked", ["motion decides, not an interval", "no GPS running in the background"]),
        (
            "SectionReplayTests.points",
            ["geolocation.disableElasticity", "exactly two states", "moving: the options decide what is recorded"]
        ),
        ("MotionReplayTests.reference", ["stationary: a reference position, the accelerometer, and no GPS"]),
        (
            "MotionReplayTests.accelerometer",
            [
                "the change from one state to the other is automatic", "activity recognition detects motion",
                "motion must last for `motionTriggerDelay`",
            ]
        ),
        ("ParkedOptionTests.movedMeanwhile", ["a geofence of `stationaryRadius` wakes a terminated app"]),
        ("MotionReplayTests.redLight", ["no stop at a traffic light"]),
        ("MotionReplayTests.slowTraffic", ["no stop in slow traffic"]),
        ("MotionReplayTests.arrival", ["a stop releases GPS and records its place"]),
        (
            "MotionReplayTests.spacing",
            [
                "`distanceFilter` counts from the last recorded position", "elasticity: the filter grows with speed",
                "`disableElasticity`: a fixed resolution",
            ]
        ),
        ("KillTests.manyKills", ["persist first: every location is on disk before any upload"]),
        ("SyncTests.synced", ["an event is on disk at once"]),
        (
            "OutageTests.outage",
            ["records accumulate without a network", "no location is lost to a network failure"]
        ),
        ("NetworkReturnTests.returns", ["records are sent when the network is back"]),
        ("UploadOptionTests.noPolling", ["no polling on a fixed timer"]),
        ("InVirtualTime.bare", ["no permanent wakelock"]),
    ]

    private static let trckr: [(test: String, rows: [String])] = [
        ("ControlCommandTests.tracking", ["trackingEnabled"]),
        ("TwoWritersTests.refused", ["shared"]),
        ("WatchCommandTests.stream", ["delegate"]),
        (
            "DoctorCommandTests.text",
            [
                "NSMotionUsageDescription", "NSLocationAlwaysAndWhenInUseUsageDescription",
                "NSLocationAlwaysUsageDescription", "NSLocationWhenInUseUsageDescription",
            ]
        ),
        (
            "ScheduleReplayTests.tags",
            ["TrckrDelegate.shouldTrackOutsideSchedule()", "trips outside the schedule have a tag"]
        ),
        (
            "StopOptionReplayTests.changes",
            [
                "locations", "the defaults", "continuous updates end when the user is stationary",
                "a bounding box and an average speed decide",
            ]
        ),
        ("ParkedOptionTests.lastKnownLocation", ["lastLocation"]),
        ("FixOptionReplayTests.fixTimeout", ["locationServicesEnabled"]),
        ("ParkedOptionTests.withinSchedule", ["isWithinSchedule"]),
        ("StationaryTests.found", ["stationary(locations:interval:after:)"]),
        ("StationaryTests.tooShort", ["stationary(…) without enough locations"]),
        ("StationaryTests.after", ["stationary(…) with after"]),
        ("PresetReplayTests.driving", ["continuous updates while the user moves"]),
        ("StopOptionReplayTests.stationaryRadius", ["an exit from the geofence resumes continuous updates"]),
        ("SectionReplayTests.points", ["significant changes keep the app alive in the background"]),
        ("ReplayConfigurationTests.places", ["beacons identify the vehicle"]),
        ("ScheduleReplayTests.trip", ["the schedule of the example: Monday to Friday, 10 to 20"]),
    ]

    private static let geoManager: [(test: String, rows: [String])] = [
        (
            "ControlCommandTests.collection",
            ["startLocationCollection()", "startLocationCollection(configuration:)", "stopLocationCollection()"]
        ),
        ("RuntimeOptionTests.trackingShow", ["getConfiguration()"]),
        ("TwoWritersTests.refused", ["GeoManager.shared"]),
        (
            "ControlCommandTests.locate",
            [
                "requestLocation", "requestLocation(actionParameters:)", "requestLocation: success", "actionType",
                "actionLog", "actionId", "actionDuration", "additionalLog",
            ]
        ),
        ("ParkedOptionTests.failedRequest", ["requestLocation: failure"]),
        ("PresetReplayTests.driving", ["the default configuration"]),
        (
            "SectionReplayTests.points",
            [
                "GeoConfiguration", "an interval and/or a distance", "a property out of its range has its default",
                "only significant changes while the app is not in use",
            ]
        ),
        ("SectionReplayTests.parked", ["60 to 1800 s and 200 to 500 m", "the interval works only in the foreground"]),
        (
            "DoctorCommandTests.text",
            ["authorization: not determined, restricted or denied", "authorization: always, or when in use"]
        ),
        ("UploadOptionTests.spool", ["the tracker spools for 60 s"]),
        ("ScheduleReplayTests.trip", ["GeoTime", "the day must begin before it ends"]),
        ("ScheduleReplayTests.midnight", ["the day ends at 23:59"]),
        ("ParkedOptionTests.lastKnownLocation", ["reading the last known location powers no receiver"]),
    ]

    private static let ownTracks: [(test: String, rows: [String])] = [
        (
            "ModeDriveTests.messages",
            [
                "quiet", "manual", "significant, iOS", "move, iOS", "significant, Android", "move, Android",
                "regions do not depend on the mode", "records are published over MQTT",
                "entering and leaving a circular region is reported", "a region event also publishes the location",
                "the user publishes the location by hand",
            ]
        ),
        (
            "PresetReplayTests.driving",
            ["500 m are published after 5 minutes, and 10 km in 5 minutes only once"]
        ),
        ("ControlCommandTests.mode", ["the switch between the modes", "move mode while charging only"]),
        (
            "RemoteControlTests.ownTracks", ["`reportLocation` is ignored in manual mode"]
        ),
        ("PresetReplayTests.driving", ["low power in manual mode, with as few fixes as in significant mode"]),
        ("SectionReplayTests.parked", ["a device at rest publishes only an occasional ping"]),
        ("SectionReplayTests.points", ["displacement and interval must both be reached on Android"]),
        ("ParkedOptionTests.passiveFixes", ["locations that other apps request are used too"]),
        (
            "FixOptionReplayTests.desiredAccuracy",
            ["the priority without power uses only fixes that other requests cause"]
        ),
        (
            "RegionMessageTests.waypoint",
            ["a radius of 0 switches a region off", "a waypoint is published when the user creates or changes it"]
        ),
        (
            "RegionMessageTests.transitions",
            [
                "a UUID in the description makes it a beacon region",
                "entering and leaving a beacon region is reported",
                "the events `c` and `b`, `enter` and `leave`, with the description",
                "red while in a region, blue while not",
            ]
        ),
        (
            "RegionMessageTests.waypointTable",
            [
                "waypoint row 1: an automatic location is not a waypoint",
                "waypoint row 2: a location without a description is not a waypoint",
                "waypoint row 3: a waypoint with only a description is published, but not watched",
                "waypoint row 4: a circle, event `c` without a description",
                "waypoint row 5: a circle, event `c` with a description, published",
                "waypoint row 6: a beacon, event `b` without a description",
                "waypoint row 7: a beacon, event `b` with a description, published",
                "waypoint row 8: a circle and a beacon: the circle counts, event `c` without a description",
                "waypoint row 9: a circle and a beacon: the circle counts, event `c` with a description, published",
            ]
        ),
    ]
}
