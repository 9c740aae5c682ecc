import FoundationEssentials
import GRDB
import Quantities
import Tracking

/// Writes records and states down for the database, and reads them again: JSON in one form only.
struct RecordText {
    private let encoder = JSONEncoder()
    private let decoder = JSONDecoder()

    init() { encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes] }

    func write(_ value: some Encodable) -> String {
        // Only a number that is not finite cannot be written, and the core has none.
        (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }

    /// Reads what `write` wrote; nothing when this version cannot.
    func read<Value: Decodable>(_ type: Value.Type, _ text: String) -> Value? {
        try? decoder.decode(type, from: Data(text.utf8))
    }

    /// The record of a row; nothing when this version cannot read it.
    func stored(_ row: Row) -> StoredRecord? {
        read(Tracking.Record.self, row["body"]).map { record in
            StoredRecord(
                sequence: row["sequence"], uuid: row["uuid"], created: Timestamp(milliseconds: row["created_ms"]),
                record: record)
        }
    }
}
