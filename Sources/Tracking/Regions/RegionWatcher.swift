import TrackingOptions
import Quantities

/// Watches regions, including the regions of waypoints, and the circles that move with the vehicle.
package struct RegionWatcher: Sendable {
    private var configured: [Region]
    /// The regions of the targets' servers.
    private(set) var sync: RegionSync
    private var tracker: RegionTracker
    /// The waypoints that were set while the program ran.
    private(set) var waypoints: [Waypoint]
    private var followed: [FollowRegion]
    /// The regions to list in records, the longest occupancy first; each of them contains the vehicle and has a
    /// description.
    private(set) var names: [RegionName] = []

    /// Watches the configured regions, those of the waypoints in `snapshot`, and the nearest regions of servers.
    ///
    /// - `place`: the last known position of the vehicle.
    init(
        _ regions: [Region], servers: [ServerRegions], near place: Coordinate?, _ options: TrackingOptions,
        restoring snapshot: Snapshot
    ) {
        configured = regions
        waypoints = snapshot.waypoints
        followed = snapshot.followed
        sync = RegionSync(servers, own: Self.names(regions, snapshot.waypoints))
        _ = sync.choose(at: place, limit: options.syncedRegions) { snapshot.stays.map(\.id) }
        tracker = RegionTracker(
            Self.watched(regions + sync.chosen, snapshot.waypoints), restoring: snapshot.stays)
        updateNames()
    }

    /// The regions that the vehicle is in, the longest occupancy first.
    var inside: [Region] { tracker.inside }

    /// The watched regions: first the configured regions, then those of the server, then those of the waypoints.
    var regions: [Region] { tracker.regions }

    /// The borders at which the tracker records crossings, and the border beyond which it watches other regions.
    var borders: WatchedBorders { WatchedBorders(regions: tracker.table, circles: followed, area: sync.area) }

    // MARK: Crossings

    /// Handles an accepted fix; returns the resulting crossings.
    mutating func take(_ fix: AcceptedFix) -> [RegionCrossing] { update { $0.handle(fix) } }

    /// Handles a region's beacon that came into range or went out of range; returns the resulting crossings.
    mutating func take(
        beacon id: String, isPresent: Bool, at time: Timestamp, place: Position?
    ) -> [RegionCrossing] {
        update { $0.handle(beaconRegion: id, isPresent: isPresent, at: time, position: place) }
    }

    /// Returns the crossings that are due without a fix: a dwell, or a deferred change of a beacon region.
    mutating func elapse(to time: Timestamp, place: Position?) -> [RegionCrossing] {
        update { $0.elapse(to: time, position: place) }
    }

    /// Arms the timer for the next crossing that is due without a fix.
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

    /// The maximum number of regions that a record lists: a server may send many regions that overlap.
    private static let mostNames = 100

    /// Records a crossing, and a location record with the crossing's position.
    ///
    /// OwnTracks sends a location with each region event. A dwell, and a crossing without a position, have no location
    /// record. In a mode that records no region events, the function records nothing.
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

    /// Moves the circles to the fix if the vehicle has left a circle that moves with it; returns whether a record is
    /// due.
    ///
    /// In a mode that records no region events, the circles do not move, and no record is due.
    mutating func hasLeftFollowed(_ fix: AcceptedFix, _ shared: SharedOptions) -> Bool {
        var isLeft = false
        for index in followed.indices where followed[index].isLeft(by: fix.position) { isLeft = true }
        guard isLeft, shared.options.monitoring.recordsRegions else { return false }
        recentre(at: fix.position)
        return true
    }

    /// Moves the circles to a point of the track.
    mutating func recentre(at place: Position) {
        for index in followed.indices { followed[index].recentre(at: place) }
    }

    // MARK: Which regions are watched

    /// Sets a waypoint, and watches its region instead of the region that the waypoint had before.
    ///
    /// Returns false if the waypoint is not valid.
    mutating func set(_ waypoint: Waypoint, into effects: inout EffectBuffer) -> Bool {
        let watching: Waypoint.Watching
        do throws(RegionError) {
            watching = try waypoint.watching()
        } catch {
            effects.decide(.region, "refused: \(error)")
            return false
        }
        forget(waypoint.key)
        waypoints.append(waypoint)
        switch watching {
        case .nothing: break
        case .region(let region): tracker.set([region])
        case .follow(let region): followed.append(region)
        }
        waypointsChanged()
        return true
    }

    /// Records the setting of a waypoint, if the owner wants to publish the waypoint.
    func record(_ waypoint: Waypoint, _ logbook: Logbook, in turn: inout Turn) {
        guard waypoint.isTold else { return }
        // In a mode without unrequested records, the owner publishes the waypoint, but not the position of the vehicle.
        let isPlaceShown = turn.options.monitoring.recordsUnasked
        let place = isPlaceShown ? logbook.place(isMoving: turn.isMoving) : nil
        turn.effects.append(.record(logbook.record(.waypoint(waypoint), at: place, turn.utc, turn)))
    }

    /// Moves a waypoint that follows the vehicle.
    mutating func move(_ key: String, to place: Position?) {
        guard let place, let index = waypoints.firstIndex(where: { $0.key == key }) else { return }
        waypoints[index] = waypoints[index].moved(to: place.coordinate)
    }

    /// Deletes the waypoint with this key, and stops watching its region.
    ///
    /// If the configuration or the server has a region with this key, that region is watched again.
    mutating func forget(_ key: String) {
        waypoints.removeAll { $0.key == key }
        followed.removeAll { $0.name.id == key }
        if let region = (configured + sync.chosen).last(where: { $0.id == key }) {
            tracker.set([region])
        } else {
            tracker.remove(ids: [key])
        }
        waypointsChanged()
    }

    /// Deletes all waypoints; the regions of the configuration and of the server remain.
    mutating func forgetAll() {
        for waypoint in waypoints { forget(waypoint.key) }
    }

    /// Watches these configured regions; the regions of the servers and of the waypoints remain.
    mutating func configure(_ regions: [Region]) {
        configured = regions
        sync.distinguish(from: Self.names(configured, waypoints))
        watch()
    }

    /// Watches the nearest of these regions of servers from the next call of `follow` on, instead of the earlier ones.
    mutating func set(_ servers: [ServerRegions]) { sync.set(servers, own: Self.names(configured, waypoints)) }

    /// Watches the regions of servers that are nearest to a place, if the options request this.
    mutating func follow(_ place: Coordinate?, _ options: TrackingOptions) {
        if sync.choose(at: place, limit: options.syncedRegions, occupied: { tracker.stays.map(\.id) }) { watch() }
    }

    /// Returns the request for regions that servers should receive now, as `RegionSync.query` does.
    mutating func query(at place: Coordinate?, _ options: TrackingOptions) -> RegionQuery? {
        sync.query(at: place, limit: options.syncedRegions)
    }

    func origin(of region: Region) -> RegionOrigin {
        if let target = sync.target(of: region.id) { return .server(target: target) }
        return waypoints.contains { $0.key == region.id } ? .waypoint : .configuration
    }

    /// Updates the names of the regions around the vehicle after a change of the waypoints, and excludes the regions of servers that
    /// have the key or the name of a waypoint.
    private mutating func waypointsChanged() {
        if !sync.servers.isEmpty {
            sync.distinguish(from: Self.names(configured, waypoints))
            watch()
        }
        updateNames()
    }

    private mutating func watch() {
        tracker.replace(regions: Self.watched(configured + sync.chosen, waypoints))
        updateNames()
    }

    /// Returns these regions and the regions of the waypoints.
    private static func watched(_ regions: [Region], _ waypoints: [Waypoint]) -> [Region] {
        regions
            + waypoints.compactMap { waypoint in
                guard case .region(let region)? = try? waypoint.watching() else { return nil }
                return region
            }
    }

    /// Returns the keys and names of the owner's regions, and of all waypoints.
    private static func names(_ regions: [Region], _ waypoints: [Waypoint]) -> [RegionName] {
        regions.map(\.name) + waypoints.map { RegionName(id: $0.key, name: WaypointLabel($0.text).name) }
    }

    /// The state that survives a restart.
    package struct Snapshot: Sendable, Hashable, Encodable {
        package var stays: [RegionOccupancy] = []
        /// The waypoints that were set.
        package var waypoints: [Waypoint] = []
        /// The circles that move with the vehicle.
        package var followed: [FollowRegion] = []

        package enum CodingKeys: String, CodingKey { case stays, waypoints, followed }
    }

    /// The state that survives a restart.
    var snapshot: Snapshot { Snapshot(stays: tracker.stays, waypoints: waypoints, followed: followed) }
}

extension RegionWatcher.Snapshot: EngineSnapshot {
    mutating func read(_ fields: inout SnapshotReader<CodingKeys>) {
        fields.read(.stays, into: &stays)
        fields.read(.waypoints, into: &waypoints)
        fields.read(.followed, into: &followed)
    }

    /// Merges this state, which the store found only after the start, with `live`, the state since the start.
    ///
    /// `isElsewhere` is true if the present regions of the vehicle are those of `live`.
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
