package import Formats
package import Tracking
package import TrackingOptions

/// Finds the waiting records that a target's filter admits.
package struct RecordSearch {
    package struct Found {
        /// Nil if the newest record with a position does not await the target, or if the filter excludes the newest 50
        /// of those that do.
        package let newest: StoredRecord?
        package let oldest: [StoredRecord]
        package let excluded: [Int64]
    }

    private let target: String
    private let filter: RecordFilter
    private let queue: any DeliveryQueue
    /// The filter excludes all known records from here to the end of the queue.
    private var tail: Int64?

    /// The smallest limit of a query with a filter.
    private static let filteredAtOnce = 200
    /// The most records that are examined to find the newest that the filter admits.
    private static let longestSearch = 50

    package init(for target: String, _ filter: RecordFilter, in queue: any DeliveryQueue) {
        (self.target, self.filter, self.queue) = (target, filter, queue)
    }

    package mutating func find(limit: Int, excluding: [Int64]) throws -> Found {
        let count = filter.admitsAll ? limit : max(limit, Self.filteredAtOnce)
        let oldest = try queue.oldest(awaiting: target, limit: count, excluding: excluding)
        let wanted = filter.admitsAll ? oldest : oldest.filter { filter.admits($0.record) }
        if let last = wanted.last?.sequence, last >= tail ?? .max { tail = nil }
        let newest = try newest()
        let admitted = Set(wanted.map(\.sequence))
        let others = wanted.count < oldest.count ? oldest.map(\.sequence).filter { !admitted.contains($0) } : []
        if oldest.count < count, let last = others.last, last > wanted.last?.sequence ?? 0 {
            tail = tail ?? wanted.last.map { $0.sequence + 1 } ?? others.first
        }
        return Found(newest: newest, oldest: Array(wanted.prefix(limit)), excluded: others)
    }

    private mutating func newest() throws -> StoredRecord? {
        for start in [.max, tail].compactMap({ $0 }) {
            var last = start
            // A filter for a rare tag could exclude very many records, so the search ends after a limited number of
            // them.
            for _ in 0..<Self.longestSearch {
                guard let newest = try queue.newest(awaiting: target, before: last) else { break }
                if filter.admits(newest.record) {
                    if newest.sequence >= tail ?? .max { tail = nil }
                    return newest
                }
                last = newest.sequence
            }
        }
        return nil
    }
}

package struct RecordFilter: Sendable, Hashable {
    /// Empty means all.
    package var kinds: [RecordSelector]
    package var exceptKinds: [RecordSelector]
    /// Empty means all records, with or without a tag.
    package var tags: [String]
    /// Applies in addition to the option `sync`, which concerns every target.
    package var sync: SyncRule

    package init(
        kinds: [RecordSelector] = [], exceptKinds: [RecordSelector] = [], tags: [String] = [], sync: SyncRule = .all
    ) {
        (self.kinds, self.exceptKinds, self.tags, self.sync) = (kinds, exceptKinds, tags, sync)
    }

    package var admitsAll: Bool { self == RecordFilter() }

    package func admits(_ record: Record) -> Bool {
        guard kinds.isEmpty || kinds.contains(where: { $0.selects(record) }) else { return false }
        guard !exceptKinds.contains(where: { $0.selects(record) }) else { return false }
        guard tags.isEmpty || record.tag.map(tags.contains) == true else { return false }
        return !sync.withholds(record)
    }
}
