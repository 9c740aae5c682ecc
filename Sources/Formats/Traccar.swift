internal import JSON
internal import Quantities
package import Tracking

/// Positions for Traccar's port for OsmAnd, or for another server that reads this protocol (OsmAndProtocolDecoder).
///
/// The form of the request is part of the settings. The speed is in knots in `form` and `query`, and in m/s in `json`.
package struct Traccar: UploadFormat {
    package enum Form: String, Sendable, Hashable, CaseIterable {
        /// Parameters in the body of a POST, which proxies and web servers do not write into their logs.
        case form
        case query
        /// A JSON object (server 6.7 and newer).
        case json
    }

    package let name = "traccar"
    package let transports: [TransportKind] = [.http]
    /// The number of records per request, always one, because the protocol has no batches.
    package let recordsPerPayload = 1...1
    package let form: Form

    package init(form: Form = .form) { self.form = form }

    /// Returns whether Traccar's protocol can express the record.
    ///
    /// The protocol has no message for waypoints, options, orders and the condition of the tracker, except jamming.
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

    /// Returns the verdict on an answer: Traccar answers a success with an empty body, or with a queued command as text.
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
    /// Returns whether the answer is text that is neither a JSON object or list nor a web page.
    func isText(of reply: Reply) -> Bool {
        if case .unexpected = self { !reply.isPage } else { false }
    }
}
