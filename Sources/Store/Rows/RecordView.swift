import Tracking
import TrackingOptions

/// The view `records`, which shows the table `record` to people: degrees, metres, words and ISO times.
enum RecordView {
    static let statement = """
        CREATE VIEW records AS SELECT
            sequence,
            lower(\(uuid)) AS uuid,
            kind.word AS kind,
            \(time("time_ms")) AS time,
            \(time("created_ms")) AS created,
        \(flags.map { "    \($0.sql) AS \($0.name),\n" }.joined())\
        \(numbers.map { "    \($0.sql) AS \($0.name),\n" }.joined())\
            satellites, odometer_m, trip, tag, vehicle, driver, rest
        FROM record LEFT JOIN kind ON kind.number = record.kind
        """

    private typealias Column = (name: String, sql: String)

    private static let uuid = [(1, 8), (9, 4), (13, 4), (17, 4), (21, 12)]
        .map { start, count in "substr(hex(uuid), \(start), \(count))" }.joined(separator: " || '-' || ")

    private static func time(_ column: String) -> String {
        "strftime('%Y-%m-%dT%H:%M:%fZ', \(column) / 1000.0, 'unixepoch')"
    }

    private static let flags: [Column] = [
        ("is_moving", RecordFlags.isMoving.sql),
        ("is_time_trusted", RecordFlags.isTimeTrusted.sql),
        ("is_time_counted", words(RecordFlags.isTimeCounted, [1: "yes", 2: "no"])),
        ("is_withheld", "is_withheld"),
        ("ignition", words(RecordFlags.ignition, [1: "on", 2: "off"])),
        (
            "mode",
            words(
                RecordFlags.mode,
                Dictionary(uniqueKeysWithValues: MonitoringMode.allCases.map { (Int64($0.rawValue) + 2, $0.name) }))
        ),
        ("solution", words(RecordFlags.solution, RecordFlags.solutionWords)),
        ("trigger", words(RecordFlags.trigger, RecordFlags.triggerWords)),
    ]

    private static func words(_ field: RecordFlags.Field, _ words: [Int64: String]) -> String {
        let cases = words.sorted { $0.key < $1.key }.map { "WHEN \($0.key) THEN '\($0.value)'" }
        return "CASE \(field.sql) \(cases.joined(separator: " ")) END"
    }

    private static let numbers: [Column] = [
        ("latitude", number("lat_e7", "1e7")), ("longitude", number("lon_e7", "1e7")),
        ("accuracy_m", number("accuracy_mm", "1e3")), ("altitude_m", number("altitude_e4", "1e4")),
        ("ellipsoid_altitude_m", number("ellipsoid_altitude_e4", "1e4")),
        ("vertical_accuracy_m", number("vertical_accuracy_mm", "1e3")),
        ("speed_mps", number("speed_mmps", "1e3")), ("course_deg", number("course_e4", "1e4")),
        ("supply_V", number("supply_mV", "1e3")),
    ]

    private static func number(_ column: String, _ scale: String) -> String {
        "CASE typeof(\(column)) WHEN 'integer' THEN \(column) / \(scale) ELSE \(column) END"
    }
}
