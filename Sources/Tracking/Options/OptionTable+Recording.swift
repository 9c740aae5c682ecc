import Quantities

/// What else is recorded, what is uploaded, and when it tracks at all.
extension TrackingOption {
    static let recording: [TrackingOption] = [
        .flag(
            "useVisits", \.useVisits, "Record arrival at and departure from a stay as visits.",
            also: [.radar("useVisits")]),
        .flag("beacons", \.beacons, "Scan for iBeacons.", also: [.radar("beacons")]),
        .duration(
            "beaconExitDelay", \.beaconExitDelay, .seconds(1) ... .seconds(300),
            "A beacon that has not been heard for this long is gone."),
        .flag(
            "syncGeofences", \.syncGeofences, "Keep the nearest regions of the server on the device.",
            also: [.radar("syncGeofences")]),
        .count(
            "syncGeofencesLimit", \.syncGeofencesLimit, 0...1000, "How many of them.",
            also: [.radar("syncGeofencesLimit")]),
        .duration(
            "heartbeatInterval", \.heartbeatInterval, .zero...day,
            "While stationary, record a ping this often without powering the receiver; 0: off.",
            also: [.transistor("heartbeatInterval"), .ownTracks("ping", .minutes)]),
        .flag(
            "drivingEvents", \.drivingEvents,
            "Record harsh braking, acceleration and cornering, impacts, and tows."),
        .flag(
            "trackLastKnownLocation", \.trackLastKnownLocation, "Keep the last known place for whoever asks.",
            also: [.geoManager("shouldTrackLastKnownLocation")]),
        .choice(
            "indicator", \.indicator, "When a light on the board shows that the vehicle is tracked.",
            also: [
                .radar("showBlueBar", .together), .radar("foregroundServiceEnabled", .together),
                .radar("foregroundService", .together),
            ]),
    ]

    static let upload: [TrackingOption] = [
        .choice(
            "sync", \.sync, "Which records are uploaded; all are kept on the device.",
            also: [.radar("sync", syncCodes), .radar("syncLocations", syncCodes)]),
        .choice(
            "replay", \.replay, "Which records that could not be delivered at once are delivered later.",
            also: [
                .radar(
                    "replay",
                    .words([
                        "2": "all", "1": "stops", "0": "none", "replayAll": "all", "replayStops": "stops",
                        "replayNone": "none",
                    ]))
            ]),
        .duration(
            "desiredSyncInterval", \.desiredSyncInterval, .zero...day, "Upload at most this often; 0: at once.",
            also: [.radar("desiredSyncInterval")]),
        .count(
            "maxDaysToPersist", \.maxDaysToPersist, 0...36_500,
            "Records older than so many days may be forgotten; 0: no bound.",
            also: [.transistor("maxDaysToPersist", unbounded)]),
        .count(
            "maxRecordsToPersist", \.maxRecordsToPersist, 0...1_000_000_000,
            "Of more records than this the oldest may be forgotten; 0: no bound.",
            also: [.transistor("maxRecordsToPersist", unbounded)]),
    ]

    static let schedule: [TrackingOption] = [
        .timestamp(
            "startTrackingAfter", \.startTrackingAfter, "Do not track before this moment.",
            also: [.radar("startTrackingAfter")]),
        .timestamp(
            "stopTrackingAfter", \.stopTrackingAfter, "Do not track after this moment.",
            also: [.radar("stopTrackingAfter")]),
        .crontab(
            "trackingSchedule", \.trackingSchedule, "Track only in the minutes that match these crontab fields.",
            also: [.trckr("trackingSchedule")]),
        .timeOfDay(
            "startTime", \.startTime, "Do not track earlier in the day than this.", also: [.geoManager("startTime")]),
        .timeOfDay("endTime", \.endTime, "Do not track later in the day than this.", also: [.geoManager("endTime")]),
        .text(
            "tagForOffScheduleTracking", \.tagForOffScheduleTracking,
            "What records and trips outside the schedule are tagged with.",
            also: [.trckr("tagForOffScheduleTracking")]),
        .flag(
            "trackOutsideSchedule", \.trackOutsideSchedule, "Track outside the schedule too.",
            also: [.trckr("shouldTrackOutsideSchedule")]),
    ]

    private static let syncCodes = ForeignName.Reading.words(["2": "all", "1": "stopsAndExits", "0": "none"])
    /// Transistor writes -1 where there is no bound.
    private static let unbounded = ForeignName.Reading.words(["-1": "0"])
}
