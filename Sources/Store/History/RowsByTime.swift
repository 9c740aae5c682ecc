import GRDB
import Quantities

/// Finds the rows of a span by bisection, because an index by time would be written at each commit. The times of
/// writing increase with the rows' numbers, except doubtful ones, which the bisection ignores.
struct RowsByTime {
    static let records = RowsByTime(
        table: "record", key: "sequence", time: "created_ms", certain: "is_doubtful <> 1")
    static let decisions = RowsByTime(
        table: "decision", key: "id", time: "time_ms", certain: "is_trusted = 1")

    /// The longest time from an event to its record; a stop, for example, is recorded some minutes after it began.
    private static let delay = Duration.seconds(3600)

    private let table: String
    private let key: String
    private let time: String
    private let certain: String

    /// The keys of all rows of the span, and perhaps of others.
    func range(of span: ClosedRange<Timestamp>, in database: GRDB.Database) throws -> Range<Int64> {
        let first = try firstRow(from: span.lowerBound, in: database)
        let end = try firstRow(from: span.upperBound + Self.delay, in: database)
        return first..<max(first, end)
    }

    /// Returns the key after the last row if no row is so late.
    private func firstRow(from moment: Timestamp, in database: GRDB.Database) throws -> Int64 {
        let probe = try database.cachedStatement(
            sql:
                "SELECT \(key) AS key, \(time) AS time FROM \(table) WHERE \(key) >= ? AND \(certain) ORDER BY \(key) LIMIT 1"
        )
        var low = try Int64.fetchOne(database, sql: "SELECT MIN(\(key)) FROM \(table)") ?? 0
        var high = (try Int64.fetchOne(database, sql: "SELECT MAX(\(key)) FROM \(table)") ?? -1) + 1
        while low < high {
            let middle = low + (high - low) / 2
            guard let row = try Row.fetchOne(probe, arguments: [middle]), (row["key"] as Int64) < high else {
                high = middle
                continue
            }
            if (row["time"] as Int64) < moment.milliseconds { low = row["key"] + 1 } else { high = middle }
        }
        return low
    }
}
