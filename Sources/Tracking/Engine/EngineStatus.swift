package import TrackingOptions
package import Quantities

/// Queries of the engine that do not change its state.
extension Engine {
    /// Why tracking is suspended.
    package enum Suspension: Sendable, Hashable {
        /// A user has switched tracking off.
        case switchedOff
        /// The schedule does not allow tracking at this time.
        case schedule
    }

    /// Why tracking is suspended; nil if it is not suspended.
    package var suspension: Suspension? {
        guard gate.isSuspended(options.shared) else { return nil }
        return gate.isSwitchedOff ? .switchedOff : .schedule
    }

    /// Whether the schedule allows tracking; true if the clock is not trusted.
    package var isWithinSchedule: Bool { !gate.isOffSchedule }

    /// Returns when the schedule next opens or closes; nil if it never does, or if UTC is not known.
    package func nextScheduleChange(at now: Instant) -> Timestamp? {
        gate.nextChange(at: utc.time(at: now), options.options)
    }

    /// Returns the engine's estimate of the present UTC.
    package func time(at now: Instant) -> Timestamp { utc.time(at: now).time }

    /// The estimate of UTC; the store also dates the data on disk by this estimate.
    package var utcEstimate: UTCEstimate { utc }

    package var isMoving: Bool { vehicle.isMoving }

    /// When the parked vehicle arrived; nil while it moves or is private, and if that time is unknown.
    package var parkedSince: Timestamp? { isMoving || isPrivate ? nil : equipment.logbook.arrival }

    /// The reading of the odometer: the value to which it was set, plus the accepted movement since then.
    package var odometer: Metres { equipment.logbook.odometer.distance }

    /// Whether the ignition is on; nil if the program has not read an ignition line.
    package var ignition: Bool? { power.ignition }

    /// The voltage of the vehicle's battery; nil if it was not measured in the last five minutes.
    package func supplyVoltage(at now: Instant) -> Volts? { power.voltage(at: now) }

    /// Whether trackerd halts the board when the vehicle has been parked for `haltAfter`.
    package var haltsParkedBoard: Bool { power.haltsParkedBoard }

    /// Returns until when `haltAfter` does not halt the board; nil if no command keeps the board awake.
    package func awakeUntil(at now: Instant) -> Timestamp? { power.awakeUntil(at: now) }

    /// The last accepted fix; nil before the first one.
    package var lastFix: AcceptedFix? { equipment.logbook.lastFix }

    /// Since when the receiver has been on; nil while it is off.
    package var receiverOnSince: Instant? { equipment.receiver.onSince }

    /// Why none of the receiver's positions is usable; nil if they are, or if it reports none.
    package var receiverRefusal: FixRejection? { equipment.receiver.refusal }

    /// Whether the vehicle is parked and the receiver is on, in most cases for a position check that ends soon.
    package var isCheckingPosition: Bool { !isMoving && receiverOnSince != nil }

    /// The times to first fix since the program started.
    package var firstFixes: FirstFixes { equipment.receiver.firstFixes }

    /// The position that a record would have now; nil if no position is known.
    package var lastKnownPlace: Position? { equipment.logbook.place(isMoving: vehicle.isMoving) }

    /// The last known position of the vehicle; nil if there is none, if the options keep the position private, and
    /// in a private period.
    package var lastKnownLocation: Position? {
        guard options.options.trackLastKnownLocation, !isPrivate else { return nil }
        let position = equipment.logbook.place(isMoving: vehicle.isMoving) ?? lastFix?.position
        return position?.coordinate == hiddenPlace ? nil : position
    }

    /// The options in force, each with its origin.
    package var resolvedOptions: ResolvedOptions {
        var resolved = options.resolved
        if usesBeacons { resolved.switchOnBeacons() }
        return resolved
    }

    /// The layer of the options from `tracking start`, complete with their profile; nil if no such layer is in force.
    package var customOptions: OptionLayer? { options.layers.layers.first { $0.origin == .custom } }

    /// Whether options of the server are in force.
    package var hasRemoteOptions: Bool { options.layers.layers.contains { $0.origin == .remote } }

    package var mode: MonitoringMode { options.options.monitoring }

    /// Returns the signal of a region's beacon; nil if the vehicle is not near the beacon, or without a sighting in the
    /// last 20 s.
    package func beaconReading(of id: String, at now: Instant) -> BeaconReading? { beacons.reading(of: id, at: now) }

    /// The regions that the vehicle is in, in the order of entry; empty in a private period.
    package var regionsInside: [Region] { isPrivate ? [] : regions.inside }

    /// The watched regions: first the configured regions, then those of the servers, then those of the waypoints.
    package var watchedRegions: [Region] { regions.regions }

    /// Returns the origin of a watched region.
    package func origin(of region: Region) -> RegionOrigin { regions.origin(of: region) }

    /// All regions of the targets' servers, watched or not.
    package var serverRegions: [ServerRegions] { regions.sync.servers }

    /// Whether the options let the tracker watch regions of servers.
    package var watchesServerRegions: Bool { options.options.syncedRegions > 0 }

    /// Returns the number of a server's regions that cannot be watched, because another region has their key or name.
    package func hiddenRegionCount(of target: String) -> Int { regions.sync.hiddenCount(of: target) }
}

// MARK: - Options

extension Engine {
    /// The options of a server that are on trial; nil if there are none.
    package var optionsTrial: OptionsTrial? { options.trial }

    package var optionLayers: OptionLayers { options.layers }

    /// Returns the values of a server that would not apply with these layers, because the server may not set them.
    package func withheld(in layers: OptionLayers, isOnTrip: Bool) -> [OptionAssignment] {
        let rights = configuration.serverRights
        let withheld = layers.resolve(isOnTrip: isOnTrip, under: rights).withheld
        guard beacons.isAnyConfigured, layers.forbidBeacons(isOnTrip: isOnTrip),
            !layers.forbidBeacons(isOnTrip: isOnTrip, under: rights),
            let given = layers.given("beacons", isOnTrip: isOnTrip), !withheld.contains(where: { $0.key == given.key })
        else { return withheld }
        return withheld + [given]
    }
}
