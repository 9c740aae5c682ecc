import TrackingOptions
import Quantities

/// The regions that are watched, the waypoints that call for some of them, and the circles that move along.
package struct RegionWatcher: Sendable {
    private let configured: [Region]
    private var tracker: RegionTracker
    /// The waypoints that were set while the program ran.
    private(set) var waypoints: [Waypoint]
    private var followed: [FollowRegion]
    /// What records name of the regions that the vehicle is in, longest first.
    private(set) var names: [RegionName] = []

    init(_ regions: [Region], restoring snapshot: Snapshot) {
        configured = regions
        waypoints = snapshot.waypoints
        followed = snapshot.followed
        tracker = RegionTracker(Self.watched(regions, snapshot.waypoints), restoring: snapshot.stays)
        updateNames()
    }

    /// The regions that the vehicle is in, longest first.
    var inside: [Region] { tracker.inside }

    /// The regions that are watched, in the order in which they were defined.
    var regions: [Region] { tracker.regions }

    // MARK: Crossings

    /// Processes an accepted fix, and returns the crossings that it shows.
    mutating func take(_ fix: AcceptedFix) -> [RegionCrossing] { update { $0.handle(fix) } }

    /// Notes whether the beacon of a region is in range, and returns the crossings that this shows.
    mutating func take(
        beacon id: String, isPresent: Bool, at time: Timestamp, place: Position?
    ) -> [RegionCrossing] {
        update { $0.handle(beaconRegion: id, isPresent: isPresent, at: time, position: place) }
    }

    /// Returns the crossings that are due without a fix: a dwell, or a region that was left for long enough.
    mutating func elapse(to time: Timestamp, place: Position?) -> [RegionCrossing] {
        update { $0.elapse(to: time, position: place) }
    }

    /// Waits for what is due at the regions without a fix.
    func arm(_ context: Context, into effects: inout EffectBuffer) {
        guard let due = tracker.due else { return }
        effects.arm(.regions, at: context.now + max(.zero, due - context.utc.time))
    }

    private mutating func update(_ change: (inout RegionTracker) -> [RegionCrossing]) -> [RegionCrossing] {
        let crossings = change(&tracker)
        if !crossings.isEmpty { updateNames() }
        return crossings
    }

    private mutating func updateNames() { names = tracker.inside.filter { $0.text != nil }.map(\.name) }

    /// Records a crossing, and the location that belongs to it (OwnTracks: a region event comes beside a location).
    func record(
        _ crossing: RegionCrossing, _ context: Context, _ logbook: Logbook, into effects: inout EffectBuffer
    ) {
        guard context.options.monitoring.recordsRegions else { return }
        let time = UTCTime(crossing.time, isTrusted: context.utc.isTrusted)
        let (transition, place) = (crossing.transition, crossing.position)
        effects.append(.record(logbook.record(.transition(transition), at: place, time, context)))
        guard transition.direction != .dwell, place != nil else { return }
        let trigger: Record.Trigger = transition.trigger == .area ? .region : .beacon
        effects.append(.record(logbook.record(.location, at: place, time, trigger: trigger, context)))
    }

    // MARK: Circles that move along

    /// Whether a fix shows that a circle that moves along was left, which asks for a record; they move to the fix then.
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

    /// Sets a waypoint: what it calls for is watched from now on, and what it called for before no longer is.
    ///
    /// Returns false if its region cannot be watched.
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
        updateNames()
        return true
    }

    /// Records that a waypoint was set, if it is to be published.
    func record(
        _ waypoint: Waypoint, _ context: Context, _ logbook: Logbook, into effects: inout EffectBuffer
    ) {
        guard waypoint.isTold else { return }
        // The owner asked to publish the waypoint, not where the vehicle is.
        let isPlaceShown = context.options.monitoring.recordsUnasked
        let place = isPlaceShown ? logbook.place(isMoving: context.isMoving) : nil
        effects.append(.record(logbook.record(.waypoint(waypoint), at: place, context.utc, context)))
    }

    /// Moves a waypoint that goes with the vehicle.
    mutating func move(_ key: String, to place: Position?) {
        guard let place, let index = waypoints.firstIndex(where: { $0.key == key }) else { return }
        waypoints[index] = waypoints[index].moved(to: place.coordinate)
    }

    /// Forgets the waypoint of this key, and watches no longer what it called for.
    mutating func forget(_ key: String) {
        waypoints.removeAll { $0.key == key }
        followed.removeAll { $0.name.id == key }
        tracker.remove(ids: [key])
        updateNames()
    }

    /// Forgets all waypoints; the regions of the configuration remain.
    mutating func forgetAll() {
        for waypoint in waypoints { forget(waypoint.key) }
    }

    /// Watches the regions that the server has sent, beside those that are set here.
    mutating func sync(_ synced: [Region]) {
        tracker.replace(regions: Self.watched(configured + synced, waypoints))
        updateNames()
    }

    /// The regions of the configuration, and those of the waypoints.
    private static func watched(_ regions: [Region], _ waypoints: [Waypoint]) -> [Region] {
        regions
            + waypoints.compactMap { waypoint in
                guard case .region(let region)? = try? waypoint.watching() else { return nil }
                return region
            }
    }

    /// What survives a restart.
    package struct Snapshot: Sendable, Hashable, Encodable {
        /// The regions that the vehicle is in.
        package var stays: [RegionOccupancy] = []
        /// The waypoints that were set.
        package var waypoints: [Waypoint] = []
        /// The circles among them that move along.
        package var followed: [FollowRegion] = []

        package enum CodingKeys: String, CodingKey { case stays, waypoints, followed }
    }

    /// What survives a restart.
    var snapshot: Snapshot { Snapshot(stays: tracker.stays, waypoints: waypoints, followed: followed) }
}

extension RegionWatcher.Snapshot: EngineSnapshot {
    mutating func read(_ fields: inout SnapshotReader<CodingKeys>) {
        fields.read(.stays, into: &stays)
        fields.read(.waypoints, into: &waypoints)
        fields.read(.followed, into: &followed)
    }

    /// These, found late, with what has been set and seen since; `isElsewhere`: the vehicle has been seen since.
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
