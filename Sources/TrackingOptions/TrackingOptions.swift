package import Calendar
package import Quantities

/// How the vehicle is tracked.
///
/// `OptionTable` has the key, unit, range and meaning of each option; a profile is a set of values.
package struct TrackingOptions: Sendable, Hashable {
    /// What trackerd records without a request.
    package var monitoring = MonitoringMode.move

    // MARK: How good a fix must be

    /// How accurate a fix must be, and how much power the receiver may use for it.
    package var desiredAccuracy = DesiredAccuracy.high
    /// trackerd rejects fixes with a larger horizontal error.
    package var accuracyLimit = Metres(200)
    /// How long the receiver may search; then trackerd uses the best fix so far, or pauses the search.
    package var fixTimeout = Duration.seconds(120)

    // MARK: Which fixes become records

    /// While moving, record at least this often; zero: no time rule.
    package var desiredMovingUpdateInterval = Duration.zero
    /// Never record more often than this while moving.
    package var fastestMovingUpdateInterval = Duration.seconds(1)
    /// While stationary, power the receiver this often for one record; zero: receiver off.
    package var desiredStoppedUpdateInterval = Duration.zero
    /// While parked, record fixes that other requests cause, at most this often; zero: only with `usePassiveFixes`.
    package var fastestStoppedUpdateInterval = Duration.zero
    /// Record after this displacement from the last record; zero: no distance rule.
    package var distanceFilter = Metres(10)
    /// Whether the time rule and the distance rule must both be met, or either.
    package var updateRule = UpdateRule.any
    /// Use the same distance filter at all speeds.
    package var disableElasticity = false
    /// How strongly the distance filter grows with speed; zero: not at all.
    package var elasticityMultiplier = 1.0
    /// Also record when the course has changed by this angle since the last record; zero: off.
    package var turnFilter = Degrees(0)
    /// Record after 500 m from the last record, but at most every 300 s.
    package var useSignificantLocationChanges = false
    /// While the receiver rests, request a fix as soon as the vehicle can have left the circle around the last record, if such a
    /// short rest saves power.
    package var useMovingGeofence = false
    /// The radius of the circle in the option above; zero: no circle.
    package var movingGeofenceRadius = Metres(100)
    /// Also record fixes that other requests cause, at most every fastest interval of the state.
    package var usePassiveFixes = false
    /// The number of fixes near an arrival that trackerd records with it, for servers that detect visits.
    package var arrivalPoints = 3

    // MARK: When a trip starts and ends

    /// Motion must last this long before a trip starts.
    package var motionTriggerDelay = Duration.zero
    /// A stop is confirmed after this long without motion.
    package var stopTimeout = Duration.seconds(300)
    /// Stop detection begins after this long without motion.
    package var stopDetectionDelay = Duration.zero
    /// Whether the rule of `stopDuration` also requires that the vehicle rests.
    package var stopRequiresRest = false
    /// A stop is also confirmed if all fixes of this duration are within `stopDistance`; zero: rule off.
    package var stopDuration = Duration.seconds(140)
    /// The largest distance between fixes of one place; zero: rule off.
    package var stopDistance = Metres(70)
    /// A stop is also confirmed if the fixes of this duration show neither distance nor speed; zero: rule off.
    package var stationaryInterval = Duration.zero
    /// The largest diagonal of the bounding box of those fixes.
    package var stationaryDistance = Metres(150)
    /// The limit for the average speed of those fixes.
    package var stationarySpeed = MetresPerSecond(0.85)
    /// A fix farther than this from the parked place starts a trip.
    package var stationaryRadius = Metres(150)
    /// Leaving the circle around the parked place starts a trip; motion inside it does not.
    package var useStoppedGeofence = false
    /// The radius of the circle in the option above; zero: no circle.
    package var stoppedGeofenceRadius = Metres(100)
    /// While the accelerometer measures no motion, check the position this often; zero: never.
    package var parkedCheckInterval = Duration.seconds(21_600)
    /// Motion starts a trip only beyond this distance from the parked place; zero: at once.
    package var startDistance = Metres(0)
    /// Neither motion nor a fix starts a trip before this long after the stop; zero: at once.
    package var startDelay = Duration.zero
    /// Whether switching the ignition off ends the trip at once.
    package var stopOnIgnitionOff = false
    /// Stops shorter than this do not split a trip.
    package var tripGap = Duration.zero

    // MARK: What else is recorded

    /// Whether arrivals and departures become visit records.
    package var useVisits = false
    /// Whether trackerd scans for iBeacons.
    package var beacons = false
    /// A beacon that was not received for this long is out of range.
    package var beaconExitDelay = Duration.seconds(30)
    /// Whether the device keeps the nearest regions of the server.
    package var syncGeofences = false
    /// How many of the nearest regions the device keeps.
    package var syncGeofencesLimit = 10
    /// While stationary, record a ping this often without powering the receiver; zero: off.
    package var heartbeatInterval = Duration.zero
    /// Whether harsh braking, acceleration, cornering, impacts and tows become records.
    package var drivingEvents = false
    /// Whether trackerd keeps the last known location and reports it on request.
    package var trackLastKnownLocation = true

    // MARK: What is uploaded

    /// Which records trackerd uploads; all remain on the device.
    package var sync = SyncRule.all
    /// Which records trackerd delivers later if it could not deliver them at once.
    package var replay = ReplayRule.all
    /// Upload at most this often; zero: at once.
    package var desiredSyncInterval = Duration.seconds(20)
    /// trackerd may delete records older than this number of days; zero: no limit.
    package var maxDaysToPersist = 0
    /// If there are more records than this, trackerd may delete the oldest; zero: no limit.
    package var maxRecordsToPersist = 0
    /// If the records and the log take more bytes than this, trackerd may delete the oldest; zero: no limit.
    package var maxBytesToPersist = 512 << 20

    // MARK: When trackerd tracks

    /// Do not track before this moment.
    package var startTrackingAfter: Timestamp?
    /// Do not track after this moment.
    package var stopTrackingAfter: Timestamp?
    /// Track only in the minutes that match.
    package var trackingSchedule: Crontab?
    /// Do not track earlier in the day than this.
    package var startTime = TimeOfDay.startOfDay
    /// Do not track later in the day than this.
    package var endTime = TimeOfDay.endOfDay
    /// The tag of records outside the schedule.
    package var tagForOffScheduleTracking: String?
    /// Whether to track outside the schedule too.
    package var trackOutsideSchedule = false

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
