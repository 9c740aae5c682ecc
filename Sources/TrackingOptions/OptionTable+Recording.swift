import Quantities

/// What else is recorded, what is uploaded, and when it tracks at all.
extension TrackingOption {
    static let recording: [TrackingOption] = [
        .flag(
            "useVisits", \.useVisits, "Record arrival at and departure from a stay as visits."),
        .flag("beacons", \.beacons, "Scan for iBeacons."),
        .duration(
            "beaconExitDelay", \.beaconExitDelay, .seconds(1) ... .seconds(300),
            "A beacon that has not been heard for this long is gone."),
        .flag(
            "syncGeofences", \.syncGeofences, "Keep the nearest regions of the server on the device."),
        .count(
            "syncGeofencesLimit", \.syncGeofencesLimit, 0...1000, "How many of them."),
        .duration(
            "heartbeatInterval", \.heartbeatInterval, .zero...day,
            "While stationary, record a ping this often without powering the receiver; 0: off."),
        .flag(
            "drivingEvents", \.drivingEvents,
            "Record harsh braking, acceleration and cornering, impacts, and tows."),
        .flag(
            "trackLastKnownLocation", \.trackLastKnownLocation, "Keep the last known place for whoever asks."),
        .choice(
            "indicator", \.indicator, "When a light on the board shows that the vehicle is tracked."),
    ]

    static let upload: [TrackingOption] = [
        .choice(
            "sync", \.sync, "Which records are uploaded; all are kept on the device."),
        .choice(
            "replay", \.replay, "Which records that could not be delivered at once are delivered later."),
        .duration(
            "desiredSyncInterval", \.desiredSyncInterval, .zero...day, "Upload at most this often; 0: at once."),
        .count(
            "maxDaysToPersist", \.maxDaysToPersist, 0...36_500,
            "Records older than so many days may be forgotten; 0: no bound."),
        .count(
            "maxRecordsToPersist", \.maxRecordsToPersist, 0...1_000_000_000,
            "Of more records than this the oldest may be forgotten; 0: no bound."),
    ]

    static let schedule: [TrackingOption] = [
        .timestamp(
            "startTrackingAfter", \.startTrackingAfter, "Do not track before this moment."),
        .timestamp(
            "stopTrackingAfter", \.stopTrackingAfter, "Do not track after this moment."),
        .crontab(
            "trackingSchedule", \.trackingSchedule, "Track only in the minutes that match these crontab fields."),
        .timeOfDay(
            "startTime", \.startTime, "Do not track earlier in the day than this."),
        .timeOfDay("endTime", \.endTime, "Do not track later in the day than this."),
        .text(
            "tagForOffScheduleTracking", \.tagForOffScheduleTracking,
            "What records and trips outside the schedule are tagged with."),
        .flag(
            "trackOutsideSchedule", \.trackOutsideSchedule, "Track outside the schedule too."),
    ]
}
