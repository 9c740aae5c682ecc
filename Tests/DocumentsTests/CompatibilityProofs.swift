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

    /// The tests of our options, by key.
    static let options: [String: String] = [
        "monitoring": "EngineModeTests.unasked",
        "desiredAccuracy": "AccuracyGateTests.limit",
        "accuracyLimit": "FixFilterTests.refused",
        "fixTimeout": "AcquisitionTests.search",
        "desiredMovingUpdateInterval": "SectionReplayTests.points",
        "fastestMovingUpdateInterval": "SectionReplayTests.points",
        "desiredStoppedUpdateInterval": "SectionReplayTests.parked",
        "fastestStoppedUpdateInterval": "PassiveFixTests.parked",
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
        "stationaryRadius": "PhilosophyTests.stationaryRadius",
        "useStoppedGeofence": "StoppedGeofenceTests.inside",
        "stoppedGeofenceRadius": "PresetReplayTests.wakeUp",
        "useVisits": "PresetReplayTests.stopsAlone",
        "beacons": "EngineBeaconTests.scanning",
        "syncGeofences": "GeofenceSyncTests.kept",
        "syncGeofencesLimit": "GeofenceSyncTests.nearest",
        "heartbeatInterval": "SectionReplayTests.parked",
        "trackLastKnownLocation": "LastPlaceTests.withheld",
        "indicator": "EngineLightTests.always",
        "sync": "SyncRuleTests.withholds",
        "replay": "ReplayRuleTests.stops",
        "desiredSyncInterval": "RuntimeOptionTests.syncInterval",
        "maxDaysToPersist": "RetentionTests.days",
        "maxRecordsToPersist": "RetentionTests.delivered",
        "startTrackingAfter": "ScheduleTests.all",
        "stopTrackingAfter": "ScheduleTests.all",
        "trackingSchedule": "ScheduledTrackingTests.closed",
        "startTime": "ScheduleTests.dailyHours",
        "endTime": "ScheduleTests.dailyHours",
        "tagForOffScheduleTracking": "ScheduledTrackingTests.tagged",
        "trackOutsideSchedule": "ScheduledTrackingTests.tagged",
    ]

    private static let radar: [(test: String, rows: [String])] = [
        ("RadarSectionTests.preset", ["preset"]), ("RadarSectionTests.platform", ["platform"]),
        ("RemoteOptionsTests.preset", ["remote options may be a preset or a whole object"]),
        ("RadarNotificationTests.updatesOnly", ["foregroundService.updatesOnly", "setForegroundServiceOptions"]),
        (
            "RadarNotificationTests.appearance",
            [
                "foregroundService.text", "foregroundService.title", "foregroundService.icon",
                "foregroundService.iconString", "foregroundService.iconColor", "foregroundService.activity",
                "foregroundService.importance", "foregroundService.id", "foregroundService.channelName",
            ]
        ),
        ("RadarProfileTests.androidTable", ["EFFICIENT", "RESPONSIVE", "CONTINUOUS"]),
        ("RadarProfileTests.iOSTable", ["presetEfficient", "presetResponsive", "presetContinuous"]),
        ("EngineCommandTests.lookCutShort", ["startTracking"]),
        ("EngineCommandTests.tracking", ["stopTracking"]),
        ("EnginePropertyTests.transitions", ["two states, stopped and moving"]),
        ("SectionReplayTests.parked", ["options for each of the two states"]),
        (
            "PresetReplayTests.driving",
            [
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
            "EnginePowerTests.low",
            ["Low Power Mode, Doze, App Standby and Background Location Limits delay updates"]
        ),
        ("ReplayRuleTests.all", ["`replay`: of the failed records, all, only stops or none are sent later"]),
        ("ReplayRuleTests.none", ["`replay` set to none"]),
        (
            "SectionReplayTests.points",
            [
                "a custom options object for iOS",
                "a custom options object for Android, with numbers instead of words",
            ]
        ),
        ("RemoteOptionsTests.levels", ["remote options by operating system"]),
        ("RemoteOptionsTests.specific", ["remote options by environment, live and test"]),
        ("OptionLayersTests.trip", ["remote options on and off a trip"]),
        ("OptionLayersTests.mode", ["remote options override those of the client"]),
        ("OptionLayersTests.restart", ["remote options apply until they are withdrawn"]),
    ]

    private static let transistor: [(test: String, rows: [String])] = [
        ("OptionReaderTests.groups", ["geolocation.disableElasticity", "activity.stopDetectionDelay"]),
        ("ConfigurationTests.shortest", ["http.url"]),
        ("OptionReaderTests.withoutEffect", ["stopOnTerminate"]),
        ("PhilosophyTests.sleep", ["motion decides, not an interval"]),
        ("EnginePropertyTests.transitions", ["exactly two states"]),
        ("EngineTests.firstLook", ["stationary: a reference position, the accelerometer, and no GPS"]),
        ("EngineTests.sampling", ["moving: the options decide what is recorded"]),
        ("EngineTests.reasons", ["the change from one state to the other is automatic"]),
        ("MotionDetectorTests.begins", ["activity recognition detects motion"]),
        ("EngineTests.shortBurst", ["motion must last for `motionTriggerDelay`"]),
        ("PowerCutWhileDriving.movedMeanwhile", ["a geofence of `stationaryRadius` wakes a terminated app"]),
        ("StillnessRuleTests.interrupted", ["a stop is confirmed only after `stopTimeout`"]),
        ("TrafficLight.red", ["no stop at a traffic light"]),
        ("Queue.deaf", ["no stop in slow traffic"]),
        ("EngineTests.arrival", ["a stop releases GPS and records its place"]),
        ("StopReasonTests.detectionDelay", ["`stopDetectionDelay` comes before `stopTimeout`"]),
        ("PhilosophyTests.spacing", ["`distanceFilter` counts from the last recorded position"]),
        (
            "SectionReplayTests.points",
            ["elasticity: the filter grows with speed", "`disableElasticity`: a fixed resolution"]
        ),
        ("KillTests.manyKills", ["persist first: every location is on disk before any upload"]),
        ("RecordQueueTests.events", ["an event is on disk at once"]),
        ("OutageTests.outage", ["records accumulate without a network"]),
        ("UploadLoopTests.away", ["records are sent when the network is back"]),
        ("DeliveryModelTests.random", ["no location is lost to a network failure"]),
        ("UploadLoopTests.rest", ["no polling on a fixed timer"]),
        ("EnginePropertyTests.persistFirst", ["no GPS running in the background"]),
        ("BorderTests.noExecutor", ["no permanent wakelock"]),
    ]

    private static let trckr: [(test: String, rows: [String])] = [
        ("ControlCommandTests.tracking", ["trackingEnabled"]),
        ("RecordQueueTests.lock", ["shared"]),
        ("UploadLoopTests.independent", ["delegate"]),
        (
            "DoctorCommandTests.text",
            [
                "NSMotionUsageDescription", "NSLocationAlwaysAndWhenInUseUsageDescription",
                "NSLocationAlwaysUsageDescription", "NSLocationWhenInUseUsageDescription",
            ]
        ),
        (
            "ScheduledTrackingTests.tagged",
            ["TrckrDelegate.shouldTrackOutsideSchedule()", "trips outside the schedule have a tag"]
        ),
        ("WindowRuleTests.noFurther", ["locations"]),
        ("LastPlaceTests.kept", ["lastLocation"]),
        ("EngineHealthTests.lost", ["locationServicesEnabled"]),
        ("ScheduledTrackingTests.none", ["isWithinSchedule"]),
        ("StationaryTests.found", ["stationary(locations:interval:after:)"]),
        ("StationaryTests.tooShort", ["stationary(…) without enough locations"]),
        ("StationaryTests.after", ["stationary(…) with after"]),
        ("ProfileTests.figure", ["the defaults"]),
        ("EngineTests.sampling", ["continuous updates while the user moves"]),
        ("WindowRuleTests.confirmed", ["continuous updates end when the user is stationary"]),
        ("WindowRuleTests.agreement", ["a bounding box and an average speed decide"]),
        ("PhilosophyTests.stationaryRadius", ["an exit from the geofence resumes continuous updates"]),
        ("SamplerTests.significantChange", ["significant changes keep the app alive in the background"]),
        ("VehicleDetectionTests.strongest", ["beacons identify the vehicle"]),
        ("SectionReplayTests.schedule", ["the schedule of the example: Monday to Friday, 10 to 20"]),
    ]

    private static let geoManager: [(test: String, rows: [String])] = [
        ("CollectionTests.defaults", ["startLocationCollection()"]),
        ("CollectionTests.custom", ["startLocationCollection(configuration:)"]),
        ("CollectionTests.configuration", ["stopLocationCollection()"]),
        ("RuntimeOptionTests.trackingShow", ["getConfiguration()"]),
        ("GeoManagerTests.whole", ["GeoConfiguration"]),
        ("CompatibilityNameTests.hours", ["GeoTime"]),
        ("RecordQueueTests.lock", ["GeoManager.shared"]),
        (
            "ActionRequestTests.answered",
            ["requestLocation", "actionType", "actionLog", "actionId", "actionDuration", "additionalLog"]
        ),
        ("ControlCommandTests.locate", ["requestLocation(actionParameters:)"]),
        ("RequestsTests.answered", ["requestLocation: success"]),
        ("ActionRequestTests.failed", ["requestLocation: failure"]),
        ("PresetReplayTests.driving", ["the default configuration"]),
        ("SectionReplayTests.points", ["an interval and/or a distance"]),
        ("PresetReplayTests.parked", ["the interval works only in the foreground"]),
        (
            "DoctorCommandTests.text",
            ["authorization: not determined, restricted or denied", "authorization: always, or when in use"]
        ),
        ("DeliveryTests.syncInterval", ["the tracker spools for 60 s"]),
        ("GeoManagerTests.fallback", ["a property out of its range has its default"]),
        ("GeoManagerTests.limits", ["60 to 1800 s and 200 to 500 m"]),
        ("GeoManagerTests.hours", ["the day must begin before it ends"]),
        ("ProfileTests.hours", ["the day ends at 23:59"]),
        ("LastPlaceTests.kept", ["reading the last known location powers no receiver"]),
        ("SamplerTests.significantChange", ["only significant changes while the app is not in use"]),
    ]

    private static let ownTracks: [(test: String, rows: [String])] = [
        (
            "ModeDriveTests.messages",
            ["quiet", "manual", "significant, iOS", "move, iOS", "significant, Android", "move, Android"]
        ),
        ("OwnTracksRegionTests.modes", ["regions do not depend on the mode"]),
        (
            "OwnTracksModeTests.significant",
            ["500 m are published after 5 minutes, and 10 km in 5 minutes only once"]
        ),
        ("ModeSwitchTests.back", ["the switch between the modes"]),
        (
            "EngineModeTests.answers",
            ["the user publishes the location by hand", "`reportLocation` is ignored in manual mode"]
        ),
        ("DutyCycleTests.unasked", ["low power in manual mode, with as few fixes as in significant mode"]),
        ("ModeSwitchTests.ping", ["a device at rest publishes only an occasional ping"]),
        ("SectionReplayTests.points", ["displacement and interval must both be reached on Android"]),
        ("PassiveFixTests.asTheyCome", ["locations that other apps request are used too"]),
        ("ControlCommandTests.mode", ["move mode while charging only"]),
        ("EngineModeTests.listens", ["the priority without power uses only fixes that other requests cause"]),
        ("OwnTracksTests.wholeOverMQTT", ["records are published over MQTT"]),
        ("RegionTrackerTests.enter", ["entering and leaving a circular region is reported"]),
        ("OwnTracksRegionTests.locations", ["a region event also publishes the location"]),
        ("OwnTracksRegionTests.off", ["a radius of 0 switches a region off"]),
        ("WaypointLabelTests.beacon", ["a UUID in the description makes it a beacon region"]),
        ("OwnTracksRegionTests.beacon", ["entering and leaving a beacon region is reported"]),
        ("OwnTracksKindTests.others", ["the events `c` and `b`, `enter` and `leave`, with the description"]),
        ("OwnTracksRegionTests.waypoints", ["a waypoint is published when the user creates or changes it"]),
        (
            "WaypointRowTests.messages",
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
        ("OwnTracksRegionTests.inside", ["red while in a region, blue while not"]),
    ]
}
