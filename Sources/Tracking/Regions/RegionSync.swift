import Quantities
import TrackingOptions

/// Chooses the regions of servers that the tracker watches: those whose borders are nearest to the vehicle.
///
/// A region that the vehicle is in remains chosen until the vehicle has left it, so that the tracker records the exit.
struct RegionSync: Sendable {
    /// A circle around the vehicle; its border is the nearest border of a region that is not chosen.
    struct Area: Sendable, Hashable {
        let centre: Coordinate
        /// Zero or negative if the vehicle was inside a region that is not chosen.
        let radius: Metres

        func contains(_ place: Coordinate) -> Bool { centre.distance(to: place) < radius }

        /// Returns how far a place is from the border; nil outside, where the next fix changes the choice anyway.
        func distanceToBorder(from place: Coordinate) -> Metres? {
            let distance = radius - centre.distance(to: place)
            return distance > .zero ? distance : nil
        }
    }

    /// A choice, and where it is right.
    private struct Choice: Sendable {
        let limit: Int
        /// The area; nil if the choice does not depend on the position.
        let area: Area?
        /// Whether the position was unknown, so that the first position changes the choice.
        let isBlind: Bool
    }

    /// The regions that the targets' servers have sent.
    private(set) var servers: [ServerRegions]
    /// The chosen regions, in the order of their lists.
    private(set) var chosen: [Region] = []
    /// The regions that may be chosen.
    private var candidates = RegionIndex()
    /// The target of each of these regions, by the key of the region.
    private var targets: [String: String] = [:]
    private var choice: Choice?
    /// The last request to the servers; nil if there is none.
    private var request: (area: SyncArea, limit: Int)?

    /// Makes a value that has not chosen yet; `own` are the keys and names of the owner's regions.
    init(_ servers: [ServerRegions], own: [RegionName]) {
        self.servers = servers
        distinguish(from: own)
    }

    /// The area in which the chosen regions need no change; nil if it is not limited.
    var area: Area? { choice?.area }

    /// Replaces the regions of the servers; the next call of `choose` makes a new choice.
    mutating func set(_ servers: [ServerRegions], own: [RegionName]) {
        self.servers = servers
        distinguish(from: own)
        request = request.map { (coverage(around: $0.area.centre, limit: $0.limit), $0.limit) }
    }

    /// Excludes the regions with the key or the name of a region of the owner; the next call of `choose` makes a new choice.
    mutating func distinguish(from own: [RegionName]) {
        // The tracker does not scan for the beacons of a server.
        let distinct = servers.distinct(from: own).filter { $0.region.shape.trigger == .area }
        targets = Dictionary(distinct.map { ($0.region.id, $0.target) }) { first, _ in first }
        candidates = RegionIndex(distinct.map(\.region))
        choice = nil
    }

    /// Chooses the regions for a place, unless the present choice is still right; returns whether other regions are chosen.
    ///
    /// - `place`: where the vehicle is; nil if that is unknown.
    /// - `limit`: the number of the nearest regions; 0 to choose none.
    /// - `occupied`: returns the keys of the regions that the vehicle is in.
    mutating func choose(at place: Coordinate?, limit: Int, occupied: () -> [String]) -> Bool {
        guard !isRight(at: place, limit: limit) else { return false }
        let before = chosen
        if limit <= 0 || candidates.regions.count <= limit {
            choice = Choice(limit: limit, area: nil, isBlind: false)
            chosen = limit <= 0 ? [] : candidates.regions
        } else {
            let nearest = place.map { candidates.nearest(limit + 1, to: $0) } ?? []
            let kept = Set(occupied()).union(nearest.prefix(limit).map(\.region.id))
            let area = place.flatMap { place in nearest.last.map { Area(centre: place, radius: $0.clearance) } }
            choice = Choice(limit: limit, area: area, isBlind: place == nil)
            chosen = candidates.regions.filter { kept.contains($0.id) }
        }
        return chosen != before
    }

    private func isRight(at place: Coordinate?, limit: Int) -> Bool {
        guard let choice, choice.limit == limit else { return false }
        guard let place else { return true }
        return !choice.isBlind && choice.area?.contains(place) != false
    }

    /// Returns the request that servers should receive now; nil if the tracker watches no regions of servers.
    ///
    /// - `place`: where the vehicle is; nil if that is unknown, or if servers may not learn it.
    mutating func query(at place: Coordinate?, limit: Int) -> RegionQuery? {
        guard limit > 0 else {
            request = nil
            return nil
        }
        guard let place else { return RegionQuery(place: nil, limit: limit) }
        if let request, request.limit == limit, !request.area.isOutgrown(at: place) {
            return RegionQuery(place: request.area.centre, limit: limit)
        }
        request = (coverage(around: place, limit: limit), limit)
        return RegionQuery(place: place, limit: limit)
    }

    /// Returns the target whose server has defined a region; nil for a region of the owner.
    func target(of region: String) -> String? { targets[region] }

    /// The number of a server's regions that cannot be chosen, because another region has their key or name.
    func hiddenCount(of target: String) -> Int {
        let count = servers.first { $0.target == target }?.regions.count ?? 0
        return count - targets.count { $0.value == target }
    }

    private func coverage(around place: Coordinate, limit: Int) -> SyncArea {
        let nearest = candidates.nearest(limit, to: place)
        return SyncArea(centre: place, clearances: nearest.count < limit ? [] : nearest.map(\.clearance))
    }
}

/// Decides when the tracker must request the nearest regions again: when the vehicle has left the area that they cover.
struct SyncArea: Sendable, Hashable {
    /// Where the vehicle was at the last request.
    let centre: Coordinate
    /// The distance from `centre` beyond which the tracker requests regions again.
    let radius: Metres

    /// Makes the area from the distances between `centre` and the borders of the nearest regions.
    ///
    /// The list is empty if the servers know fewer regions than were requested.
    init(centre: Coordinate, clearances: [Metres]) {
        self.centre = centre
        radius = clearances.max().map { min(max($0, Self.smallest), Self.largest) } ?? Self.largest
    }

    /// Whether a vehicle at this place needs other regions.
    func isOutgrown(at place: Coordinate) -> Bool { centre.distance(to: place) > radius }

    /// The minimum radius: if many regions overlap, the vehicle would otherwise leave the area again and again.
    private static let smallest = Metres(1000)
    /// The maximum radius: a server may send only the regions of some area around the vehicle.
    private static let largest = Metres(10_000)
}

extension TrackingOptions {
    /// The number of regions of servers that the tracker watches; 0 if it watches none.
    var syncedRegions: Int { syncGeofences ? syncGeofencesLimit : 0 }

    /// Whether servers may learn the position without a request of the owner.
    var sharesPlace: Bool { monitoring.recordsUnasked && sync != .none }
}
