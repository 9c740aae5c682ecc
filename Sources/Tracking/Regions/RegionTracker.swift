package import Quantities

/// Removing a region reports no exit, even if the vehicle is inside. A region added around the moving vehicle is entered
/// by the usual rule from the next fix on; around the parked vehicle, it is occupied at once, without an entry. If the
/// border of an occupied region changes, the vehicle remains inside until fixes show that it is outside the new border.
package struct RegionTracker: Sendable {
    private(set) var table: RegionIndex
    /// The watches of regions that the vehicle is in, and of those with a pending or recent change.
    private var watches: [RegionWatch]
    private var previous: AcceptedFix?

    /// `stays` are the occupancies that a restart interrupted.
    package init(_ regions: [Region] = [], restoring stays: [RegionOccupancy] = []) {
        let table = RegionIndex(regions)
        self.table = table
        watches = stays.compactMap { stay in
            table.slot(of: stay.id).map { RegionWatch(restoring: stay, slot: $0) }
        }
    }

    package var regions: [Region] { table.regions }

    package var stays: [RegionOccupancy] {
        watches.compactMap(\.stay).sorted { ($0.entered, $0.id) < ($1.entered, $1.id) }
    }

    /// The longest occupancy is first.
    package var inside: [Region] {
        stays.compactMap { stay in table.slot(of: stay.id).map { table.regions[$0] } }
    }

    /// Call it with fixes in order of time.
    mutating func handle(_ fix: AcceptedFix, _ evidence: RegionEvidence = .driving) -> [RegionCrossing] {
        defer { previous = fix }
        guard !table.regions.isEmpty else { return [] }
        var crossings: [RegionCrossing] = []
        var isJudged = [Bool](repeating: false, count: table.regions.count)
        for index in watches.indices {
            let slot = watches[index].slot
            isJudged[slot] = true
            crossings += watches[index].judge(fix, evidence, after: previous, for: table.regions[slot])
        }
        for slot in table.candidates(at: fix.coordinate, except: isJudged) {
            let region = table.regions[slot]
            var watch = RegionWatch(outside: region.id, slot: slot)
            crossings += watch.judge(fix, evidence, after: previous, for: region)
            watches.append(watch)
        }
        watches.removeAll { $0.isIdle(at: fix.time) }
        return crossings.sorted { $0.time < $1.time }
    }

    /// Has no effect on regions with a border.
    package mutating func handle(
        beaconRegion id: String, isPresent: Bool, at time: Timestamp, position: Position?
    ) -> [RegionCrossing] {
        guard let slot = table.slot(of: id), table.regions[slot].shape.trigger == .beacon else { return [] }
        let index = watches.firstIndex { $0.id == id } ?? watches.endIndex
        if index == watches.endIndex { watches.append(RegionWatch(outside: id, slot: slot)) }
        let sight = TimedPosition(time: time, position: position)
        let crossings = watches[index].judge(isPresent: isPresent, at: sight, for: table.regions[slot])
        watches.removeAll { $0.isIdle(at: time) }
        return crossings
    }

    package mutating func elapse(to time: Timestamp, position: Position?) -> [RegionCrossing] {
        var crossings: [RegionCrossing] = []
        let sight = TimedPosition(time: time, position: position)
        for index in watches.indices {
            crossings += watches[index].elapse(to: sight, for: table.regions[watches[index].slot])
        }
        return crossings.sorted { $0.time < $1.time }
    }

    /// When `elapse` must be called; nil if nothing is due.
    package var due: Timestamp? {
        watches.compactMap { $0.due(for: table.regions[$0.slot]) }.min()
    }

    /// `parked` is where the vehicle is parked, with the time of the change; nil while it moves, or if the place is unknown.
    mutating func replace(regions: [Region], parked: TimedPosition? = nil) {
        use(RegionIndex(regions), parked: parked)
    }

    /// `parked` is as in `replace`.
    mutating func set(_ regions: [Region], parked: TimedPosition? = nil) {
        var changed = table
        changed.set(regions)
        use(changed, parked: parked)
    }

    package mutating func remove(ids: [String]) {
        let removed = Set(ids)
        use(RegionIndex(regions.filter { !removed.contains($0.id) }))
    }

    /// Forgets the state of removed regions, and of those that changed between border and beacon.
    private mutating func use(_ changed: RegionIndex, parked: TimedPosition? = nil) {
        watches = watches.compactMap { watch in
            let old = table.regions[watch.slot].shape
            guard let slot = changed.slot(of: watch.id), changed.regions[slot].shape.trigger == old.trigger else {
                return nil
            }
            var watch = watch
            watch.slot = slot
            if changed.regions[slot].shape != old { watch.forgetDoubt() }
            return watch
        }
        if let parked { occupy(changed, parked) }
        table = changed
    }

    /// Occupies the regions around the parked vehicle that are new or have a new shape.
    private mutating func occupy(_ changed: RegionIndex, _ parked: TimedPosition) {
        guard let place = parked.position?.coordinate else { return }
        var isKnown = changed.regions.map { region in
            table.slot(of: region.id).map { table.regions[$0].shape == region.shape } ?? false
        }
        for watch in watches { isKnown[watch.slot] = true }
        for slot in changed.candidates(at: place, except: isKnown) {
            let region = changed.regions[slot]
            guard let area = region.shape.area, area.clearance(from: place) <= .zero else { continue }
            watches.append(RegionWatch(occupying: region.id, slot: slot, since: parked.time))
        }
    }
}
