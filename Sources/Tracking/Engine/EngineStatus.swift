package import Quantities
package import TrackingOptions

/// What the engine knows at one moment.
package struct EngineStatus: Sendable {
    /// The estimate of UTC; the store also dates the data on disk by this estimate.
    package let utcEstimate: UTCEstimate
    /// Whether an accelerometer answers.
    package let hasMotionSensor: Bool
    private let settings: Settings
    private let privacy: Privacy
    private let journey: Journey
    private let surroundings: Surroundings
    private let power: PowerManager

    init(
        _ utc: UTCEstimate, hasMotionSensor: Bool, _ settings: Settings, _ privacy: Privacy, _ journey: Journey,
        _ surroundings: Surroundings, _ power: PowerManager
    ) {
        (utcEstimate, self.hasMotionSensor) = (utc, hasMotionSensor)
        (self.settings, self.privacy, self.journey) = (settings, privacy, journey)
        (self.surroundings, self.power) = (surroundings, power)
    }

    /// The state that a restart needs.
    package var state: EngineState {
        var state = EngineState()
        journey.save(in: &state)
        (state.options, state.gate) = (settings.snapshot, settings.gateSnapshot)
        (state.privacy, state.power) = (privacy.snapshot, power.snapshot)
        (state.regions, state.beacons) = (surroundings.regionSnapshot, surroundings.beaconSnapshot)
        return state
    }

    /// Returns the engine's estimate of the present UTC.
    package func time(at now: Instant) -> Timestamp { utcEstimate.time(at: now).time }

    // MARK: Schedule and privacy

    /// Why tracking is suspended; nil if it is not suspended.
    package var suspension: Suspension? { settings.suspension }

    /// Whether the schedule allows tracking; true if the clock is not trusted.
    package var isWithinSchedule: Bool { !settings.isOffSchedule }

    /// Returns when the schedule next opens or closes; nil if it never does, or if UTC is not known.
    package func nextScheduleChange(at now: Instant) -> Timestamp? {
        settings.nextScheduleChange(at: utcEstimate.time(at: now))
    }

    /// Whether the tracker may record no position now.
    package var isPrivate: Bool { privacy.isPrivate }

    /// Why the tracker may record no position now; empty if it may.
    package var privacyReasons: [PrivacyReason] { privacy.reasons }

    /// Returns when the present private period ends; nil if that is unknown.
    package func privacyEnd(at now: Instant) -> Timestamp? { privacy.end(at: utcEstimate.time(at: now)) }

    /// Whether the present period by command ends later than a period of `span` that begins now; nil is without an end.
    package func privacyOutlasts(_ span: Duration?, at now: Instant) -> Bool {
        privacy.outlasts(span, at: utcEstimate.time(at: now))
    }

    // MARK: The vehicle

    package var isMoving: Bool { journey.isMoving }

    /// When the parked vehicle arrived; nil while it moves or is private, and if that time is unknown.
    package var parkedSince: Timestamp? { isMoving || isPrivate ? nil : journey.logbook.arrival }

    /// The reading of the odometer: the value to which it was set, plus the accepted movement since then.
    package var odometer: Metres { journey.logbook.odometer.distance }

    /// The last accepted fix; nil before the first one.
    package var lastFix: AcceptedFix? { journey.logbook.lastFix }

    /// The position that a record would have now; nil if no position is known.
    package var lastKnownPlace: Position? { journey.place }

    /// The last known position of the vehicle; nil if there is none, if the options keep the position private, and
    /// in a private period.
    package var lastKnownLocation: Position? {
        guard settings.options.trackLastKnownLocation, !isPrivate else { return nil }
        let position = journey.place ?? lastFix?.position
        return position?.coordinate == privacy.hiddenPlace(journey.logbook, isMoving: isMoving) ? nil : position
    }

    /// Since when the receiver has been on; nil while it is off.
    package var receiverOnSince: Instant? { journey.receiver.onSince }

    /// Why none of the receiver's positions is usable; nil if they are, or if it reports none.
    package var receiverRefusal: FixRejection? { journey.receiver.refusal }

    /// Whether the vehicle is parked and the receiver is on, in most cases for a position check that ends soon.
    package var isCheckingPosition: Bool { !isMoving && receiverOnSince != nil }

    /// The times to first fix since the program started.
    package var firstFixes: FirstFixes { journey.receiver.firstFixes }

    // MARK: Power

    /// Whether the ignition is on; nil if the program has not read an ignition line.
    package var ignition: Bool? { power.ignition }

    /// The voltage of the vehicle's battery; nil if it was not measured in the last five minutes.
    package func supplyVoltage(at now: Instant) -> Volts? { power.voltage(at: now) }

    /// Whether trackerd halts the board when the vehicle has been parked for `haltAfter`.
    package var haltsParkedBoard: Bool { power.haltsParkedBoard }

    /// Returns until when `haltAfter` does not halt the board; nil if no command keeps the board awake.
    package func awakeUntil(at now: Instant) -> Timestamp? { power.awakeUntil(at: now) }

    // MARK: Options

    package var mode: MonitoringMode { settings.options.monitoring }

    /// Whether trackerd may scan for beacons: the option is on, or a beacon is configured and no option forbids the scan.
    package var usesBeacons: Bool {
        surroundings.mayScan(settings.options, isForbidden: settings.forbidBeacons)
    }

    /// The options in force, each with its origin.
    package var resolvedOptions: ResolvedOptions {
        var resolved = settings.resolved
        if usesBeacons { resolved.switchOnBeacons() }
        return resolved
    }

    package var optionLayers: OptionLayers { settings.layers }

    /// The layer of the options from `tracking start`, complete with their profile; nil if no such layer is in force.
    package var customOptions: OptionLayer? { optionLayers.layers.first { $0.origin == .custom } }

    package var hasRemoteOptions: Bool { optionLayers.layers.contains { $0.origin == .remote } }

    /// The options of a server that are on trial; nil if there are none.
    package var optionsTrial: OptionsTrial? { settings.trial }

    /// Returns the values of a server that would not apply with these layers, because the server may not set them.
    package func withheld(in layers: OptionLayers, isOnTrip: Bool) -> [OptionAssignment] {
        settings.withheld(in: layers, isOnTrip: isOnTrip, isAnyBeaconConfigured: surroundings.hasBeacons)
    }

    // MARK: Regions

    /// Returns the signal of a region's beacon; nil if the vehicle is not near the beacon, or without a sighting in the
    /// last 20 s.
    package func beaconReading(of id: String, at now: Instant) -> BeaconReading? {
        surroundings.reading(of: id, at: now)
    }

    /// The regions that the vehicle is in, in the order of entry; empty in a private period.
    package var regionsInside: [Region] { isPrivate ? [] : surroundings.inside }

    /// The watched regions: first the configured regions, then those of the servers, then those of the waypoints.
    package var watchedRegions: [Region] { surroundings.watched }

    /// Returns the origin of a watched region.
    package func origin(of region: Region) -> RegionOrigin { surroundings.origin(of: region) }

    /// All regions of the targets' servers, watched or not.
    package var serverRegions: [ServerRegions] { surroundings.servers }

    /// Whether the options let the tracker watch regions of servers.
    package var watchesServerRegions: Bool { settings.options.syncedRegions > 0 }

    /// Returns the number of a server's regions that cannot be watched, because another region has their key or name.
    package func hiddenRegionCount(of target: String) -> Int { surroundings.hiddenCount(of: target) }
}
