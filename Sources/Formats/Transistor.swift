package import JSON
package import Tracking

/// The format in the HTTP guide of Background Geolocation.
package struct Transistor: UploadFormat {
    /// The names are those of Background Geolocation.
    package struct Settings: Sendable {
        /// Nil if the request consists of the records alone (`.`).
        package var rootProperty: String?
        package var isBatched: Bool
        package var params: [String: JSONValue]
        package var extras: [String: JSONValue]
        package var locationTemplate: TransistorTemplate?
        /// For records of the kind `transition`.
        package var geofenceTemplate: TransistorTemplate?

        package init(
            rootProperty: String? = "location", isBatched: Bool = true, params: [String: JSONValue] = [:],
            extras: [String: JSONValue] = [:], locationTemplate: TransistorTemplate? = nil,
            geofenceTemplate: TransistorTemplate? = nil
        ) {
            (self.rootProperty, self.isBatched) = (rootProperty, isBatched)
            (self.params, self.extras) = (params, extras)
            (self.locationTemplate, self.geofenceTemplate) = (locationTemplate, geofenceTemplate)
        }
    }

    package let name = "transistor"
    private let settings: Settings

    package init(_ settings: Settings = Settings()) { self.settings = settings }

    package var recordsPerPayload: ClosedRange<Int> { settings.isBatched ? 1...1000 : 1...1 }

    /// Carries a location, or one of the four events with a location.
    package func carries(_ record: Record, over kind: TransportKind) -> Bool {
        guard record.position != nil else { return false }
        switch record.kind {
        case .location, .motionchange, .transition, .request, .ping, .providerchange: return true
        case .visit, .waypoint, .trip, .power, .health, .optionschange, .driving, .order: return false
        }
    }

    package func encode(
        _ records: [StoredRecord], isNewest: Bool, for sender: Sender, over kind: TransportKind
    ) -> EncodeResult {
        let values = records.compactMap(value)
        guard let first = values.first else { return .withheld }
        guard let body = request(settings.isBatched ? .list(values) : first).encoded else {
            return .impossible(reason: "a number in a record is not finite")
        }
        return .payload(WirePayload(body: body, contentType: "application/json"))
    }

    private func request(_ records: JSONValue) -> JSONValue {
        guard let root = settings.rootProperty else {
            // Only an object can contain additional members.
            return records.members.map { .object($0.merging(settings.params) { record, _ in record }) } ?? records
        }
        return .object(settings.params.merging([root: records]) { $1 })
    }

    private func value(_ stored: StoredRecord) -> JSONValue? {
        guard let message = TransistorMessage(stored) else { return nil }
        let template = stored.record.kind == .transition ? settings.geofenceTemplate : settings.locationTemplate
        return template?.render(message, extras: settings.extras) ?? message.json(extras: settings.extras)
    }

    /// Accepts commands or any text, but no web page and no error.
    package func verdict(on reply: Reply) -> Verdict {
        reply.verdict { $0.isText(of: reply) ? .expected : $0 }
    }
}
