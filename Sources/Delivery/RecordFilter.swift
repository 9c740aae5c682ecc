package import Formats
package import Tracking
package import TrackingOptions

/// The rule for the records that a target receives; the target receives no other records.
package struct RecordFilter: Sendable, Hashable {
    /// The kinds and events that the target receives; an empty list means all.
    package var kinds: [RecordSelector]
    /// The kinds and events that the target does not receive.
    package var exceptKinds: [RecordSelector]
    /// The tags of the records that the target receives; an empty list means all records, even those without a tag.
    package var tags: [String]
    /// The target's own rule, in addition to the option `sync`, which applies to every target.
    package var sync: SyncRule

    /// Makes a filter; by default it admits every record.
    package init(
        kinds: [RecordSelector] = [], exceptKinds: [RecordSelector] = [], tags: [String] = [], sync: SyncRule = .all
    ) {
        (self.kinds, self.exceptKinds, self.tags, self.sync) = (kinds, exceptKinds, tags, sync)
    }

    package var admitsAll: Bool { self == RecordFilter() }

    /// Returns whether the target receives the record.
    package func admits(_ record: Record) -> Bool {
        guard kinds.isEmpty || kinds.contains(where: { $0.selects(record) }) else { return false }
        guard !exceptKinds.contains(where: { $0.selects(record) }) else { return false }
        guard tags.isEmpty || record.tag.map(tags.contains) == true else { return false }
        return !sync.withholds(record)
    }
}
