import Quantities
import TrackingOptions

/// The regions that the tracker watches, and the beacons for which it scans.
struct Surroundings: Sendable {
    private var regions: RegionWatcher
    private var beacons: BeaconWatcher
    /// The last request for the regions of servers; nil if none is in force.
    private var query: RegionQuery?

    /// Watches the configured regions and those of the stored waypoints, and the regions of `servers` that are nearest to `place`.
    init(
        _ configuration: EngineConfiguration, servers: [ServerRegions], near place: Coordinate?,
        _ options: TrackingOptions, restoring state: EngineState
    ) {
        regions = RegionWatcher(
            configuration.regions, servers: servers, near: place, options, restoring: state.regions)
        beacons = BeaconWatcher(
            configuration.markedBeacons, regions.regions, exitDelay: options.beaconExitDelay,
            inside: state.regions.stays.map(\.id), isOnTrip: state.isMoving, restoring: state.beacons)
    }

    var regionSnapshot: RegionWatcher.Snapshot { regions.snapshot }

    var beaconSnapshot: BeaconWatcher.Snapshot { beacons.snapshot }

    /// Copies the state of the Bluetooth adapter from the surroundings that these replace.
    mutating func resume(from earlier: Surroundings) { beacons.resume(from: earlier.beacons) }

    func updateFacts(of turn: inout Turn) {
        let names = beacons.names
        (turn.labels.vehicle, turn.labels.driver) = (names.vehicle, names.driver)
        turn.regions = regions.names
    }

    // MARK: Queries

    /// The borders at which a crossing is recorded, and the border beyond which other regions are watched.
    var borders: WatchedBorders { regions.borders }

    /// The regions that the vehicle is in, the longest occupancy first.
    var inside: [Region] { regions.inside }

    /// First the configured regions, then those of the servers, then those of the waypoints.
    var watched: [Region] { regions.regions }

    /// All regions of the targets' servers, watched or not.
    var servers: [ServerRegions] { regions.sync.servers }

    func origin(of region: Region) -> RegionOrigin { regions.origin(of: region) }

    /// Returns the number of a server's regions that cannot be watched, because another region has their key or name.
    func hiddenCount(of target: String) -> Int { regions.sync.hiddenCount(of: target) }

    /// Whether a beacon detects a watched region, or identifies the vehicle or the driver.
    var hasBeacons: Bool { beacons.isAnyConfigured }

    /// Whether trackerd may scan for beacons: the option is on, or a beacon is configured and no option forbids the scan.
    func mayScan(_ options: TrackingOptions, isForbidden: Bool) -> Bool {
        options.beacons || beacons.isAnyConfigured && !isForbidden
    }

    /// Returns the signal of a region's beacon; nil if the vehicle is not near the beacon, or without a recent sighting.
    func reading(of id: String, at now: Instant) -> BeaconReading? { beacons.reading(of: id, at: now) }

    // MARK: Crossings

    /// Handles a fix; returns the crossings, and whether the vehicle has left a circle that moves with it.
    mutating func cross(
        _ fix: AcceptedFix, in turn: inout Turn
    ) -> (crossings: [RegionCrossing], hasLeftFollowed: Bool) {
        regions.follow(fix.coordinate, turn.options)
        let crossings = regions.take(fix)
        let hasLeftFollowed = regions.hasLeftFollowed(fix, turn.shared)
        updateFacts(of: &turn)
        return (crossings, hasLeftFollowed)
    }

    /// Returns the crossings that are due without a fix.
    mutating func elapse(at place: Position?, in turn: inout Turn) -> [RegionCrossing] {
        let crossings = regions.elapse(to: turn.utc.time, place: place)
        updateFacts(of: &turn)
        return crossings
    }

    /// Records a crossing; returns the mode in the name of a crossed waypoint, nil if its server may not set that mode now.
    mutating func record(
        _ crossing: RegionCrossing, _ logbook: Logbook, _ rights: ServerRights, in turn: inout Turn
    ) -> MonitoringMode? {
        let name = crossing.transition.region
        regions.record(crossing, signal: beacons.reading(of: name.id, at: turn.now), logbook, in: &turn)
        if crossing.movesWaypoint { regions.move(name.id, to: crossing.position) }
        guard let mode = crossing.mode else { return nil }
        let server = regions.waypoints.first { $0.key == name.id }?.server
        if let server, !rights.permitMode(mode, after: turn.options.monitoring, to: server) {
            turn.effects.decide(
                .options, "`\(name.name)` does not switch to the mode \(mode.name), which \(server) may not do")
            return nil
        }
        return mode
    }

    /// Arms the timer for the next crossing that is due without a fix.
    func arm(in turn: inout Turn) { regions.arm(in: &turn) }

    /// Moves the circles that move with the vehicle to a point of the track.
    mutating func recentre(at place: Position) { regions.recentre(at: place) }

    // MARK: Beacons

    /// Returns the effects to pass to `carryOut`, one by one.
    mutating func hear(_ sighting: BeaconSighting, in turn: inout Turn) -> [BeaconTracker.Effect] {
        guard mayScan(turn.options, isForbidden: turn.forbidsBeacons) else { return [] }
        let heard = beacons.hear(sighting, at: turn.now, into: &turn.effects)
        updateFacts(of: &turn)
        return heard
    }

    /// Handles the timer: a beacon may have been silent long enough for an exit; returns the effects to carry out.
    mutating func beaconTimer(at now: Instant) -> [BeaconTracker.Effect] { beacons.timer(at: now) }

    /// Returns the crossings if a region's beacon came into range or went out of range; nil if only the timer changes.
    mutating func carryOut(
        _ effect: BeaconTracker.Effect, at place: Position?, in turn: inout Turn
    ) -> [RegionCrossing]? {
        let (id, isPresent): (String, Bool)
        switch effect {
        case .entered(let entered): (id, isPresent) = (entered, true)
        case .left(let left, _): (id, isPresent) = (left, false)
        case .arm(let moment):
            turn.effects.arm(.beacons, at: moment)
            return nil
        case .cancel:
            turn.effects.cancel(.beacons)
            return nil
        }
        let crossings = regions.take(beacon: id, isPresent: isPresent, at: turn.utc.time, place: place)
        updateFacts(of: &turn)
        return crossings
    }

    /// Sets the scan duty that the state of the vehicle requires.
    mutating func rescan(movingSince: Instant?, in turn: inout Turn) {
        let isOn = !turn.isSuspended && mayScan(turn.options, isForbidden: turn.forbidsBeacons)
        setTimer(beacons.rescan(movingSince: movingSince, isOn: isOn, in: &turn), in: &turn)
    }

    mutating func adapterChanged(isListening: Bool, in turn: inout Turn) {
        setTimer(beacons.note(isListening: isListening, at: turn.now, into: &turn.effects), in: &turn)
    }

    mutating func followExitDelay(in turn: inout Turn) {
        setTimer(beacons.follow(exitDelay: turn.options.beaconExitDelay, at: turn.now), in: &turn)
    }

    /// Carries out the effects of another scan duty or exit delay, which only move the timer.
    private mutating func setTimer(_ effects: [BeaconTracker.Effect], in turn: inout Turn) {
        for effect in effects { _ = carryOut(effect, at: nil, in: &turn) }
    }

    /// Begins to identify the vehicle and its driver.
    mutating func tripBegan(in turn: inout Turn) {
        beacons.tripBegan(at: turn.now)
        updateFacts(of: &turn)
    }

    mutating func tripEnded(in turn: inout Turn) {
        beacons.tripEnded(at: turn.now)
        updateFacts(of: &turn)
    }

    // MARK: What is watched

    /// Watches the nearest regions of servers, and requests others if the vehicle has left the area that they cover.
    ///
    /// - `hidden`: a position that servers may not learn.
    mutating func sync(_ logbook: Logbook, hidden: Coordinate?, in turn: inout Turn) {
        let place = logbook.lastPlace
        regions.follow(place, turn.options)
        let mayShare = turn.options.sharesPlace && !turn.isSuspended && !turn.isPrivate && place != hidden
        let query = regions.query(at: mayShare ? place : nil, turn.options)
        guard query != self.query else { return }
        self.query = query
        turn.effects.append(.fetchRegions(query))
    }

    mutating func setServers(_ servers: [ServerRegions]) { regions.set(servers) }

    /// Watches the regions and beacons of a configuration that was read again; call `listen` afterwards.
    mutating func follow(
        _ changed: EngineConfiguration, insteadOf former: EngineConfiguration, in turn: inout Turn
    ) {
        if changed.regions != former.regions { regions.configure(changed.regions) }
        if changed.markedBeacons != former.markedBeacons {
            beacons.identify(changed.markedBeacons, isOnTrip: turn.isMoving)
        }
        updateFacts(of: &turn)
    }

    /// Scans for the beacons of the regions that are watched now; call `rescan` afterwards.
    mutating func listen(in turn: inout Turn) {
        beacons.watch(regions.regions)
        updateFacts(of: &turn)
    }

    /// Watches a waypoint's region; returns false if the waypoint is not valid. Call `rescan` after a change of waypoints.
    mutating func set(_ waypoint: Waypoint, _ logbook: Logbook, in turn: inout Turn) -> Bool {
        guard regions.set(waypoint, into: &turn.effects) else { return false }
        updateFacts(of: &turn)
        regions.record(waypoint, logbook, in: &turn)
        listen(in: &turn)
        return true
    }

    mutating func forget(_ key: String, in turn: inout Turn) {
        regions.forget(key)
        listen(in: &turn)
    }

    mutating func forgetWaypoints(in turn: inout Turn) {
        regions.forgetAll()
        listen(in: &turn)
    }
}
