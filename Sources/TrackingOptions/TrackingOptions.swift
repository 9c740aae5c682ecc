package import Calendar
package import Quantities

/// The table `TrackingOption.all` has the key, kind, range and meaning of each option.
package struct TrackingOptions: Sendable, Hashable {
    package var monitoring = MonitoringMode.move

    // MARK: How good a fix must be

    package var desiredAccuracy = DesiredAccuracy.high
    package var accuracyLimit = Metres(200)
    package var fixTimeout = Duration.seconds(120)

    // MARK: Which fixes become records

    package var desiredMovingUpdateInterval = Duration.zero
    package var fastestMovingUpdateInterval = Duration.seconds(1)
    package var desiredStoppedUpdateInterval = Duration.zero
    package var fastestStoppedUpdateInterval = Duration.zero
    package var distanceFilter = Metres(10)
    package var updateRule = UpdateRule.any
    package var disableElasticity = false
    package var elasticityMultiplier = 1.0
    package var turnFilter = Degrees(0)
    package var useSignificantLocationChanges = false
    package var useMovingGeofence = false
    package var movingGeofenceRadius = Metres(100)
    package var usePassiveFixes = false
    package var arrivalPoints = 3

    // MARK: When a trip starts and ends

    package var motionTriggerDelay = Duration.zero
    package var stopTimeout = Duration.seconds(300)
    package var stopDetectionDelay = Duration.zero
    package var stopRequiresRest = false
    package var stopDuration = Duration.seconds(140)
    package var stopDistance = Metres(70)
    package var stationaryInterval = Duration.zero
    package var stationaryDistance = Metres(150)
    package var stationarySpeed = MetresPerSecond(0.85)
    package var stationaryRadius = Metres(150)
    package var useStoppedGeofence = false
    package var stoppedGeofenceRadius = Metres(100)
    package var parkedCheckInterval = Duration.seconds(21_600)
    package var startDistance = Metres(0)
    package var startDelay = Duration.zero
    package var stopOnIgnitionOff = false
    package var tripGap = Duration.zero

    // MARK: What else is recorded

    package var useVisits = false
    package var beacons = false
    package var beaconExitDelay = Duration.seconds(30)
    package var syncGeofences = false
    package var syncGeofencesLimit = 10
    package var heartbeatInterval = Duration.zero
    package var drivingEvents = false
    package var speedLimit = MetresPerSecond(0)
    package var jammingLevel = 128
    package var trackLastKnownLocation = true

    // MARK: What is uploaded

    package var sync = SyncRule.all
    package var replay = ReplayRule.all
    package var desiredSyncInterval = Duration.seconds(20)
    package var maxDaysToPersist = 0
    package var maxRecordsToPersist = 0
    package var maxBytesToPersist = 512 << 20

    // MARK: When trackerd tracks

    package var startTrackingAfter: Timestamp?
    package var stopTrackingAfter: Timestamp?
    package var trackingSchedule: Crontab?
    package var startTime = TimeOfDay.startOfDay
    package var endTime = TimeOfDay.endOfDay
    package var tagForOffScheduleTracking: String?
    package var trackOutsideSchedule = false
    package var privateTimes: Crontab?

    package var indicator = Indicator.off

    package init() {}
}

extension Schedule {
    package init(_ options: TrackingOptions, zone: TimeZoneRules) {
        self.init(
            crontab: options.trackingSchedule, from: options.startTime, to: options.endTime,
            begin: options.startTrackingAfter, end: options.stopTrackingAfter, zone: zone)
    }
}

extension TrackingOptions {
    /// The radius of the circle around the parked place in which motion starts no trip; nil without such a circle.
    package var startCircle: Metres? {
        let bubble = useStoppedGeofence ? stoppedGeofenceRadius : .zero
        let radius = max(bubble, startDistance)
        return radius > .zero ? radius : nil
    }

    /// The radius of the circle around the last record; nil without such a circle. The next fix is due when the vehicle may
    /// have left the circle.
    package var movingCircle: Metres? {
        useMovingGeofence && movingGeofenceRadius > .zero ? movingGeofenceRadius : nil
    }

    /// A fix provably beyond this distance from the parked place proves a start; 100 m if `stoppedGeofenceRadius` is zero.
    package var provenStart: Metres { stoppedGeofenceRadius > .zero ? stoppedGeofenceRadius : Metres(100) }

    /// Two fixes in a row provably beyond this distance from where stillness began end it; 70 m if `stopDistance` is zero.
    package var provenMotion: Metres { stopDistance > .zero ? stopDistance : Metres(70) }

    /// Zero if the rule is off.
    package var placeRuleDuration: Duration { stopDistance > .zero ? stopDuration : .zero }

    package var recordsTrack: Bool {
        desiredMovingUpdateInterval > .zero || distanceFilter > .zero || turnFilter > .zero
            || useSignificantLocationChanges || movingCircle != nil
    }

    package var powersReceiver: Bool { desiredAccuracy.powersReceiver && monitoring.usesReceiver }
}
