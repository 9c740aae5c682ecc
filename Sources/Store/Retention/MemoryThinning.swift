import Tracking

/// Chooses the records to remove while neither the disk nor memory has room for more: first delivered locations, then
/// those that the track does not need (`TrackThinning`), and then the oldest others. Only then come events: delivered
/// ones, minor ones, all others.
struct MemoryThinning {
    /// After this number of records, a call ends once it has found a location to remove, because the loop waits.
    private static let slice = 1000
    /// A line of the track has at most 65 points, so thinning can complete a line within this number of records.
    private static let shortestTrack = 128

    private(set) var loss = Retention.Loss()
    /// Thinning never examines earlier records again, because the errors of repeated thinning would add up.
    private var next: Int64 = 0

    mutating func renumber(by shift: Int64) { next += shift }

    /// Chooses at least one of the records, which are in order; every target has received those in `delivered`.
    mutating func choose(among rows: [RecordRow], delivered: Set<Int64>) -> Set<Int64> {
        if let row = rows.first(where: { $0.isLocation && delivered.contains($0.stored.sequence) }) {
            loss.delivered += 1
            return [row.stored.sequence]
        }
        let thinned = thin(rows)
        guard thinned.isEmpty else {
            loss.thinned += thinned.count
            return Set(thinned)
        }
        if let row = rows.first(where: \.isLocation) {
            loss.locations += 1
            return [row.stored.sequence]
        }
        return removeEvent(of: rows, delivered)
    }

    private mutating func removeEvent(of rows: [RecordRow], _ delivered: Set<Int64>) -> Set<Int64> {
        if let row = rows.first(where: { delivered.contains($0.stored.sequence) }) {
            loss.delivered += 1
            return [row.stored.sequence]
        }
        guard let row = rows.first(where: { Retention.minorKinds.contains($0.stored.record.kind) }) ?? rows.first else {
            return []
        }
        loss.events += 1
        return [row.stored.sequence]
    }

    /// Chooses none if the track needs all of them, or if fewer than `shortestTrack` records remain to be examined.
    private mutating func thin(_ rows: [RecordRow]) -> [Int64] {
        let rest = rows.drop { $0.stored.sequence < next }
        guard rest.count >= Self.shortestTrack else { return [] }
        var track = TrackThinning()
        var thinned: [Int64] = []
        for (count, row) in rest.enumerated() {
            thinned += row.isLocation ? track.add(row.stored) : track.finish()
            next = track.lastKept ?? row.stored.sequence
            if count >= Self.slice, !thinned.isEmpty { break }
        }
        return thinned
    }
}

extension RecordRow {
    fileprivate var isLocation: Bool { !stored.record.kind.isEvent }
}
