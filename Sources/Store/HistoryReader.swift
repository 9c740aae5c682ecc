import GRDB
package import Quantities
import Tracking

/// Reads what was decided and recorded, while another program may be writing.
package final class HistoryReader {
    private let path: String
    private let database: DatabaseQueue
    private let text = RecordText()

    /// Opens the file, which must be there.
    package init(path: String) throws(StoreError) {
        self.path = path
        database = try Database.openToRead(path)
    }

    /// What is known of a span of time, its ends included.
    package func history(of span: ClosedRange<Timestamp>) throws(StoreError) -> History {
        do {
            return try database.read { database in
                History(
                    known: try known(database), standing: try standing(at: span.lowerBound, database),
                    entries: try entries(span, database), records: try records(span, database))
            }
        } catch {
            throw StoreError(error, path: path, doing: .read)
        }
    }

    /// Dates that nobody could trust, and that were never mended, tell nothing of the span.
    private func known(_ database: GRDB.Database) throws -> ClosedRange<Timestamp>? {
        let ends = [
            "SELECT MIN(time_ms) FROM decision WHERE is_trusted = 1",
            "SELECT MAX(time_ms) FROM decision WHERE is_trusted = 1",
            "SELECT MIN(time_ms) FROM record WHERE is_doubtful = 0",
            // Not when the last one happened, which may have been long before, but when it was written.
            "SELECT created_ms FROM record WHERE is_doubtful = 0 ORDER BY sequence DESC LIMIT 1",
        ]
        let moments = try ends.compactMap { try Int64.fetchOne(database, sql: $0) }
        guard let first = moments.min(), let last = moments.max() else { return nil }
        return Timestamp(milliseconds: first)...Timestamp(milliseconds: last)
    }

    private func standing(at time: Timestamp, _ database: GRDB.Database) throws -> History.Standing? {
        let row = try Row.fetchOne(
            database,
            sql: """
                SELECT time_ms, text FROM decision WHERE subject = ? AND time_ms <= ? ORDER BY time_ms DESC, id DESC LIMIT 1
                """, arguments: [DecisionLog.Subject.state, time.milliseconds])
        return row.map { row in
            History.Standing(
                isMoving: row["text"] == DecisionLog.name(isMoving: true),
                since: Timestamp(milliseconds: row["time_ms"]))
        }
    }

    private func entries(_ span: ClosedRange<Timestamp>, _ database: GRDB.Database) throws -> [History.Entry] {
        try Row.fetchAll(
            database, sql: "SELECT * FROM decision WHERE time_ms BETWEEN ? AND ? ORDER BY time_ms, id",
            arguments: [span.lowerBound.milliseconds, span.upperBound.milliseconds]
        ).map { row in
            History.Entry(
                time: Timestamp(milliseconds: row["time_ms"]), isTimeTrusted: row["is_trusted"],
                subject: row["subject"], text: row["text"], count: row["count"])
        }
    }

    private func records(_ span: ClosedRange<Timestamp>, _ database: GRDB.Database) throws -> [StoredRecord] {
        try Row.fetchAll(
            database,
            sql: """
                SELECT sequence, uuid, created_ms, body FROM record
                WHERE time_ms BETWEEN ? AND ? ORDER BY time_ms, sequence
                """, arguments: [span.lowerBound.milliseconds, span.upperBound.milliseconds]
        ).compactMap(text.stored)
    }
}
