import FoundationEssentials
import GRDB
import Quantities
import Tracking

/// One list of columns writes and reads the rows, makes the schema, and recognises rows in a damaged file. The values
/// are whole numbers in the unit that the name states (`lat_e7`: ten-millionths of a degree), or fractions in degrees,
/// metres, metres per second or volts where that unit is not exact. NULL means unknown; fields that only rare records
/// have are JSON in the last column.
enum RecordTable {
    /// A higher number comes from a damaged page, and would leave no numbers for later records.
    static let numbers: ClosedRange<Int64> = 0...(Int64.max / 2)

    static let columns: [RecordColumn] = [
        .integer("sequence", "INTEGER PRIMARY KEY", \.sequence),
        RecordColumn(
            "uuid", "BLOB NOT NULL", write: { RecordIdentity.value(of: $0.uuid) },
            read: { row, value in RecordIdentity.uuid(value).map { row.uuid = $0 } != nil }),
        .integer("kind", "INTEGER NOT NULL", \.kind),
        .integer("time_ms", "INTEGER NOT NULL", \.time_ms),
        // The time from the event until trackerd wrote the record.
        .integer("delay_ms", "INTEGER NOT NULL", \.delay_ms),
        .integer("flags", "INTEGER NOT NULL", \.flags.bits),
        // The boot, and the time since it, of a record whose date may still be corrected.
        RecordColumn(
            "boot", "TEXT NOT NULL DEFAULT ''", write: { $0.boot.databaseValue },
            read: { row, value in
                guard case .string(let boot) = value.storage else { return false }
                row.boot = boot
                return true
            }),
        .integer("since_boot_ms", "INTEGER NOT NULL DEFAULT 0", \.sinceBoot_ms),
        .number("lat_e7", 1e7, \.latitude),
        .number("lon_e7", 1e7, \.longitude),
        .number("accuracy_mm", 1e3, \.accuracy),
        .number("altitude_e4", 1e4, \.altitude),
        .number("ellipsoid_altitude_e4", 1e4, \.ellipsoidAltitude),
        .number("vertical_accuracy_mm", 1e3, \.verticalAccuracy),
        .number("speed_mmps", 1e3, \.speed),
        .number("course_e4", 1e4, \.course),
        .optional("satellites", \.satellites),
        // The reading of the odometer is a sum, so no unit of whole numbers could express it exactly.
        RecordColumn(
            "odometer_m", "NOT NULL DEFAULT 0", write: { $0.odometer.databaseValue },
            read: { row, value in
                guard let metres = RecordColumn.double(value) else { return false }
                row.odometer = metres
                return true
            }),
        .optional("trip", \.trip),
        .number("supply_mV", 1e3, \.supply),
        .text("tag", \.tag),
        .text("vehicle", \.vehicle),
        .text("driver", \.driver),
        .text("rest", \.rest),
    ]

    static let list = columns.map { "record.\($0.name)" }.joined(separator: ", ")

    /// The generated columns use no space; they name what `flags` contains (`RecordFlags`).
    static let statement = """
        CREATE TABLE record (
            \(columns.map { $0.type.isEmpty ? $0.name : "\($0.name) \($0.type)" }.joined(separator: ",\n    ")),
            created_ms AS (time_ms + delay_ms),
        \(RecordFlags.queried.map { "    \($0) AS (\($1))" }.joined(separator: ",\n"))
        )
        """

    static func insert(_ row: RecordValues, into database: GRDB.Database) throws {
        try database.cachedStatement(sql: "INSERT " + rowOfMarks)
            .execute(arguments: StatementArguments(columns.map { $0.write(row) }))
    }

    static func update(_ row: RecordValues, in database: GRDB.Database) throws {
        try database.cachedStatement(sql: change)
            .execute(
                arguments: StatementArguments(columns.dropFirst().map { $0.write(row) } + [row.sequence.databaseValue]))
    }

    /// Nil if a value has a wrong type.
    static func values(_ row: Row) -> RecordValues? { values { row[$0] } }

    static func values(_ value: (Int) -> DatabaseValue) -> RecordValues? {
        var row = RecordValues()
        for (index, column) in columns.enumerated() {
            guard column.read(&row, value(index)) else { return nil }
        }
        return row
    }

    /// Nil if this version cannot read the row.
    static func stored(_ row: Row) -> StoredRecord? { values(row)?.stored }

    static func insertIfMissing(_ values: [DatabaseValue], into database: GRDB.Database) throws {
        try database.cachedStatement(sql: "INSERT OR IGNORE " + rowOfMarks)
            .execute(arguments: StatementArguments(values))
    }

    private static let change = """
        UPDATE record SET \(columns.dropFirst().map { "\($0.name) = ?" }.joined(separator: ", ")) WHERE sequence = ?
        """
    private static let rowOfMarks = """
        INTO record (\(columns.map(\.name).joined(separator: ", "))) \
        VALUES (\(repeatElement("?", count: columns.count).joined(separator: ", ")))
        """
}

/// How a row's value becomes the value in the file, and back.
struct RecordColumn: Sendable {
    let name: String
    /// The type of the column; without one, SQLite converts no value.
    let type: String
    let write: @Sendable (RecordValues) -> DatabaseValue
    /// False if the value has a wrong type.
    let read: @Sendable (inout RecordValues, DatabaseValue) -> Bool

    init(
        _ name: String, _ type: String, write: @escaping @Sendable (RecordValues) -> DatabaseValue,
        read: @escaping @Sendable (inout RecordValues, DatabaseValue) -> Bool
    ) {
        (self.name, self.type, self.write, self.read) = (name, type, write, read)
    }

    typealias Place<Value> = any WritableKeyPath<RecordValues, Value> & Sendable

    static func integer(_ name: String, _ type: String, _ place: Place<Int64>) -> RecordColumn {
        RecordColumn(
            name, type, write: { $0[keyPath: place].databaseValue },
            read: { row, value in
                guard case .int64(let number) = value.storage else { return false }
                row[keyPath: place] = number
                return true
            })
    }

    static func optional(_ name: String, _ place: Place<Int?>) -> RecordColumn {
        RecordColumn(
            name, "INTEGER", write: { $0[keyPath: place].databaseValue },
            read: { row, value in
                switch value.storage {
                case .null: row[keyPath: place] = nil
                case .int64(let number): row[keyPath: place] = Int(number)
                case .double, .string, .blob: return false
                }
                return true
            })
    }

    static func text(_ name: String, _ place: Place<String?>) -> RecordColumn {
        RecordColumn(
            name, "TEXT", write: { $0[keyPath: place].databaseValue },
            read: { row, value in
                switch value.storage {
                case .null: row[keyPath: place] = nil
                case .string(let text): row[keyPath: place] = text
                case .double, .int64, .blob: return false
                }
                return true
            })
    }

    /// `scale` is the number of the column's units in one base unit.
    static func number(_ name: String, _ scale: Double, _ place: Place<Double?>) -> RecordColumn {
        RecordColumn(
            name, "", write: { row in row[keyPath: place].map { scaled($0, scale) } ?? .null },
            read: { row, value in
                switch value.storage {
                case .null: row[keyPath: place] = nil
                case .int64(let number): row[keyPath: place] = Double(number) / scale
                case .double(let number): row[keyPath: place] = number
                case .string, .blob: return false
                }
                return true
            })
    }

    /// Nil if the value is not a number.
    static func double(_ value: DatabaseValue) -> Double? {
        switch value.storage {
        case .double(let number): number
        case .int64(let number): Double(number)
        case .null, .string, .blob: nil
        }
    }

    /// Returns the whole number of units from which `read` makes exactly this value, or else the value itself.
    private static func scaled(_ value: Double, _ scale: Double) -> DatabaseValue {
        guard let number = Int64(exactly: (value * scale).rounded()),
            (Double(number) / scale).bitPattern == value.bitPattern
        else { return value.databaseValue }
        return number.databaseValue
    }
}

/// UUIDs of version 7 (RFC 9562), which begin with the time and end with random bits, so they sort by time.
enum RecordIdentity {
    /// A text that is not a UUID remains a text.
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

    /// Nil if the value does not have 16 bytes.
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

    /// Returns the text of a UUID (RFC 9562, section 4).
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
