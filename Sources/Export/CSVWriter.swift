import Quantities
import Tracking

/// A table as in RFC 4180, but lines end with a line feed; docs/export.md describes the columns.
struct CSVWriter: ExportWriter {
    private(set) var count = 0

    mutating func add(_ stored: StoredRecord, to text: inout String) {
        if count == 0 { text += Self.columns.map(\.name).joined(separator: ",") + "\n" }
        count += 1
        text += Self.columns.map { PlainText.csv($0.value(stored) ?? "") }.joined(separator: ",") + "\n"
    }

    func end(_ text: inout String) {}

    private struct Column: Sendable {
        let name: String
        let value: @Sendable (StoredRecord) -> String?

        init(_ name: String, _ value: @escaping @Sendable (StoredRecord) -> String?) {
            self.name = name
            self.value = value
        }

        init(_ name: String, decimals: Int, _ number: @escaping @Sendable (Position) -> Double?) {
            self.init(name) { stored in
                stored.record.position.flatMap(number).flatMap { PlainText.number($0, decimals: decimals) }
            }
        }
    }

    /// An unknown value is an empty field.
    private static let columns = [
        Column("time") { $0.record.time.description },
        Column("time_trusted") { "\($0.record.isTimeTrusted)" },
        Column("sequence") { "\($0.sequence)" },
        Column("uuid", \.uuid),
        Column("kind") { $0.record.kind.rawValue },
        Column("trip") { $0.record.trip.map(String.init) },
        Column("moving") { "\($0.record.isMoving)" },
        Column("lat", decimals: 7) { $0.coordinate.latitude },
        Column("lon", decimals: 7) { $0.coordinate.longitude },
        Column("accuracy_m", decimals: 2) { $0.accuracy?.value },
        Column("altitude_msl_m", decimals: 2) { $0.altitude?.value },
        Column("speed_mps", decimals: 2) { $0.speed?.value },
        Column("course_deg", decimals: 2) { $0.course?.value },
        Column("satellites") { $0.record.position?.satellites.map(String.init) },
        Column("odometer_m") { PlainText.number($0.record.odometer.value, decimals: 2) },
        Column("ignition") { $0.record.ignition.map { "\($0)" } },
        Column("supply_V") { $0.record.supply.flatMap { PlainText.number($0.value, decimals: 2) } },
        Column("tag", \.record.tag),
        Column("vehicle", \.record.vehicle),
        Column("driver", \.record.driver),
    ]
}
