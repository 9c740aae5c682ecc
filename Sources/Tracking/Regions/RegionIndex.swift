import Quantities

/// Regions in the order in which they were defined. The index by place is a list of boxes ordered by their southern
/// edge. A box can contain a place only if this edge is south of it by at most the height of the tallest box.
struct RegionIndex: Sendable {
    private(set) var regions: [Region] = []
    private var slots: [String: Int] = [:]
    private var entries: [(box: BoundingBox, slot: Int)] = []
    private var tallest = 0.0

    /// Of regions with equal keys, the last counts.
    init(_ regions: [Region] = []) { set(regions) }

    func slot(of id: String) -> Int? { slots[id] }

    /// A new region replaces the one with the same key.
    mutating func set(_ new: [Region]) {
        for region in new {
            if let slot = slots[region.id] {
                regions[slot] = region
            } else {
                slots[region.id] = regions.count
                regions.append(region)
            }
        }
        index()
    }

    /// Returns the slots of the regions whose boxes contain the place, in ascending order, without the marked ones.
    func candidates(at place: Coordinate, except isMarked: [Bool]) -> [Int] {
        var found: [Int] = []
        var index = firstIndex(from: place.latitude - tallest)
        while index < entries.count, entries[index].box.south <= place.latitude {
            let entry = entries[index]
            if entry.box.contains(place), !isMarked[entry.slot] { found.append(entry.slot) }
            index += 1
        }
        return found.sorted()
    }

    /// The least clearance comes first; it is negative inside a region.
    func nearest(_ limit: Int, to place: Coordinate) -> [(region: Region, clearance: Metres)] {
        let byDistance = regions.indices.compactMap { slot in
            regions[slot].shape.area.map { (slot: slot, clearance: $0.clearance(from: place)) }
        }.sorted { ($0.clearance, $0.slot) < ($1.clearance, $1.slot) }
        return byDistance.prefix(max(0, limit)).map { (regions[$0.slot], $0.clearance) }
    }

    /// The distance is positive inside a region too; nil if no border is within `limit`.
    func borderDistance(from place: Coordinate, within limit: Metres) -> Metres? {
        let reach = BoundingBox(around: place, radius: limit)
        var nearest: Metres?
        var index = firstIndex(from: reach.south - tallest)
        while index < entries.count, entries[index].box.south <= reach.north {
            let clearance = regions[entries[index].slot].shape.area?.clearance(from: place)
            if let distance = clearance.map({ Metres($0.value.magnitude) }), distance <= nearest ?? limit {
                nearest = distance
            }
            index += 1
        }
        return nearest
    }

    private mutating func index() {
        entries = regions.indices.compactMap { slot in
            regions[slot].shape.area.map { (box: $0.box, slot: slot) }
        }.sorted { ($0.box.south, $0.slot) < ($1.box.south, $1.slot) }
        tallest = entries.map { $0.box.north - $0.box.south }.max() ?? 0
    }

    /// The first entry whose southern edge is at this latitude or north of it.
    private func firstIndex(from latitude: Double) -> Int {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].box.south < latitude { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
