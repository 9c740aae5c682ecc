//  A record as a row of the table: its identity, its text, and its columns.

import FoundationEssentials
import GRDB
import Quantities
import QuickJSON
import Tracking

/// A record that is not in the table yet, with the columns that only the queue uses.
struct RecordRow {
    private(set) var stored: StoredRecord
    /// Whether the clock was not set, or its time was not certain, when the queue added the record.
    ///
    /// A correction of the record may then follow.
    private(set) var doubt: DateDoubt
    /// Whether the queue withholds the record from all targets for now, because a correction of the record may follow soon.
    private(set) var isHeld: Bool
    let boot: String
    private let sinceBoot: Instant

    init(_ stored: StoredRecord, at reading: ClockReading) {
        self.stored = stored
        doubt =
            !stored.record.isTimeTrusted || !reading.isTrusted
            ? .untrusted : reading.isCorroborated ? .none : .uncorroborated
        isHeld = !stored.record.isTimeTrusted && reading.now < HeldRecords.holdEnd
        boot = reading.boot
        sinceBoot = reading.now
    }

    /// Whether a target may receive the record now.
    var isDeliverable: Bool { !isHeld && stored.record.isWithheld != true }

    /// Whether a target may receive the record now, and no correction will change the record.
    var isFinal: Bool { isDeliverable && doubt == .none }

    mutating func correct(_ correction: ClockCorrection) {
        guard doubt != .none, boot == correction.boot, sinceBoot <= correction.before else { return }
        stored = correction.applied(to: stored, sinceBoot: sinceBoot)
        (doubt, isHeld) = (correction.remainingDoubt, false)
    }

    /// Shifts the record's number, because the file already contains later numbers.
    mutating func renumber(by shift: Int64) {
        stored = StoredRecord(
            sequence: stored.sequence + shift, uuid: stored.uuid, created: stored.created, record: stored.record)
    }

    /// Adds the distance and the trip of a state that the program found after the engine had begun.
    mutating func continueRecord(from former: EngineState) {
        stored = StoredRecord(
            sequence: stored.sequence, uuid: stored.uuid, created: stored.created,
            record: stored.record.continued(from: former))
    }

    func insert(into database: GRDB.Database, _ text: RecordText) throws {
        let statement = try database.cachedStatement(
            sql: """
                INSERT INTO record (
                    sequence, uuid, kind, time_ms, created_ms, boot, since_boot_ms,
                    is_doubtful, is_held, is_withheld, is_stop, is_place, body
                ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """)
        let record = stored.record
        // The boot matters only if a correction of the date may follow.
        let isCertain = doubt == .none
        try statement.execute(arguments: [
            stored.sequence, RecordIdentity.value(of: stored.uuid), record.kind.rawValue, record.time.milliseconds,
            stored.created.milliseconds, isCertain ? "" : Boot.shortName(boot), isCertain ? 0 : sinceBoot.milliseconds,
            doubt.rawValue,
            isHeld, record.isWithheld ?? false, record.isStop, record.isPlace, text.body(record),
        ])
    }
}

extension Tracking.Record {
    /// Whether the record contains a position that a target shows as the vehicle's; a target receives the newest such record first.
    var isPlace: Bool {
        switch kind {
        case .location, .motionchange, .visit, .trip, .request, .ping, .driving: position != nil
        case .transition, .waypoint, .providerchange, .power, .health, .optionschange, .order: false
        }
    }
}

/// Encodes records and states for the database as JSON in one fixed form, and decodes them.
struct RecordText {
    private let encoder = JSONEncoder()
    private let decoder = JSONDecoder()

    init() { encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes] }

    func write(_ value: some Encodable) -> String {
        // Encoding fails only for a number that is not finite, and the core has no such numbers.
        (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }

    /// Decodes a text that `write` has encoded; returns nil if this version cannot decode the text.
    func read<Value: Decodable>(_ type: Value.Type, _ text: String) -> Value? {
        try? decoder.decode(type, from: Data(text.utf8))
    }

    private func record(_ text: String) -> Tracking.Record? {
        // Foundation's decoder would take half of the time of an upload. It therefore decodes only the rare texts that the quick
        // decoder cannot read.
        (try? QuickDecoder.decode(Tracking.Record.self, from: text)) ?? read(Tracking.Record.self, text)
    }

    /// Encodes a record for the table.
    func body(_ record: Tracking.Record) -> DatabaseValue { RecordBody.value(of: write(record)) }

    /// Returns the record of a row; nil if this version cannot read the row.
    func stored(_ row: Row) -> StoredRecord? {
        stored(sequence: row["sequence"], uuid: row["uuid"], created_ms: row["created_ms"], body: row["body"])
    }

    /// Returns the record of a row with these columns; nil if this version cannot read the row.
    func stored(sequence: Int64, uuid: DatabaseValue, created_ms: Int64?, body: DatabaseValue) -> StoredRecord? {
        guard let body = RecordBody.text(body), let uuid = RecordIdentity.uuid(uuid), let created_ms,
            let record = record(body)
        else { return nil }
        return StoredRecord(
            sequence: sequence, uuid: uuid, created: Timestamp(milliseconds: created_ms), record: record)
    }
}

/// Makes UUIDs of version 7 (RFC 9562), which begin with the time and end with random bits.
///
/// The order of these UUIDs is therefore the order of their times.
enum RecordIdentity {
    /// Returns the 16 bytes of a UUID for the table; a text that is not a UUID remains a text.
    static func value(of uuid: String) -> DatabaseValue {
        guard uuid.utf8.count == 36 else { return uuid.databaseValue }
        let digits = uuid.utf8.filter { $0 != UInt8(ascii: "-") }
        var bytes = Data()
        var index = 0
        while index + 1 < digits.count {
            guard let byte = UInt8(String(decoding: digits[index...index + 1], as: UTF8.self), radix: 16) else {
                return uuid.databaseValue
            }
            bytes.append(byte)
            index += 2
        }
        return bytes.count == 16 ? bytes.databaseValue : uuid.databaseValue
    }

    /// Returns the UUID of a stored value: 16 bytes, or a text from an earlier version; nil for any other value.
    static func uuid(_ value: DatabaseValue) -> String? {
        switch value.storage {
        case .string(let text): text
        case .blob(let bytes) where bytes.count == 16: text(Array(bytes))
        case .blob, .null, .int64, .double: nil
        }
    }

    static func uuid(at time: Timestamp, using generator: inout some RandomNumberGenerator) -> String {
        let milliseconds = UInt64(clamping: time.milliseconds) & 0xffff_ffff_ffff
        let (first, second) = (generator.next() as UInt64, generator.next() as UInt64)
        let high = milliseconds << 16 | 0x7000 | first & 0x0fff
        let low = 0x8000_0000_0000_0000 | second >> 2
        return text(bytes(of: high) + bytes(of: low))
    }

    private static func bytes(of number: UInt64) -> [UInt8] {
        stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    /// Returns the text of 16 bytes: 32 hexadecimal digits in five groups (RFC 9562, section 4).
    private static func text(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(36)
        for (index, byte) in bytes.enumerated() {
            switch index {
            case 4, 6, 8, 10: text.append(UInt8(ascii: "-"))
            default: break
            }
            text.append(digit(byte >> 4))
            text.append(digit(byte & 15))
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}
