package import Tracking

/// Selects the records of a kind, or only those of one event of the kind, such as `power` or `power.supplyLow`.
package struct RecordSelector: Sendable, Hashable {
    package let kind: Record.Kind
    /// The event of the selected records, one of `kind.events`; nil selects all records of the kind.
    package let event: String?

    package init(_ kind: Record.Kind) { (self.kind, event) = (kind, nil) }

    /// Reads a kind, or a kind and one of its events with a dot between them; nil for any other text.
    package init?(reading text: String) {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let kind = parts.first.flatMap(Record.Kind.init(rawValue:)) else { return nil }
        let event = parts.dropFirst().first
        guard event.map(kind.events.contains) ?? true else { return nil }
        (self.kind, self.event) = (kind, event)
    }

    /// All texts that `init(reading:)` reads.
    package static let names = Record.Kind.allCases.flatMap { kind in
        [kind.rawValue] + kind.events.map { "\(kind.rawValue).\($0)" }
    }

    package func selects(_ record: Record) -> Bool {
        kind == record.kind && (event == nil || event == record.event)
    }
}
