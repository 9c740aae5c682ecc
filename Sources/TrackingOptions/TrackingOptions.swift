package import Calendar
package import Quantities

/// The options for tracking the vehicle.
///
/// The table `TrackingOption.all` contains the key, kind, range and meaning of each option. A profile is a set of values for
/// these options.
package struct TrackingOptions: Sendable, Hashable {
    /// What trackerd uploads without a request, and whether it records a track.
    package var monitoring = MonitoringMode.move

    // MARK: How good a fix must be

    /// How accurate a fix must be, and whether trackerd may power the receiver for a fix.
    package var desiredAccuracy = DesiredAccuracy.high
    /// trackerd rejects fixes with a larger horizontal error.
    package var accuracyLimit = Metres(200)
    /// How long the receiver may search; then trackerd uses the best fix so far, or pauses the search.
    package var fixTimeout = Duration.seconds(120)

    // MARK: Which fixes become records

    /// While the vehicle moves, the time rule requests a record this time after the last record; zero: no time rule.
    package var desiredMovingUpdateInterval = Duration.zero
    /// While the vehicle moves, the shortest time between two records.
    package var fastestMovingUpdateInterval = Duration.seconds(1)
    /// While the vehicle is parked, trackerd powers the receiver for one record after each interval of this length; zero: no
    /// such records.
    package var desiredStoppedUpdateInterval = Duration.zero
    /// While the vehicle is parked, the shortest time between two records of fixes that other requests cause; zero:
    /// trackerd records such fixes only with `usePassiveFixes`.
    package var fastestStoppedUpdateInterval = Duration.zero
    /// The distance from the last record at which the next record is due; zero: no distance rule.
    package var distanceFilter = Metres(10)
    /// Whether both the time rule and the distance rule must request a record, or whether one of them is enough.
    package var updateRule = UpdateRule.any
    /// Whether the distance filter is the same at all speeds.
    package var disableElasticity = false
    /// How strongly the distance filter grows with the speed; zero: not at all.
    package var elasticityMultiplier = 1.0
    /// A record is also due when the course has changed by this angle since the last record; zero: off.
    package var turnFilter = Degrees(0)
    /// Whether to record after 500 m from the last record, with at least 300 s between two records.
    package var useSignificantLocationChanges = false
    /// Whether to request a fix as soon as the vehicle may have left a circle around the last record.
    ///
    /// The rule has no effect if the receiver would be off too briefly to save power.
    package var useMovingGeofence = false
    /// The radius of the circle of `useMovingGeofence`; zero: no circle.
    package var movingGeofenceRadius = Metres(100)
    /// Whether trackerd also records fixes that other requests cause.
    ///
    /// The shortest time between two such records is the fastest interval for the present state of the vehicle.
    package var usePassiveFixes = false
    /// The number of fixes near the place of an arrival that trackerd records with the arrival, for servers that detect visits.
    package var arrivalPoints = 3

    // MARK: When a trip starts and ends

    /// Motion must last this long before a trip starts.
    package var motionTriggerDelay = Duration.zero
    /// After this time without motion, trackerd confirms a stop.
    package var stopTimeout = Duration.seconds(300)
    /// A time without motion before `stopTimeout` begins.
    package var stopDetectionDelay = Duration.zero
    /// Whether the rule of `stopDuration` also requires that the vehicle is at rest.
    package var stopRequiresRest = false
    /// trackerd also confirms a stop if all fixes of this duration are within `stopDistance`; zero: rule off.
    package var stopDuration = Duration.seconds(140)
    /// The largest distance between fixes of one place; zero: the rule of `stopDuration` is off.
    package var stopDistance = Metres(70)
    /// trackerd also confirms a stop if the fixes of this duration show neither distance nor speed; zero: rule off.
    package var stationaryInterval = Duration.zero
    /// For the rule of `stationaryInterval`, the largest diagonal of the bounding box of the fixes.
    package var stationaryDistance = Metres(150)
    /// For the rule of `stationaryInterval`, the limit for the average speed of the fixes.
    package var stationarySpeed = MetresPerSecond(0.85)
    /// Two fixes in a row that are farther than this from the parked place start a trip.
    package var stationaryRadius = Metres(150)
    /// Whether a trip starts only when the vehicle leaves a circle around the parked place; motion inside the circle then starts
    /// no trip.
    package var useStoppedGeofence = false
    /// The radius of the circle of `useStoppedGeofence`; zero: no circle.
    package var stoppedGeofenceRadius = Metres(100)
    /// The time between two position checks of a parked vehicle whose accelerometer measures no motion; zero: no such checks.
    package var parkedCheckInterval = Duration.seconds(21_600)
    /// Motion starts a trip only if the vehicle is farther than this from its parked place; zero: no such limit.
    package var startDistance = Metres(0)
    /// For this time after a stop, neither motion nor a fix starts a trip; zero: a trip may start at once.
    package var startDelay = Duration.zero
    /// Whether switching the ignition off ends the trip at once.
    package var stopOnIgnitionOff = false
    /// Stops shorter than this do not split a trip.
    package var tripGap = Duration.zero

    // MARK: What else is recorded

    /// Whether arrivals and departures become visit records.
    package var useVisits = false
    /// Whether trackerd scans for iBeacons; if nobody sets this option, a configured beacon, or a region or waypoint with a
    /// beacon, switches scanning on.
    package var beacons = false
    /// A beacon from which no signal arrives for this time is out of range.
    ///
    /// While the adapter scans only 1 s in every 10 s, the time is at least 30 s.
    package var beaconExitDelay = Duration.seconds(30)
    /// Whether the tracker fetches the regions of servers, and watches the nearest of them.
    package var syncGeofences = false
    /// The number of the nearest regions of servers that the tracker watches.
    package var syncGeofencesLimit = 10
    /// While the vehicle is parked, trackerd records a ping after each interval of this length, without powering the receiver;
    /// zero: off.
    package var heartbeatInterval = Duration.zero
    /// Whether harsh braking, acceleration, cornering, impacts and tows become records.
    package var drivingEvents = false
    /// The speed limit that overspeed exceeds; zero: no limit.
    package var speedLimit = MetresPerSecond(0)
    /// The level of jamming, up to 255, from which the receiver counts as jammed; zero: never.
    package var jammingLevel = 128
    /// Whether the status contains the last known location, and whether a new waypoint may have it as its position.
    package var trackLastKnownLocation = true

    // MARK: What is uploaded

    /// Which records trackerd uploads; all records remain on the device.
    package var sync = SyncRule.all
    /// Which records trackerd delivers later if it could not deliver them at once.
    package var replay = ReplayRule.all
    /// The shortest time between two uploads; zero: trackerd uploads each record at once.
    package var desiredSyncInterval = Duration.seconds(20)
    /// trackerd may delete records older than this number of days; zero: no limit.
    package var maxDaysToPersist = 0
    /// If there are more records than this, trackerd may delete the oldest of them; zero: no limit.
    package var maxRecordsToPersist = 0
    /// If more than this number of bytes of the database is in use, trackerd may delete the oldest records; zero: no
    /// limit.
    package var maxBytesToPersist = 512 << 20

    // MARK: When trackerd tracks

    /// trackerd does not track before this moment.
    package var startTrackingAfter: Timestamp?
    /// trackerd does not track after this moment.
    package var stopTrackingAfter: Timestamp?
    /// trackerd tracks only in the minutes that match this schedule; nil: in all minutes.
    package var trackingSchedule: Crontab?
    /// The time of day at which tracking begins.
    package var startTime = TimeOfDay.startOfDay
    /// The time of day at which tracking ends; if it is before `startTime`, tracking continues past midnight.
    package var endTime = TimeOfDay.endOfDay
    /// The tag of records outside the schedule.
    package var tagForOffScheduleTracking: String?
    package var trackOutsideSchedule = false
    /// trackerd records no position in the minutes that match this schedule; nil: it records positions in all minutes.
    package var privateTimes: Crontab?

    /// When a light on the board shows that trackerd is tracking.
    package var indicator = Indicator.off

    /// Sets every option to its default.
    package init() {}
}

extension Schedule {
    /// Makes the schedule that the options describe, for the wall clock in `zone`.
    package init(_ options: TrackingOptions, zone: TimeZoneRules) {
        self.init(
            crontab: options.trackingSchedule, from: options.startTime, to: options.endTime,
            begin: options.startTrackingAfter, end: options.stopTrackingAfter, zone: zone)
    }
}
