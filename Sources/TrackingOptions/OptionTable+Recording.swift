import Quantities

/// Options for other records, for uploads, and for the times of tracking.
extension TrackingOption {
    static let recording: [TrackingOption] = [
        TrackingOption(
            "useVisits", \.useVisits, "Record arrivals and departures as visits."),
        TrackingOption(
            "beacons", \.beacons,
            "Scan for iBeacons; a configured beacon, or a region or waypoint with a beacon, also switches scanning on."
        ),
        TrackingOption(
            "beaconExitDelay", \.beaconExitDelay, .seconds(1) ... .seconds(300),
            "A beacon that was not received for this time is out of range; the time is at least 30 s while the adapter scans only 1 s in 10."
        ),
        TrackingOption(
            "syncGeofences", \.syncGeofences,
            "Keep the nearest regions of the server on the device; no effect yet, because trackerd fetches no regions."),
        TrackingOption(
            "syncGeofencesLimit", \.syncGeofencesLimit, 0...1000,
            "The number of regions that syncGeofences keeps on the device."),
        TrackingOption(
            "heartbeatInterval", \.heartbeatInterval, .zero...day,
            "While parked, record a ping at this interval without powering the receiver; 0: off."),
        TrackingOption(
            "drivingEvents", \.drivingEvents,
            "Record harsh braking, acceleration and cornering, impacts, and towing."),
        TrackingOption(
            "trackLastKnownLocation", \.trackLastKnownLocation,
            "Keep the last known location, and report this location on request."
        ),
        TrackingOption(
            "indicator", \.indicator, "When a light on the board shows that trackerd is tracking."),
    ]

    static let upload: [TrackingOption] = [
        TrackingOption(
            "sync", \.sync, "Which records trackerd uploads; all records remain on the device."),
        TrackingOption(
            "replay", \.replay, "Which records trackerd delivers later if it could not deliver them at once."),
        TrackingOption(
            "desiredSyncInterval", \.desiredSyncInterval, .zero...day,
            "The shortest time between two uploads; 0: upload at once."),
        TrackingOption(
            "maxDaysToPersist", \.maxDaysToPersist, 0...36_500,
            "Allow trackerd to delete records older than this number of days; 0: no limit."),
        TrackingOption(
            "maxRecordsToPersist", \.maxRecordsToPersist, 0...1_000_000_000,
            "If the database has more records than this, trackerd may delete the oldest; 0: no limit."),
        TrackingOption(
            "maxBytesToPersist", \.maxBytesToPersist, 0...1_000_000_000_000,
            "If the database has more bytes in use than this, trackerd may delete the oldest records; 0: no limit."),
    ]

    static let schedule: [TrackingOption] = [
        TrackingOption(
            "startTrackingAfter", \.startTrackingAfter, "Do not track before this time."),
        TrackingOption(
            "stopTrackingAfter", \.stopTrackingAfter, "Do not track after this time."),
        TrackingOption(
            "trackingSchedule", \.trackingSchedule, "Track only in the minutes that match these crontab fields."),
        TrackingOption(
            "startTime", \.startTime, "The time of day at which tracking starts."),
        TrackingOption("endTime", \.endTime, "The time of day at which tracking ends."),
        TrackingOption(
            "tagForOffScheduleTracking", \.tagForOffScheduleTracking,
            "The tag of records and trips outside the schedule."),
        TrackingOption(
            "trackOutsideSchedule", \.trackOutsideSchedule, "Also track outside the schedule."),
    ]
}
