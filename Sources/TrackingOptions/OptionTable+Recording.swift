import Quantities

extension TrackingOption {
    static let recording: [TrackingOption] = [
        TrackingOption(
            "useVisits", \.useVisits, floor: .staysOn,
            "Record arrivals and departures as visits."),
        TrackingOption(
            "beacons", \.beacons, floor: .staysOn,
            "Scan for iBeacons; a configured beacon, or a region or waypoint with a beacon, also switches scanning on."
        ),
        TrackingOption(
            "beaconExitDelay", \.beaconExitDelay, .seconds(1) ... .seconds(300), floor: .harmless,
            "A beacon is out of range if the adapter has not received it for this time; while the adapter scans only 1 s in every 10 s, the time is at least 30 s."
        ),
        TrackingOption(
            "syncGeofences", \.syncGeofences, floor: .staysOn,
            "Fetch regions from the servers whose targets permit `regions`, and watch those that are nearest to the vehicle."
        ),
        TrackingOption(
            "syncGeofencesLimit", \.syncGeofencesLimit, 0...1000, floor: .number(from: .owner),
            "The number of nearest regions that syncGeofences watches; a region that the vehicle is in remains watched until the vehicle leaves it."
        ),
        TrackingOption(
            "heartbeatInterval", \.heartbeatInterval, .zero...day, floor: .number(to: .interval, zero: .off),
            "While the vehicle is parked, record a ping at this interval without switching the receiver on; 0: off."),
        TrackingOption(
            "drivingEvents", \.drivingEvents, floor: .staysOn,
            "Record harsh braking, acceleration and cornering, impacts, and towing."),
        TrackingOption(
            "speedLimit", \.speedLimit, 0...100, floor: .number(to: .owner, zero: .off),
            "Record when the vehicle drives more than 3 % faster than this for 5 s, and when it no longer exceeds this; 0: no limit."
        ),
        TrackingOption(
            "jammingLevel", \.jammingLevel, 0...255, floor: .number(to: .owner, zero: .off),
            "Record when the receiver has reported at least this level of jamming for a minute, and when the jamming ends; 0: never."
        ),
        TrackingOption(
            "trackLastKnownLocation", \.trackLastKnownLocation, floor: .staysOn,
            "Report the last known location in the status; false: the status has no location."
        ),
        TrackingOption(
            "indicator", \.indicator, floor: .harmless,
            "When the light on the board is on: never (`off`), briefly at each record (`updates`), or while trackerd is tracking (`always`)."
        ),
    ]

    static let upload: [TrackingOption] = [
        TrackingOption(
            "sync", \.sync, floor: .words(["all", "stopsAndExits", "none"], last: "all"),
            "Which records trackerd uploads; all records remain on the device."),
        TrackingOption(
            "replay", \.replay, floor: .words(["all", "stops", "none"], last: "all"),
            "Which records trackerd delivers later if it could not deliver them at once."),
        TrackingOption(
            "desiredSyncInterval", \.desiredSyncInterval, .zero...day, floor: .number(to: .interval),
            "The shortest time between two uploads; 0: upload at once."),
        TrackingOption(
            "maxDaysToPersist", \.maxDaysToPersist, 0...36_500, floor: .forbidden,
            "Allow trackerd to delete records older than this number of days; 0: no limit."),
        TrackingOption(
            "maxRecordsToPersist", \.maxRecordsToPersist, 0...1_000_000_000, floor: .forbidden,
            "If the database has more records than this number, trackerd may delete the oldest records; 0: no limit."),
        TrackingOption(
            "maxBytesToPersist", \.maxBytesToPersist, 0...1_000_000_000_000, floor: .forbidden,
            "If more than this number of bytes of the database is in use, trackerd may delete the oldest records; 0: no limit."
        ),
    ]

    static let schedule: [TrackingOption] = [
        TrackingOption(
            "startTrackingAfter", \.startTrackingAfter, floor: .needsSilence,
            "Do not track before this time."),
        TrackingOption(
            "stopTrackingAfter", \.stopTrackingAfter, floor: .needsSilence,
            "Do not track after this time."),
        TrackingOption(
            "trackingSchedule", \.trackingSchedule, floor: .needsSilence,
            "Track only in the minutes that match these crontab fields."),
        TrackingOption(
            "startTime", \.startTime, floor: .needsSilence,
            "The time of day at which tracking starts."),
        TrackingOption(
            "endTime", \.endTime, floor: .needsSilence,
            "The time of day at which tracking ends."),
        TrackingOption(
            "tagForOffScheduleTracking", \.tagForOffScheduleTracking, floor: .harmless,
            "The tag of records and trips outside the schedule."),
        TrackingOption(
            "trackOutsideSchedule", \.trackOutsideSchedule, floor: .needsSilence,
            "Also track outside the schedule."),
        TrackingOption(
            "privateTimes", \.privateTimes, floor: .forbidden,
            "Record no position, no trip and no visit in the minutes that match these crontab fields; the odometer continues."
        ),
    ]
}
