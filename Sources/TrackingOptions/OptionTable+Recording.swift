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
            "A beacon is out of range if it is not received for this time; at least 30 s while the adapter scans only 1 s in 10."
        ),
        TrackingOption(
            "syncGeofences", \.syncGeofences, floor: .staysOn,
            "Fetch regions from servers with the permission `regions`, and watch the nearest."
        ),
        TrackingOption(
            "syncGeofencesLimit", \.syncGeofencesLimit, 0...1000, floor: .number(from: .owner),
            "How many regions syncGeofences watches; one that the vehicle is in stays until it leaves."
        ),
        TrackingOption(
            "heartbeatInterval", \.heartbeatInterval, .zero...day, floor: .number(to: .interval, zero: .off),
            "While parked, record a ping at this interval without switching the receiver on; 0: off."),
        TrackingOption(
            "drivingEvents", \.drivingEvents, floor: .staysOn,
            "Record harsh braking, acceleration and cornering, impacts, and towing."),
        TrackingOption(
            "speedLimit", \.speedLimit, 0...100, floor: .number(to: .owner, zero: .off),
            "Record when the speed is more than 3 % above this for 5 s, and when it no longer is; 0: no limit."
        ),
        TrackingOption(
            "jammingLevel", \.jammingLevel, 0...255, floor: .number(to: .owner, zero: .off),
            "Record when jamming has reached this level for a minute, and when it ends; 0: never."
        ),
        TrackingOption(
            "trackLastKnownLocation", \.trackLastKnownLocation, floor: .staysOn,
            "Show the last known location in the status."
        ),
        TrackingOption(
            "indicator", \.indicator, floor: .harmless,
            "When the light on the board is on: never, at each record (`updates`), or while tracking (`always`)."
        ),
    ]

    static let upload: [TrackingOption] = [
        TrackingOption(
            "sync", \.sync, floor: .words(["all", "stopsAndExits", "none"], last: "all"),
            "Which records are uploaded; all stay on the device."),
        TrackingOption(
            "replay", \.replay, floor: .words(["all", "stops", "none"], last: "all"),
            "Which records are delivered later if they could not be delivered at once."),
        TrackingOption(
            "desiredSyncInterval", \.desiredSyncInterval, .zero...day, floor: .number(to: .interval),
            "The shortest time between two uploads; 0: upload at once."),
        TrackingOption(
            "maxDaysToPersist", \.maxDaysToPersist, 0...36_500, floor: .forbidden,
            "Delete records older than this number of days; 0: no limit."),
        TrackingOption(
            "maxRecordsToPersist", \.maxRecordsToPersist, 0...1_000_000_000, floor: .forbidden,
            "Beyond this number of records, delete the oldest; 0: no limit."),
        TrackingOption(
            "maxBytesToPersist", \.maxBytesToPersist, 0...1_000_000_000_000, floor: .forbidden,
            "Beyond this many bytes in use, delete the oldest records; 0: no limit."
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
            "Track only in these minutes."),
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
            "Record no position, trip or visit in these minutes; the odometer continues."
        ),
    ]
}
