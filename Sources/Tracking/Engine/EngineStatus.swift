package import Quantities
package import TrackingOptions

package struct EngineStatus: Sendable {
    package let utcEstimate: UTCEstimate
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

    package var state: EngineState {
        var state = EngineState()
        journey.save(in: &state)
        (state.options, state.gate) = (settings.snapshot, settings.gateSnapshot)
        (state.privacy, state.power) = (privacy.snapshot, power.snapshot)
        (state.regions, state.beacons) = (surroundings.regionSnapshot, surroundings.beaconSnapshot)
        return state
    }

    package func time(at now: Instant) -> Timestamp { utcEstimate.time(at: now).time }

    // MARK: Schedule and privacy

    package var suspension: Suspension? { settings.suspension }

    /// True also while the clock is not trusted.
    package var isWithinSchedule: Bool { !settings.isOffSchedule }

    /// Nil if there is none, or if the clock is not trusted.
    package func nextScheduleChange(at now: Instant) -> Timestamp? {
        settings.nextScheduleChange(at: utcEstimate.time(at: now))
    }

    package var isPrivate: Bool { privacy.isPrivate }

    package var privacyReasons: [PrivacyReason] { privacy.reasons }

    package func privacyEnd(at now: Instant) -> Timestamp? { privacy.end(at: utcEstimate.time(at: now)) }

    package func privacyOutlasts(_ span: Duration?, at now: Instant) -> Bool {
        privacy.outlasts(span, at: utcEstimate.time(at: now))
    }

    // MARK: The vehicle

    package var isMoving: Bool { journey.isMoving }

    /// Nil while the vehicle moves, in a private period, and if unknown.
    package var parkedSince: Timestamp? { isMoving || isPrivate ? nil : journey.logbook.arrival }

    package var odometer: Metres { journey.logbook.odometer.distance }

    package var lastFix: AcceptedFix? { journey.logbook.lastFix }

    package var lastKnownPlace: Position? { journey.place }

    /// Nil if unknown, if `trackLastKnownLocation` is off, in a private period, and after one as long as the only known
    /// position is a fix from it.
    package var lastKnownLocation: Position? {
        guard settings.options.trackLastKnownLocation, !isPrivate else { return nil }
        let position = journey.place ?? lastFix?.position
        return position?.coordinate == privacy.hiddenPlace(journey.logbook, isMoving: isMoving) ? nil : position
    }

    package var receiverOnSince: Instant? { journey.receiver.onSince }

    /// Why no position is usable; nil if the last one was usable, or if no reason has lasted for 30 s.
    package var receiverRefusal: FixRejection? { journey.receiver.refusal }

    /// True if the receiver of a parked vehicle is on, in most cases for a position check, which ends soon.
    package var isCheckingPosition: Bool { !isMoving && receiverOnSince != nil }

    package var firstFixes: FirstFixes { journey.receiver.firstFixes }

    // MARK: Power

    package var ignition: Bool? { power.ignition }

    /// Nil if it was not measured in the last five minutes.
    package func supplyVoltage(at now: Instant) -> Volts? { power.voltage(at: now) }

    package var haltsParkedBoard: Bool { power.haltsParkedBoard }

    package func awakeUntil(at now: Instant) -> Timestamp? { power.awakeUntil(at: now) }

    // MARK: Options

    package var mode: MonitoringMode { settings.options.monitoring }

    package var usesBeacons: Bool {
        surroundings.mayScan(settings.options, isForbidden: settings.forbidBeacons)
    }

    package var resolvedOptions: ResolvedOptions {
        var resolved = settings.resolved
        if usesBeacons { resolved.switchOnBeacons() }
        return resolved
    }

    package var optionLayers: OptionLayers { settings.layers }

    /// The options of `tracking start`, complete with their profile.
    package var customOptions: OptionLayer? { optionLayers.layers.first { $0.origin == .custom } }

    package var hasRemoteOptions: Bool { optionLayers.layers.contains { $0.origin == .remote } }

    package var optionsTrial: OptionsTrial? { settings.trial }

    /// Returns the options that the server has no permission to set.
    package func withheld(in layers: OptionLayers, isOnTrip: Bool) -> [OptionAssignment] {
        settings.withheld(in: layers, isOnTrip: isOnTrip, isAnyBeaconConfigured: surroundings.hasBeacons)
    }

    // MARK: Regions

    package func beaconReading(of id: String, at now: Instant) -> BeaconReading? {
        surroundings.reading(of: id, at: now)
    }

    package var regionsInside: [Region] { isPrivate ? [] : surroundings.inside }

    package var watchedRegions: [Region] { surroundings.watched }

    package func origin(of region: Region) -> RegionOrigin { surroundings.origin(of: region) }

    package var serverRegions: [ServerRegions] { surroundings.servers }

    package var watchesServerRegions: Bool { settings.options.syncedRegions > 0 }

    package func hiddenRegionCount(of target: String) -> Int { surroundings.hiddenCount(of: target) }
}
