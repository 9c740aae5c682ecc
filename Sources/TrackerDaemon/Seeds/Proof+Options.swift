import TrackingOptions

extension Proof {
    /// The test that proves what an option does, whatever name it was read under.
    static func ofOption(_ key: String) -> Proof? { options.first { $0.key == key }?.proof }

    private static let options: [(key: String, proof: Proof)] =
        accuracy + sampling + stops + recording + upload + schedule

    private static let accuracy: [(key: String, proof: Proof)] = [
        (
            "monitoring",
            .core(
                "EngineModeTests",
                "that records nothing unasked leaves no point of the track, however the vehicle drives")
        ),
        (
            "desiredAccuracy",
            .core("AccuracyGateTests", "is what desiredAccuracy says: 20, 100 or 1000 m; best waits for 10")
        ),
        ("accuracyLimit", .core("FixFilterTests", "is refused by itself, with the reason")),
        ("fixTimeout", .core("AcquisitionTests", "powers the receiver, and is given up after fixTimeout")),
    ]

    private static let sampling: [(key: String, proof: Proof)] = [
        (
            "desiredMovingUpdateInterval",
            .core("SamplerTests", "by time, by displacement, or by both, as updateRule says")
        ),
        (
            "fastestMovingUpdateInterval",
            .core("SamplerTests", "never sooner than fastestMovingUpdateInterval after the last one")
        ),
        (
            "desiredStoppedUpdateInterval",
            .core(
                "ParkedVehicleTests", "desiredStoppedUpdateInterval powers the receiver for one record, again and again"
            )
        ),
        (
            "fastestStoppedUpdateInterval",
            .core(
                "ParkedVehicleTests",
                "a fix that is there anyway is recorded at most each fastestStoppedUpdateInterval, and by default never"
            )
        ),
        ("distanceFilter", .core("SamplerTests", "by time, by displacement, or by both, as updateRule says")),
        ("disableElasticity", .core("DistanceRuleTests", "stays the same when elasticity is off")),
        ("elasticityMultiplier", .core("DistanceRuleTests", "grows with speed, a filter length for each 5 m/s begun")),
        ("useSignificantLocationChanges", .core("SamplerTests", "after 500 m, but not within 300 s of the last")),
        ("useMovingGeofence", .core("DutyCycleTests", "is needed when the vehicle may have left the moving geofence")),
        (
            "movingGeofenceRadius",
            .core("DutyCycleTests", "is needed when the vehicle may have left the moving geofence")
        ),
    ]

    private static let stops: [(key: String, proof: Proof)] = [
        (
            "motionTriggerDelay",
            .core(
                "EngineTests",
                "lets motion count only when it has lasted motionTriggerDelay, while the receiver warms up")
        ),
        ("stopTimeout", .core("StillnessRuleTests", "is confirmed when the time is over, since the stillness began")),
        (
            "stopDetectionDelay",
            .core("StopReasonTests", "by stillness only after stopDetectionDelay and stopTimeout together")
        ),
        ("stopDuration", .core("StillnessRuleTests", "is confirmed when all fixes of the time lie together")),
        ("stopDistance", .core("StillnessRuleTests", "begins anew with each fix that lies elsewhere")),
        (
            "stationaryInterval",
            .core(
                "WindowRuleTests",
                "is confirmed with the place and the time of arrival as soon as the interval is filled")
        ),
        (
            "stationaryDistance",
            .core(
                "StationaryTests",
                "is none when the diagonal of all of them exceeds the distance, even before the interval is filled")
        ),
        (
            "stationarySpeed",
            .core("StationaryTests", "is none when the diagonal divided by the time is not below the speed")
        ),
        (
            "stationaryRadius",
            .core(
                "Seeds/PhilosophyTests",
                "a place beyond stationaryRadius and the error of the fix starts a trip, though nothing was felt")
        ),
        (
            "useStoppedGeofence",
            .core("ParkedVehicleTests", "a wake that stays inside the stopped geofence does not start a trip")
        ),
        ("stoppedGeofenceRadius", .core("ParkedVehicleTests", "leaving the stopped geofence does")),
    ]

    private static let recording: [(key: String, proof: Proof)] = [
        ("useVisits", .core("EngineStayTests", "are an arrival and a departure of a visit, when that is asked for")),
        ("beacons", .core("VehicleDetectionTests", "costs as little as the moment allows")),
        (
            "syncGeofences",
            .core("RegionTests", "are kept, with those of beacons, until the vehicle has left the area that they cover")
        ),
        ("syncGeofencesLimit", .core("RegionTests", "are those whose borders are nearest")),
        (
            "heartbeatInterval",
            .core("ParkedVehicleTests", "a ping is recorded each heartbeatInterval, without the receiver")
        ),
        (
            "trackLastKnownLocation",
            .core("Seeds/LastPlaceTests", "is for nobody when trackLastKnownLocation is off")
        ),
        ("indicator", .core("EnginePowerTests", "shines while tracking is on, if the option says always")),
    ]

    private static let upload: [(key: String, proof: Proof)] = [
        (
            "sync",
            .core(
                "SyncRuleTests",
                "is nothing with all, everything with none, and all but stops and exits with stopsAndExits")
        ),
        (
            "replay",
            Proof(
                "UploadTests/ReplayRuleTests", "is delivered later as far as it tells of stops when the rule is `stops`"
            )
        ),
        (
            "desiredSyncInterval",
            Proof("UploadTests/DeliveryTests", "begins an upload once in the interval, with what waited when it began")
        ),
        (
            "maxDaysToPersist",
            Proof("StoreTests/RetentionTests", "is nothing older than so many days, delivered or not")
        ),
        (
            "maxRecordsToPersist",
            Proof(
                "StoreTests/RetentionTests",
                "is at most so many records; what is delivered goes first, the oldest in front")
        ),
    ]

    private static let schedule: [(key: String, proof: Proof)] = [
        (
            "startTrackingAfter",
            .file("CalendarTests/ScheduleTests", "A schedule is open only if crontab, hours and dates all allow it.")
        ),
        (
            "stopTrackingAfter",
            .file("CalendarTests/ScheduleTests", "A schedule is open only if crontab, hours and dates all allow it.")
        ),
        (
            "trackingSchedule",
            .core("Seeds/ScheduledTrackingTests", "lets nothing be tracked outside, and tracking begin when it opens")
        ),
        (
            "startTime",
            .file(
                "CalendarTests/ScheduleTests",
                "Daily hours include their start, exclude their end, and may go past midnight.")
        ),
        (
            "endTime",
            .file(
                "CalendarTests/ScheduleTests",
                "Daily hours include their start, exclude their end, and may go past midnight.")
        ),
        (
            "tagForOffScheduleTracking",
            .core(
                "Seeds/ScheduledTrackingTests", "may be tracked outside of, with a tag on its records and none inside")
        ),
        (
            "trackOutsideSchedule",
            .core(
                "Seeds/ScheduledTrackingTests", "may be tracked outside of, with a tag on its records and none inside")
        ),
    ]
}
