internal import Quantities
import QuickJSON
package import Tracking

/// The records of `geojson` in less than 40 bytes each, for your own server behind a mobile network.
///
/// A payload is one JSON object. For each numeric property of the records, the object contains a list of differences.
/// docs/columns.schema.json describes the object, and docs/columns.py decodes it into the features of `geojson`. gzip needs
/// about half as many bytes for such lists as for features, because the names of the properties occur once, and only the
/// differences remain.
package struct Columns: UploadFormat {
    package let name = "columns"
    /// The transports that can carry the format.
    package let transports: [TransportKind] = [.http]
    /// The range for the target's `batchSize`.
    package let recordsPerPayload = 1...1000
    /// Gzip: the only purpose of the format is to save bytes, so every server of this format can decompress.
    package let usualCompression = UploadTarget.Compression.gzip

    /// The version of the format; it increases when a reader of the old form would misread the new form.
    static let version = 1

    package init() {}

    /// Encodes a batch; the rows are in the order of the records, and so are the records that are not rows.
    package func encode(
        _ records: [StoredRecord], isNewest: Bool, for target: UploadTarget, over kind: TransportKind
    ) -> EncodeResult {
        var writer = JSONWriter(capacity: 128 * records.count)
        do {
            try writer.write(ColumnBatch(records, device: target.device))
        } catch {
            return .impossible(reason: "a number in a record is not finite")
        }
        return .payload(WirePayload(body: writer.bytes, contentType: "application/json"))
    }

    /// Returns the verdict on an answer; the rule is that of `geojson`.
    package func verdict(on reply: Reply) -> Verdict { reply.verdict }
}

/// The content of one payload.
private struct ColumnBatch {
    /// A number of consecutive rows with the same steady properties.
    struct Run {
        var count: Int64
        /// The properties as JSON.
        let properties: [UInt8]
    }

    let device: String
    private(set) var runs: [Run] = []
    private(set) var uuid = ""
    /// For each column of `Column.all`, the difference of each row to the row before; nil if a row has no number.
    private(set) var lists = [[Int64?]](repeating: [], count: Column.all.count)
    /// The records that are no rows, with their places among the records.
    private(set) var whole: [(index: Int, stored: StoredRecord)] = []

    /// Splits records into rows; throws an error if a number is not finite.
    init(_ records: [StoredRecord], device: String) throws {
        self.device = device
        var sums = [Int64](repeating: 0, count: Column.all.count)
        for (index, stored) in records.enumerated() {
            guard let row = Row(stored) else {
                whole.append((index, stored))
                continue
            }
            uuid += row.uuid.rest
            var properties = JSONWriter(capacity: 128)
            try properties.write(FeatureProperty.steady, of: Feature(stored: stored, device: device))
            if runs.last?.properties == properties.bytes {
                runs[runs.count - 1].count += 1
            } else {
                runs.append(Run(count: 1, properties: properties.bytes))
            }
            for (column, number) in row.numbers.enumerated() {
                lists[column].append(number.map { $0 - sums[column] })
                if let number { sums[column] = number }
            }
        }
    }
}

extension JSONWriter {
    /// Writes a payload; throws an error if a number is not finite.
    fileprivate mutating func write(_ batch: ColumnBatch) throws {
        beginObject()
        write(key: Keys.columns)
        write(columns: batch.lists)
        write(key: Keys.device)
        write(batch.device)
        write(key: Keys.runs)
        beginList()
        for run in batch.runs { write(run) }
        endList()
        write(key: Keys.uuid)
        write(batch.uuid)
        write(key: Keys.version)
        write(Int64(Columns.version))
        if !batch.whole.isEmpty {
            write(key: Keys.whole)
            try write(whole: batch)
        }
        endObject()
    }

    private mutating func write(columns lists: [[Int64?]]) {
        beginObject()
        for group in ColumnGroup.all {
            let filled = group.columns.filter { column in lists[column.index].contains { $0 != nil } }
            guard !filled.isEmpty else { continue }
            write(key: group.divisor)
            beginObject()
            for column in filled {
                write(key: column.key)
                beginList()
                for number in lists[column.index] { if let number { write(number) } else { writeNull() } }
                endList()
            }
            endObject()
        }
        endObject()
    }

    private mutating func write(_ run: ColumnBatch.Run) {
        beginObject()
        write(key: Keys.count)
        write(run.count)
        write(key: Keys.properties)
        write(json: run.properties)
        endObject()
    }

    private mutating func write(whole batch: ColumnBatch) throws {
        beginList()
        for (index, stored) in batch.whole {
            beginObject()
            write(key: Keys.feature)
            try write(feature: stored, device: batch.device)
            write(key: Keys.index)
            write(Int64(index))
            endObject()
        }
        endList()
    }
}

/// The names of the payload's members.
private enum Keys {
    static let columns: JSONKey = "columns"
    static let count: JSONKey = "count"
    static let device: JSONKey = "device"
    static let feature: JSONKey = "feature"
    static let index: JSONKey = "index"
    static let properties: JSONKey = "properties"
    static let runs: JSONKey = "runs"
    static let uuid: JSONKey = "uuid"
    static let version: JSONKey = "version"
    static let whole: JSONKey = "whole"
}

/// A record as a row: at most one number in each column.
private struct Row {
    let uuid: UUIDParts
    /// The numbers of `Column.all`, each times the divisor of its column; nil if unknown.
    let numbers: [Int64?]

    /// Makes a row; nil if the record has no position, or has a number or a UUID that the columns cannot express exactly.
    init?(_ stored: StoredRecord) {
        guard let uuid = UUIDParts(stored.uuid), let position = stored.record.position else { return nil }
        let years = 0..<Column.yearTenThousand_ms
        guard years.contains(stored.record.time.milliseconds), years.contains(stored.created.milliseconds) else {
            return nil
        }
        self.uuid = uuid
        var numbers: [Int64?] = []
        numbers.reserveCapacity(Column.all.count)
        for column in Column.all {
            let value = column.value(stored, position, uuid).map { ($0 * column.scale).rounded() }
            guard value.map({ abs($0) < Column.limit }) ?? true else { return nil }
            numbers.append(value.map { Int64($0) })
        }
        self.numbers = numbers
    }
}

/// A UUID of version 7 as its time in milliseconds and the other digits; the version digit is omitted.
private struct UUIDParts {
    let time_ms: Int64
    /// The 19 digits after the version digit.
    let rest: String

    /// Splits a UUID in lower case; nil for a text of any other form.
    init?(_ uuid: String) {
        let parts = uuid.split(separator: "-", omittingEmptySubsequences: false)
        let isDigit = { (byte: UInt8) in (48...57).contains(byte) || (97...102).contains(byte) }
        guard parts.map(\.utf8.count) == [8, 4, 4, 4, 12], parts[2].first == "7",
            parts.allSatisfy({ $0.utf8.allSatisfy(isDigit) }), let time = Int64(parts[0] + parts[1], radix: 16)
        else { return nil }
        time_ms = time
        rest = String(parts[2].dropFirst() + parts[3] + parts[4])
    }
}

/// A number that every row may have.
private struct Column: Sendable {
    let name: String
    /// The power of ten by which a reader divides the sum of the differences.
    let divisor: String
    let scale: Double
    let value: @Sendable (StoredRecord, Position, UUIDParts) -> Double?

    init(
        _ name: String, decimals: Int,
        _ value: @escaping @Sendable (StoredRecord, Position, UUIDParts) -> Double?
    ) {
        divisor = "1" + String(repeating: "0", count: decimals)
        scale = Double(divisor) ?? 1
        (self.name, self.value) = (name, value)
    }

    /// 2 to the power of 52: a double represents the difference of two numbers below this limit exactly.
    static let limit = 4_503_599_627_370_496.0
    /// The year 10000, in which ISO 8601 needs a fifth digit.
    static let yearTenThousand_ms: Int64 = 253_402_300_800_000

    static let all: [Column] =
        [
            Column("sequence", decimals: 0) { stored, _, _ in Double(stored.sequence) },
            Column("time_ms", decimals: 0) { stored, _, _ in Double(stored.record.time.milliseconds) },
            Column("created_ms", decimals: 0) { stored, _, _ in
                Double(stored.created.milliseconds - stored.record.time.milliseconds)
            },
            // The UUID contains the time of creation, unless the clock was corrected afterwards.
            Column("uuid_ms", decimals: 0) { stored, _, uuid in
                uuid.time_ms == stored.created.milliseconds ? nil : Double(uuid.time_ms - stored.created.milliseconds)
            },
            Column("lon", decimals: 7) { _, position, _ in position.coordinate.longitude },
            Column("lat", decimals: 7) { _, position, _ in position.coordinate.latitude },
            Column("height_m", decimals: 2) { _, position, _ in position.ellipsoidAltitude?.value },
            Column("geoid_m", decimals: 2) { _, position, _ in position.geoidHeight },
            Column("satellites", decimals: 0) { _, position, _ in position.satellites.map { Double($0) } },
        ]
        + MeasuredProperty.all.map { property in
            Column(property.name, decimals: property.decimals) { stored, position, _ in
                // The column of the geoid states this height too, in fewer bytes.
                if property.name == "altitude_msl_m", position.geoidHeight != nil { return nil }
                return property.value(stored.record)
            }
        }
}

/// The columns with the same divisor.
private struct ColumnGroup {
    let divisor: JSONKey
    /// The names of the columns, in their order in the object, and their places in `Column.all`.
    let columns: [(key: JSONKey, index: Int)]

    /// All groups, in their order in the object.
    static let all = Dictionary(grouping: Column.all.indices) { Column.all[$0].divisor }
        .map { divisor, indices in
            let columns = indices.map { (key: JSONKey(Column.all[$0].name), index: $0) }
            return ColumnGroup(divisor: JSONKey(divisor), columns: columns.sorted { $0.key < $1.key })
        }
        .sorted { $0.divisor < $1.divisor }
}

extension Position {
    /// The height of the geoid above the ellipsoid, as the difference of the two rounded heights; nil if one of them is unknown.
    ///
    /// This height hardly changes during a drive.
    fileprivate var geoidHeight: Double? {
        guard let altitude, let ellipsoidAltitude else { return nil }
        return ellipsoidAltitude.value.rounded(decimals: 2) - altitude.value.rounded(decimals: 2)
    }
}
