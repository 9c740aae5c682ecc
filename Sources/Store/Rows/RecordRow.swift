//  A record that waits for its commit, and its identity.

import FoundationEssentials
import GRDB
import Quantities
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

    func insert(into database: GRDB.Database) throws {
        var row = RecordValues(stored)
        row.flags[RecordFlags.doubt] = Int64(doubt.rawValue)
        row.flags[RecordFlags.held] = isHeld ? 1 : 0
        // The boot matters only if a correction of the date may follow.
        if doubt != .none { (row.boot, row.sinceBoot_ms) = (Boot.shortName(boot), sinceBoot.milliseconds) }
        try RecordTable.insert(row, into: database)
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

    /// Returns the UUID of 16 bytes; nil for any other value.
    static func uuid(_ value: DatabaseValue) -> String? {
        guard case .blob(let bytes) = value.storage, bytes.count == 16 else { return nil }
        return text(Array(bytes))
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
