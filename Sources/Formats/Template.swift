internal import JSON
internal import Quantities
package import Tracking

/// The format for any server: the owner writes address and body with placeholders.
package struct Template: UploadFormat {
    package let name = "template"
    package let recordsPerPayload = 1...1

    private let method: WirePayload.Method
    /// Nil means the path and query of the address.
    private let path: PlaceholderText?
    private let body: PlaceholderText?
    private let contentType: String
    /// The entries of the target's `kinds` that name an event.
    private var events: [RecordSelector] = []

    /// Sends a GET to the address.
    package init() { (method, path, body, contentType) = (.get, nil, nil, "") }

    /// Throws if a placeholder or its style is unknown, or if a body of a JSON type is not JSON once it has its values.
    /// `path` includes the query, and `body` is nil for a GET; `contentType` determines the escaping of values.
    package init(path: String, body: String?, contentType: String) throws(TemplateError) {
        method = body == nil ? .get : .post
        self.contentType = contentType
        self.path = try PlaceholderReader.braces(path.hasPrefix("/") ? path : "/\(path)", .url)
        guard let body else {
            self.body = nil
            return
        }
        let text = try PlaceholderReader.braces(body, Self.language(of: contentType))
        guard text.language != .json || text.isJSON else {
            throw TemplateError(
                description: "`body` is not JSON after the values are inserted. Check its quotes, commas and brackets.")
        }
        self.body = text
    }

    /// A target that names an event receives it, even without `{kind}` and `{event}`.
    package func selecting(_ kinds: [RecordSelector]) -> Template {
        var format = self
        format.events = kinds.filter { $0.event != nil }
        return format
    }

    private static func language(of contentType: String) -> PlaceholderText.Language {
        let type = contentType.lowercased()
        if type.contains("json") { return .json }
        if type.contains("x-www-form-urlencoded") { return .url }
        return type.contains("xml") ? .xml : .plain
    }

    /// Without `{kind}` and `{event}`, the format carries only track points and the events that the target names, because
    /// its server could not distinguish other records from track points. With `{lat}` or `{lon}`, it carries only records
    /// with a position.
    package func carries(_ record: Record, over kind: TransportKind) -> Bool {
        let names = (path?.names ?? []).union(body?.names ?? [])
        if record.position == nil, names.contains("lat") || names.contains("lon") { return false }
        guard names.isDisjoint(with: ["kind", "event"]) else { return true }
        return record.kind.traits.contains(.point) || events.contains { $0.selects(record) }
    }

    package func encode(
        _ records: [StoredRecord], isNewest: Bool, for sender: Sender, over kind: TransportKind
    ) -> EncodeResult {
        guard let stored = records.first else { return .withheld }
        guard stored.record.odometer.value.isFinite else {
            return .impossible(reason: "a number in the record is not finite")
        }
        let value = { (name: String) in Placeholder.named(name)?.value(stored, sender) ?? .null }
        return .payload(
            WirePayload(
                body: Array((body?.render(value) ?? "").utf8), contentType: contentType, method: method,
                path: path?.render(value)))
    }

    /// Accepts every success status, unless the body is a web page or a JSON object with an error.
    package func verdict(on reply: Reply) -> Verdict {
        reply.verdict { answer in
            guard case .unexpected = answer else { return answer }
            return reply.isMarkup ? answer : .expected
        }
    }
}
