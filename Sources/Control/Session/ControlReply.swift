import FoundationEssentials
import Quantities
package import Tracking

package struct ControlAnswer<Result: Codable>: Codable {
    package let ok: Bool
    /// The ID of the request; nil if the request had none or could not be read, or if its reply would be too long.
    package let id: String?
    package let error: String?
    package let result: Result?
}

extension ControlAnswer: Sendable where Result: Sendable {}

struct ControlReply: Sendable, Hashable {
    static let longest_bytes = 1024 * 1024

    /// The reply with a line feed.
    let line: [UInt8]

    static func success(_ result: some Codable, id: String?) -> ControlReply {
        ControlReply(ControlAnswer(ok: true, id: id, error: nil, result: result))
    }

    static func failure(_ reason: String, id: String?) -> ControlReply {
        failure(reason, with: nil as String?, id: id)
    }

    static func failure(_ reason: String, with result: (some Codable)?, id: String?) -> ControlReply {
        ControlReply(ControlAnswer(ok: false, id: id, error: reason, result: result))
    }

    private init(_ answer: ControlAnswer<some Codable>) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(answer), data.count < Self.longest_bytes else {
            line = Array(
                #"{"error":"The reply is too long, or trackerd cannot write it as JSON. Send a request for less data.","ok":false}"#
                    .utf8 + [10])
            return
        }
        line = [UInt8](data) + [UInt8(ascii: "\n")]
    }
}

package struct ControlOutcome: Codable, Sendable, Hashable {
    package let text: String
    /// True if the change would survive a power cut now.
    package let on_disk: Bool
    package let records: [ControlRecord]

    package init(text: String, on_disk: Bool, records: [ControlRecord]) {
        (self.text, self.on_disk, self.records) = (text, on_disk, records)
    }
}

package struct ControlRecord: Codable, Sendable, Hashable {
    package let sequence: Int64
    package let uuid: String
    package let kind: String
    package let time: String
    package let location: Status.Location?

    package init(_ stored: StoredRecord) {
        sequence = stored.sequence
        uuid = stored.uuid
        kind = stored.record.kind.rawValue
        time = stored.record.time.description
        location = stored.record.position.map(Status.Location.init)
    }
}
