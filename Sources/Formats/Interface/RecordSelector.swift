package import Tracking

/// A kind, or one event of it: `power`, `power.supplyLow`.
package struct RecordSelector: Sendable, Hashable {
    package let kind: Record.Kind
    /// One of `kind.events`; nil is the whole kind.
    package let event: String?

    package init(_ kind: Record.Kind) { (self.kind, event) = (kind, nil) }

    package init?(reading text: String) {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let kind = parts.first.flatMap(Record.Kind.init(rawValue:)) else { return nil }
        let event = parts.dropFirst().first
        guard event.map(kind.events.contains) ?? true else { return nil }
        (self.kind, self.event) = (kind, event)
    }

    package static let names = Record.Kind.allCases.flatMap { kind in
        [kind.rawValue] + kind.events.map { "\(kind.rawValue).\($0)" }
    }

    package func selects(_ record: Record) -> Bool {
        kind == record.kind && (event == nil || event == record.event)
    }
}
