import Quantities
import TrackingOptions

/// Chooses the servers' regions that are watched: the nearest ones, and those that the vehicle is in, so that their
/// exit is recorded.
struct RegionSync: Sendable {
    /// The circle in which the choice stays right: it ends at the nearest border of a region that is not chosen.
    struct Area: Sendable, Hashable {
        let centre: Coordinate
        /// Zero or negative inside a region that is not chosen.
        let radius: Metres

        func contains(_ place: Coordinate) -> Bool { centre.distance(to: place) < radius }

        /// Nil outside, where the next fix changes the choice anyway.
        func distanceToBorder(from place: Coordinate) -> Metres? {
            let distance = radius - centre.distance(to: place)
            return distance > .zero ? distance : nil
        }
    }

    private struct Choice: Sendable {
        let limit: Int
        /// Nil if the choice does not depend on the position, or was made without one.
        let area: Area?
        /// True if the choice was made without a position, so that the first one changes it.
        let isBlind: Bool
    }

    private(set) var servers: [ServerRegions]
    /// The chosen regions, in the order of the servers' lists.
    private(set) var chosen: [Region] = []
    private var candidates = RegionIndex()
    /// The names of the targets, by the keys of their regions.
    private var targets: [String: String] = [:]
    private var choice: Choice?
    private var request: (area: SyncArea, limit: Int)?

    /// `own` are the keys and names of the owner's regions.
    init(_ servers: [ServerRegions], own: [RegionName]) {
        self.servers = servers
        distinguish(from: own)
    }

    /// The area in which the choice needs no change; nil if the choice does not depend on the position, was made without
    /// one, or was not made yet.
    var area: Area? { choice?.area }

    /// Call `choose` afterwards.
    mutating func set(_ servers: [ServerRegions], own: [RegionName]) {
        self.servers = servers
        distinguish(from: own)
        request = request.map { (coverage(around: $0.area.centre, limit: $0.limit), $0.limit) }
    }

    /// Leaves out regions with the key or name of an owner's region. Call `choose` afterwards.
    mutating func distinguish(from own: [RegionName]) {
        // The tracker does not scan for the beacons of a server.
        let distinct = servers.distinct(from: own).filter { $0.region.shape.trigger == .area }
        targets = Dictionary(distinct.map { ($0.region.id, $0.target) }) { first, _ in first }
        candidates = RegionIndex(distinct.map(\.region))
        choice = nil
    }

    /// Returns true if the choice has changed. `place` is nil if unknown, a `limit` of 0 chooses none, and `occupied`
    /// returns the keys of the regions that the vehicle is in.
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

    /// Nil if no servers' regions are watched. `place` is nil if unknown, or if servers must not learn it.
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

    /// Nil for a region of the owner.
    func target(of region: String) -> String? { targets[region] }

    /// The number of this target's regions that are hidden by another region's key or name.
    func hiddenCount(of target: String) -> Int {
        let count = servers.first { $0.target == target }?.regions.count ?? 0
        return count - targets.count { $0.value == target }
    }

    private func coverage(around place: Coordinate, limit: Int) -> SyncArea {
        let nearest = candidates.nearest(limit, to: place)
        return SyncArea(centre: place, clearances: nearest.count < limit ? [] : nearest.map(\.clearance))
    }
}

/// Outside this circle, the nearest regions must be requested again.
struct SyncArea: Sendable, Hashable {
    let centre: Coordinate
    let radius: Metres

    /// `clearances` is empty if the servers know fewer regions than requested.
    init(centre: Coordinate, clearances: [Metres]) {
        self.centre = centre
        radius = clearances.max().map { min(max($0, Self.smallest), Self.largest) } ?? Self.largest
    }

    func isOutgrown(at place: Coordinate) -> Bool { centre.distance(to: place) > radius }

    /// Among many overlapping regions, a smaller circle would be left again and again.
    private static let smallest = Metres(1000)
    /// A server may send only the regions of some area around the vehicle.
    private static let largest = Metres(10_000)
}

extension TrackingOptions {
    /// 0 if no servers' regions are watched.
    var syncedRegions: Int { syncGeofences ? syncGeofencesLimit : 0 }

    /// True if servers can learn the position without a request of the owner.
    var sharesPlace: Bool { monitoring.recordsUnasked && sync != .none }
}

/// A server's list, which replaces all its earlier regions.
package struct ServerRegions: Sendable, Hashable {
    package static let most = 1000

    package let target: String
    /// The regions in the server's order.
    package let regions: [Region]

    package init(target: String, regions: [Region]) { (self.target, self.regions) = (target, regions) }
}

package enum RegionOrigin: Sendable, Hashable {
    case configuration
    case waypoint
    case server(target: String)
}

extension [ServerRegions] {
    /// The list takes the place of its target's earlier one. The result leaves out empty lists, and is ordered by target.
    package func replacing(with list: ServerRegions) -> [ServerRegions] {
        (filter { $0.target != list.target } + [list]).filter { !$0.regions.isEmpty }.sorted { $0.target < $1.target }
    }

    /// Leaves out regions with a key or name of `others` or of an earlier list, so that a server can neither replace
    /// nor imitate a region of the owner or of another server.
    func distinct(from others: [RegionName]) -> [(target: String, region: Region)] {
        guard !isEmpty else { return [] }
        var keys = Set(others.map(\.id))
        var names = Set(others.map(\.name))
        var found: [(target: String, region: Region)] = []
        for list in self {
            let distinct = list.regions.filter { !keys.contains($0.id) && !names.contains($0.name.name) }
            found += distinct.map { (list.target, $0) }
            keys.formUnion(distinct.map(\.id))
            names.formUnion(distinct.map(\.name.name))
        }
        return found
    }
}
