import Quantities
import TrackingOptions

extension Engine {
    /// Tells the regions where the vehicle is, and records what comes of it.
    mutating func watchRegions(_ fix: AcceptedFix, at now: Instant) -> [Effect] {
        let crossings = regions.handle(fix)
        let followed = follow(fix)
        return crossings.isEmpty && followed.isEmpty ? [] : record(crossings, at: now) + followed
    }

    /// A region may be dwelt in, or have been left for long enough, without a fix that says so.
    mutating func regionsElapsed(at now: Instant) -> [Effect] {
        guard !isSuspended else { return [] }
        return record(regions.elapse(to: clock.time(at: now).time, position: whereabouts), at: now)
    }

    /// A beacon region was entered or left.
    mutating func watchRegions(beacon id: String, isPresent: Bool, at now: Instant) -> [Effect] {
        let time = clock.time(at: now).time
        return record(
            regions.handle(beaconRegion: id, isPresent: isPresent, at: time, position: whereabouts), at: now)
    }

    /// Sets a waypoint: what it watches is watched from now on, and what watched it before no longer is.
    mutating func set(_ waypoint: Waypoint, at now: Instant) -> [Effect] {
        let watching: Waypoint.Watching
        do throws(RegionProblem) {
            watching = try waypoint.watching()
        } catch {
            return [.decided(Decision(.region, "refused: \(error)"))]
        }
        forget(waypoint.key)
        state.waypoints.append(waypoint)
        switch watching {
        case .nothing: break
        case .region(let region): regions.set([region])
        case .follow(let region): state.followed.append(region)
        }
        var told = record(.waypoint(waypoint), at: now)
        // The owner asked to publish the waypoint, not where the vehicle is.
        if !options.monitoring.recordsUnasked { told.position = nil }
        return (waypoint.isTold ? [.record(told)] : []) + listenForRegions(at: now)
    }

    /// Forgets all waypoints; the regions of the configuration stay.
    mutating func clearWaypoints(at now: Instant) -> [Effect] {
        for waypoint in state.waypoints { forget(waypoint.key) }
        return listenForRegions(at: now)
    }

    /// Watches the regions that were synced, beside those that are set by hand.
    mutating func sync(_ synced: [Region], at now: Instant) -> [Effect] {
        regions.replace(regions: Self.watched(setup.regions + synced, state.waypoints))
        return rearmRegions(at: now) + listenForRegions(at: now)
    }

    /// The regions of the configuration, and those of the waypoints.
    static func watched(_ regions: [Region], _ waypoints: [Waypoint]) -> [Region] {
        regions
            + waypoints.compactMap { waypoint in
                guard case .region(let region)? = try? waypoint.watching() else { return nil }
                return region
            }
    }

    /// Forgets the waypoint of this key, and watches no longer what it called for.
    mutating func forgetWaypoint(_ key: String, at now: Instant) -> [Effect] {
        forget(key)
        return listenForRegions(at: now)
    }

    private mutating func forget(_ key: String) {
        state.waypoints.removeAll { $0.key == key }
        state.followed.removeAll { $0.name.id == key }
        regions.remove(ids: [key])
    }

    private mutating func record(_ crossings: [RegionCrossing], at now: Instant) -> [Effect] {
        state.stays = regions.stays
        var effects: [Effect] = []
        for crossing in crossings {
            let (_, isTrusted) = clock.time(at: now)
            if options.monitoring.recordsRegions {
                effects.append(
                    .record(
                        record(
                            .transition(crossing.transition), at: crossing.position, time: crossing.time,
                            isTrusted: isTrusted)))
                effects += locationOfCrossing(crossing, isTrusted: isTrusted)
            }
            if crossing.movesWaypoint { move(crossing.transition.region.id, to: crossing.position) }
            if let mode = crossing.mode { effects += switchMode(mode, at: now) }
        }
        return effects + rearmRegions(at: now)
    }

    /// Who enters or leaves is also somewhere (OwnTracks: the message of a region event comes beside a location).
    private func locationOfCrossing(_ crossing: RegionCrossing, isTrusted: Bool) -> [Effect] {
        guard crossing.transition.direction != .dwell, let position = crossing.position else { return [] }
        var record = record(.location, at: position, time: crossing.time, isTrusted: isTrusted)
        record.trigger = crossing.transition.trigger == .area ? .region : .beacon
        return [.record(marked(record))]
    }

    private mutating func move(_ key: String, to position: Position?) {
        guard let position, let index = state.waypoints.firstIndex(where: { $0.key == key }) else { return }
        state.waypoints[index] = state.waypoints[index].moved(to: position.coordinate)
    }

    /// A circle that moves along asks for a record when it is left.
    private mutating func follow(_ fix: AcceptedFix) -> [Effect] {
        var isLeft = false
        for index in state.followed.indices where state.followed[index].isLeft(by: fix.position) { isLeft = true }
        guard isLeft, options.monitoring.recordsRegions else { return [] }
        for index in state.followed.indices { state.followed[index].recentre(at: fix.position) }
        var record = record(.location, at: fix.position, time: fix.time, isTrusted: true)
        record.trigger = .follow
        return [.record(marked(record))]
    }

    /// Waits for what is due at the regions without a fix.
    func rearmRegions(at now: Instant) -> [Effect] {
        guard let due = regions.due else { return [] }
        return [.arm(.regions, at: now + max(.zero, due - clock.time(at: now).time))]
    }
}
