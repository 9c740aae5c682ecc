import Quantities
import TrackingOptions

struct Surroundings: Sendable {
    private let keptInMemory = KeptInMemory()
    private var regions: RegionWatcher
    private var beacons: BeaconWatcher
    private var query: RegionQuery?

    /// Watches the regions of `servers` that are nearest to `place`.
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

    mutating func resume(from earlier: Surroundings) { beacons.resume(from: earlier.beacons) }

    func updateFacts(of turn: inout Turn) {
        let names = beacons.names
        (turn.labels.vehicle, turn.labels.driver) = (names.vehicle, names.driver)
        turn.regions = regions.names
        turn.driver = beacons.driver(at: turn.now)
    }

    // MARK: Queries

    var borders: WatchedBorders? { regions.borders }

    var inside: [Region] { regions.inside }

    /// The regions of the configuration, of servers, and of waypoints.
    var watched: [Region] { regions.regions }

    /// The lists of all servers, whether their regions are watched or not.
    var servers: [ServerRegions] { regions.sync.servers }

    func origin(of region: Region) -> RegionOrigin { regions.origin(of: region) }

    func hiddenCount(of target: String) -> Int { regions.sync.hiddenCount(of: target) }

    var hasBeacons: Bool { beacons.isAnyConfigured }

    /// Returns whether the scan is allowed: the option is on, or a beacon is configured and no option forbids the scan.
    func mayScan(_ options: TrackingOptions, isForbidden: Bool) -> Bool {
        options.beacons || beacons.isAnyConfigured && !isForbidden
    }

    func reading(of id: String, at now: Instant) -> BeaconReading? { beacons.reading(of: id, at: now) }

    /// Also returns whether the vehicle has left a circle that moves with it.
    mutating func cross(
        _ fix: AcceptedFix, hasArrived: Bool = false, _ logbook: Logbook, in turn: inout Turn
    ) -> (crossings: [RegionCrossing], hasLeftFollowed: Bool) {
        // A parked vehicle crosses no border, however far its fixes wander.
        let parked = logbook.parkedSight(turn)
        let fix = parked?.position.map { fix.moved(to: $0) } ?? fix
        regions.follow(fix.coordinate, limit: turn.options.syncedRegions, parked: parked)
        let crossings = regions.take(fix, hasArrived ? .arrived : parked == nil ? .driving : .parked)
        let hasLeftFollowed = regions.hasLeftFollowed(fix, turn.shared)
        if !crossings.isEmpty { updateFacts(of: &turn) }
        return (crossings, hasLeftFollowed)
    }

    mutating func elapse(at place: Position?, in turn: inout Turn) -> [RegionCrossing] {
        let crossings = regions.elapse(to: turn.utc.time, place: place)
        updateFacts(of: &turn)
        return crossings
    }

    /// Returns the mode that the waypoint's name requests; nil if there is none, or if the waypoint's server may not set it.
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
                .options, "`\(name.name)` does not switch to the mode \(mode.name), because \(server) may not set it")
            return nil
        }
        return mode
    }

    func arm(in turn: inout Turn) { regions.arm(in: &turn) }

    mutating func recentre(at place: Position) { regions.recentre(at: place) }

    mutating func hear(_ sighting: BeaconSighting, in turn: inout Turn) -> [BeaconTracker.Effect] {
        guard mayScan(turn.options, isForbidden: turn.forbidsBeacons) else { return [] }
        let heard = beacons.hear(sighting, at: turn.now, into: &turn.effects)
        updateFacts(of: &turn)
        return heard
    }

    mutating func beaconTimer(at now: Instant) -> [BeaconTracker.Effect] { beacons.timer(at: now) }

    /// Nil if only the timer changes.
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

    /// Another scan duty or exit delay moves only the timer.
    private mutating func setTimer(_ effects: [BeaconTracker.Effect], in turn: inout Turn) {
        for effect in effects { _ = carryOut(effect, at: nil, in: &turn) }
    }

    mutating func tripBegan(in turn: inout Turn) {
        beacons.tripBegan(at: turn.now)
        updateFacts(of: &turn)
    }

    mutating func tripEnded(in turn: inout Turn) {
        beacons.tripEnded(at: turn.now)
        updateFacts(of: &turn)
    }

    /// Requests other regions once the vehicle has left the area of the last ones. Servers must not learn the place `hidden`.
    mutating func sync(_ logbook: Logbook, hidden: Coordinate?, in turn: inout Turn) {
        let place = logbook.lastPlace
        let shared = turn.shared
        let limit = shared.options.syncedRegions
        regions.follow(place, limit: limit, parked: logbook.parkedSight(turn))
        let mayShare = shared.options.sharesPlace && !turn.isSuspended && !turn.isPrivate && place != hidden
        let query = regions.query(at: mayShare ? place : nil, limit: limit)
        guard query != self.query else { return }
        self.query = query
        turn.effects.append(.fetchRegions(query))
    }

    mutating func setServers(_ servers: [ServerRegions]) { regions.set(servers) }

    mutating func follow(
        _ changed: EngineConfiguration, insteadOf former: EngineConfiguration, _ logbook: Logbook, in turn: inout Turn
    ) {
        if changed.regions != former.regions {
            regions.configure(changed.regions, parked: logbook.parkedSight(turn))
        }
        if changed.markedBeacons != former.markedBeacons {
            beacons.identify(changed.markedBeacons, isOnTrip: turn.isMoving)
        }
        updateFacts(of: &turn)
    }

    /// Call `rescan` afterwards.
    mutating func listen(in turn: inout Turn) {
        beacons.watch(regions.regions)
        updateFacts(of: &turn)
    }

    /// Returns false if the waypoint is not valid. Call `rescan` afterwards.
    mutating func set(_ waypoint: Waypoint, _ logbook: Logbook, in turn: inout Turn) -> Bool {
        guard regions.set(waypoint, parked: logbook.parkedSight(turn), into: &turn.effects) else { return false }
        updateFacts(of: &turn)
        regions.record(waypoint, logbook, in: &turn)
        listen(in: &turn)
        return true
    }

    mutating func forget(_ key: String, _ logbook: Logbook, in turn: inout Turn) {
        regions.forget(key, parked: logbook.parkedSight(turn))
        listen(in: &turn)
    }

    mutating func forgetWaypoints(_ logbook: Logbook, in turn: inout Turn) {
        regions.forgetAll(parked: logbook.parkedSight(turn))
        listen(in: &turn)
    }
}
