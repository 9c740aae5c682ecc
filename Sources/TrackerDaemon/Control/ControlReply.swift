import FoundationEssentials
import Quantities
import Tracking

/// An answer of the daemon, as it goes over the socket: one JSON object.
package struct ControlAnswer<Result: Codable>: Codable {
    /// Whether what was asked for has been done.
    package let ok: Bool
    /// What the request was marked with, if it was.
    package let id: String?
    /// Why it has not been done, and what to do.
    package let error: String?
    /// What came of it.
    package let result: Result?
}

extension ControlAnswer: Sendable where Result: Sendable {}

/// The line that a client gets.
struct ControlReply: Sendable, Hashable {
    /// The bytes, with the line feed at their end.
    let line: [UInt8]

    /// What was asked for has been done.
    static func success(_ result: some Codable, id: String?) -> ControlReply {
        ControlReply(ControlAnswer(ok: true, id: id, error: nil, result: result))
    }

    /// It has not, for this reason.
    static func failure(_ reason: String, id: String?) -> ControlReply {
        failure(reason, with: nil as String?, id: id)
    }

    /// It has not, for this reason; something came of it all the same.
    static func failure(_ reason: String, with result: (some Codable)?, id: String?) -> ControlReply {
        ControlReply(ControlAnswer(ok: false, id: id, error: reason, result: result))
    }

    private init(_ answer: ControlAnswer<some Codable>) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(answer), data.count < ControlConnection.Limits.answer else {
            line = Array(
                #"{"error":"The answer cannot be written, or is too long. Ask for less.","ok":false}"#.utf8 + [10])
            return
        }
        line = [UInt8](data) + [UInt8(ascii: "\n")]
    }
}

/// The response to a request that changes something.
package struct ControlOutcome: Codable, Sendable, Hashable {
    /// What has happened, in one sentence.
    package let text: String
    /// Whether it would survive a power cut now.
    package let on_disk: Bool
    /// The records that resulted.
    package let records: [ControlRecord]
}

/// A record in short.
package struct ControlRecord: Codable, Sendable, Hashable {
    package let sequence: Int64
    package let uuid: String
    package let kind: String
    package let time: String
    package let location: Status.Location?

    /// Takes it from a record.
    init(_ stored: StoredRecord) {
        sequence = stored.sequence
        uuid = stored.uuid
        kind = stored.record.kind.rawValue
        time = stored.record.time.description
        location = stored.record.position.map(Status.Location.init)
    }
}
