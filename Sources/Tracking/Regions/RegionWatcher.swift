import TrackingOptions
import Quantities

/// Watches the regions, also those of waypoints, and the circles that move with the vehicle.
package struct RegionWatcher: Sendable {
    private var configured: [Region]
    private(set) var sync: RegionSync
    private var tracker: RegionTracker
    /// Waypoints that were set at run time, also before a restart.
    private(set) var waypoints: [Waypoint]
    private var followed: [FollowRegion]
    /// The regions around the vehicle that records name: those with a description, the longest occupancy first.
    private(set) var names: [RegionName] = []

    /// Watches the configured regions, those of the waypoints in `snapshot`, and the servers' regions nearest to
    /// `place`, the last known position.
    init(
        _ regions: [Region], servers: [ServerRegions], near place: Coordinate?, _ options: TrackingOptions,
        restoring snapshot: Snapshot
    ) {
        configured = regions
        waypoints = snapshot.waypoints
        followed = snapshot.followed
        sync = RegionSync(servers, own: Self.names(regions, snapshot.waypoints))
        _ = sync.choose(at: place, limit: options.syncedRegions) { snapshot.stays.map(\.id) }
        tracker = RegionTracker(Self.watched(regions + sync.chosen, snapshot.waypoints), restoring: snapshot.stays)
        updateNames()
    }

    var inside: [Region] { tracker.inside }

    var regions: [Region] { tracker.regions }

    /// The borders whose crossings are recorded, or change which regions are watched; nil if there are none.
    var borders: WatchedBorders? {
        guard !(tracker.regions.isEmpty && followed.isEmpty && sync.area == nil) else { return nil }
        return WatchedBorders(regions: tracker.table, circles: followed, area: sync.area)
    }

    // MARK: Crossings

    mutating func take(_ fix: AcceptedFix, _ evidence: RegionEvidence) -> [RegionCrossing] {
        update { $0.handle(fix, evidence) }
    }

    mutating func take(beacon id: String, isPresent: Bool, at time: Timestamp, place: Position?) -> [RegionCrossing] {
        update { $0.handle(beaconRegion: id, isPresent: isPresent, at: time, position: place) }
    }

    /// A dwell, or a deferred change of a beacon region, is due without a fix.
    mutating func elapse(to time: Timestamp, place: Position?) -> [RegionCrossing] {
        update { $0.elapse(to: time, position: place) }
    }

    /// Sets the timer for the next crossing that is due without a fix.
    func arm(in turn: inout Turn) {
        guard let due = tracker.due else { return }
        turn.effects.arm(.regions, at: turn.now + max(.zero, due - turn.utc.time))
    }

    private mutating func update(_ change: (inout RegionTracker) -> [RegionCrossing]) -> [RegionCrossing] {
        let crossings = change(&tracker)
        if !crossings.isEmpty { updateNames() }
        return crossings
    }

    private mutating func updateNames() {
        names = Array(tracker.inside.filter { $0.text != nil }.prefix(Self.mostNames).map(\.name))
    }

    /// The most names in a record; a server may send many regions that overlap.
    private static let mostNames = 100

    /// As OwnTracks does, also records a location, except for a dwell or an unknown position. Records nothing in a mode
    /// without region events.
    func record(_ crossing: RegionCrossing, signal: BeaconReading?, _ logbook: Logbook, in turn: inout Turn) {
        guard turn.options.monitoring.recordsRegions else { return }
        let time = UTCTime(crossing.time, isTrusted: turn.utc.isTrusted)
        let place = crossing.position
        var transition = crossing.transition
        transition.signal = signal
        turn.effects.append(.record(logbook.record(.transition(transition), at: place, time, turn)))
        guard transition.direction != .dwell, place != nil else { return }
        let trigger: Record.Trigger = transition.trigger == .area ? .region : .beacon
        var point = logbook.record(.location, at: place, time, trigger: trigger, turn)
        point.radius = crossing.radius
        turn.effects.append(.record(point))
    }

    // MARK: Circles that move with the vehicle

    /// True if the vehicle has left a circle and the mode records region events; all circles are then centred on the fix.
    mutating func hasLeftFollowed(_ fix: AcceptedFix, _ shared: SharedOptions) -> Bool {
        var isLeft = false
        for index in followed.indices where followed[index].isLeft(by: fix.position) { isLeft = true }
        guard isLeft, shared.options.monitoring.recordsRegions else { return false }
        recentre(at: fix.position)
        return true
    }

    mutating func recentre(at place: Position) {
        for index in followed.indices { followed[index].recentre(at: place) }
    }

    // MARK: Which regions are watched

    /// The waypoint replaces the one with the same key, and so does its region. False if the waypoint is not valid, or has
    /// the key of a configured region.
    mutating func set(_ waypoint: Waypoint, parked: TimedPosition?, into effects: inout EffectBuffer) -> Bool {
        let watching: Waypoint.Watching
        if let region = configured.first(where: { $0.id == waypoint.key }) {
            effects.decide(
                .region, "refused: the region `\(region.name.name)` of the configuration has the same key, \(region.id)"
            )
            return false
        }
        do throws(RegionError) {
            watching = try waypoint.watching()
        } catch {
            effects.decide(.region, "refused: \(error)")
            return false
        }
        forget(waypoint.key, parked: parked)
        waypoints.append(waypoint)
        switch watching {
        case .nothing: break
        case .region(let region): tracker.set([region], parked: parked)
        case .follow(let region): followed.append(region)
        }
        waypointsChanged(parked: parked)
        return true
    }

    /// Records only a waypoint that its owner wants to publish.
    func record(_ waypoint: Waypoint, _ logbook: Logbook, in turn: inout Turn) {
        guard waypoint.isTold else { return }
        // In a mode without unrequested records, the owner publishes the waypoint, but not the position of the vehicle.
        let isPlaceShown = turn.options.monitoring.recordsUnasked
        let place = isPlaceShown ? logbook.place(isMoving: turn.isMoving) : nil
        turn.effects.append(.record(logbook.record(.waypoint(waypoint), at: place, turn.utc, turn)))
    }

    mutating func move(_ key: String, to place: Position?) {
        guard let place, let index = waypoints.firstIndex(where: { $0.key == key }) else { return }
        waypoints[index] = waypoints[index].moved(to: place.coordinate)
    }

    /// Afterwards, a configured or server's region with this key is watched again.
    mutating func forget(_ key: String, parked: TimedPosition? = nil) {
        waypoints.removeAll { $0.key == key }
        followed.removeAll { $0.name.id == key }
        if let region = (configured + sync.chosen).last(where: { $0.id == key }) {
            tracker.set([region], parked: parked)
        } else {
            tracker.remove(ids: [key])
        }
        waypointsChanged(parked: parked)
    }

    /// The regions of the configuration and of servers remain.
    mutating func forgetAll(parked: TimedPosition?) {
        for waypoint in waypoints { forget(waypoint.key, parked: parked) }
    }

    mutating func configure(_ regions: [Region], parked: TimedPosition?) {
        configured = regions
        sync.distinguish(from: Self.names(configured, waypoints))
        watch(parked: parked)
    }

    /// Has an effect from the next call of `follow` on.
    mutating func set(_ servers: [ServerRegions]) { sync.set(servers, own: Self.names(configured, waypoints)) }

    /// Chooses the `limit` servers' regions nearest to `place`, and those that the vehicle is in.
    mutating func follow(_ place: Coordinate?, limit: Int, parked: TimedPosition? = nil) {
        if sync.choose(at: place, limit: limit, occupied: { tracker.stays.map(\.id) }) { watch(parked: parked) }
    }

    mutating func query(at place: Coordinate?, limit: Int) -> RegionQuery? {
        sync.query(at: place, limit: limit)
    }

    func origin(of region: Region) -> RegionOrigin {
        if let target = sync.target(of: region.id) { return .server(target: target) }
        return waypoints.contains { $0.key == region.id } ? .waypoint : .configuration
    }

    /// After a change of the waypoints, excludes servers' regions with the key or the name of a waypoint.
    private mutating func waypointsChanged(parked: TimedPosition?) {
        if !sync.servers.isEmpty {
            sync.distinguish(from: Self.names(configured, waypoints))
            watch(parked: parked)
        }
        updateNames()
    }

    private mutating func watch(parked: TimedPosition?) {
        tracker.replace(regions: Self.watched(configured + sync.chosen, waypoints), parked: parked)
        updateNames()
    }

    private static func watched(_ regions: [Region], _ waypoints: [Waypoint]) -> [Region] {
        regions
            + waypoints.compactMap { waypoint in
                guard case .region(let region)? = try? waypoint.watching() else { return nil }
                return region
            }
    }

    /// The keys and names of the owner's regions, and of all waypoints.
    private static func names(_ regions: [Region], _ waypoints: [Waypoint]) -> [RegionName] {
        regions.map(\.name) + waypoints.map { RegionName(id: $0.key, name: WaypointLabel($0.text).name) }
    }

    package struct Snapshot: Sendable, Hashable, Encodable {
        package var stays: [RegionOccupancy] = []
        package var waypoints: [Waypoint] = []
        package var followed: [FollowRegion] = []

        package enum CodingKeys: String, CodingKey { case stays, waypoints, followed }
    }

    var snapshot: Snapshot { Snapshot(stays: tracker.stays, waypoints: waypoints, followed: followed) }
}

extension RegionWatcher.Snapshot: EngineSnapshot {
    mutating func read(_ fields: inout SnapshotReader<CodingKeys>) {
        fields.read(.stays, into: &stays)
        fields.read(.waypoints, into: &waypoints)
        fields.read(.followed, into: &followed)
    }

    /// If `isElsewhere`, the vehicle is only in the regions of `live`.
    func continued(by live: Self, isElsewhere: Bool) -> Self {
        var merged = self
        if isElsewhere { merged.stays = live.stays }
        let set = Set(live.waypoints.map(\.key))
        merged.waypoints = waypoints.filter { !set.contains($0.key) } + live.waypoints
        let following = Set(live.followed.map(\.name))
        merged.followed = followed.filter { !following.contains($0.name) } + live.followed
        return merged
    }
}
