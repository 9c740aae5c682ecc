internal import JSON
internal import Quantities
package import Tracking

/// Traccar's port for OsmAnd, and other servers of this protocol (OsmAndProtocolDecoder). `form` and `query` have the speed in
/// knots, `json` in m/s.
package struct Traccar: UploadFormat {
    package enum Form: String, Sendable, Hashable, CaseIterable {
        /// Sends the values in a POST's body, which proxies and web servers do not log.
        case form
        case query
        /// Needs Traccar 6.7 or newer.
        case json
    }

    package let name = "traccar"
    /// The protocol has no batches.
    package let recordsPerPayload = 1...1
    package let form: Form

    package init(form: Form = .form) { self.form = form }

    /// Excludes waypoints, options, orders, and the tracker's condition except jamming.
    package func carries(_ record: Record, over kind: TransportKind) -> Bool {
        switch record.content {
        case .location, .motionchange, .visit, .transition, .trip, .request, .ping, .driving, .power: true
        case .providerchange(let change): change.state == .jammed || change.state == .jammingEnded
        case .waypoint, .health, .optionschange, .order: false
        }
    }

    package func encode(
        _ records: [StoredRecord], isNewest: Bool, for sender: Sender, over kind: TransportKind
    ) -> EncodeResult {
        guard let stored = records.first else { return .withheld }
        guard stored.record.odometer.value.isFinite else {
            return .impossible(reason: "a number in the record is not finite")
        }
        let message = TraccarMessage(stored, device: sender.device)
        switch form {
        case .json:
            guard let body = message.json.encoded else {
                return .impossible(reason: "a number in the record is not finite")
            }
            return .payload(WirePayload(body: body, contentType: "application/json"))
        case .form:
            return .payload(
                WirePayload(body: Array(message.query.utf8), contentType: "application/x-www-form-urlencoded"))
        case .query:
            let path = sender.path
            let mark = path.contains("?") ? "&" : "?"
            return .payload(
                WirePayload(
                    body: [], contentType: "", method: .get, path: "\(path.isEmpty ? "/" : path)\(mark)\(message.query)"
                ))
        }
    }

    /// Also accepts text, such as a queued command.
    package func verdict(on reply: Reply) -> Verdict {
        switch reply.status {
        case 404: .retry(reason: "status 404: \(Self.unknownDevice)", after: nil)
        case 400: .refused(reason: "status 400: \(Self.unknownDevice)")
        default: reply.verdict { $0.isText(of: reply) ? .expected : $0 }
        }
    }

    private static let unknownDevice = "perhaps the server has no device with the identifier in `device`"
}

extension AnswerBody {
    /// True if the usual rule does not expect the body, but it is no web page: plain text other than OK, for example.
    func isText(of reply: Reply) -> Bool {
        if case .unexpected = self { !reply.isPage } else { false }
    }
}
