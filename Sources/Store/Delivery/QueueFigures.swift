import GRDB
package import Quantities
import Tracking

package struct QueueFigures: Sendable, Hashable {
    /// Used bytes, without free pages.
    package let bytes: Int
    package let oldest: Timestamp?
    /// Since trackerd created the database; because of the limits, or because the queue in memory was full.
    package let removed: Retention.Loss
}

extension SetAsideTable {
    package func figures() throws(StoreError) -> QueueFigures {
        try reading { database in
            let oldest = try Int64.fetchOne(database, sql: "SELECT time_ms FROM record ORDER BY sequence LIMIT 1")
            return QueueFigures(
                bytes: try DatabaseSize.used(database), oldest: oldest.map(Timestamp.init(milliseconds:)),
                removed: try RemovedRecords.total(database))
        }
    }

    /// Counts at most `limit` records.
    package func waitingKinds(for target: String, limit: Int) throws(StoreError) -> [String: Int] {
        try reading { database in
            let rows = try Row.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT kind, COUNT(*) AS count FROM (
                            SELECT kind FROM record WHERE \(DeliveryTable.isUndelivered) ORDER BY sequence LIMIT :limit
                        ) GROUP BY kind
                        """), arguments: ["target": target, "limit": limit])
            return Dictionary(
                uniqueKeysWithValues: rows.map { row in
                    (RecordKinds.kind(row["kind"])?.rawValue ?? "unknown", row["count"] as Int)
                })
        }
    }

    /// Nil if the target has received all records.
    package func oldestWaiting(for target: String) throws(StoreError) -> Timestamp? {
        try reading { database in
            try Int64.fetchOne(
                database.cachedStatement(
                    sql: "SELECT time_ms FROM record WHERE \(DeliveryTable.isUndelivered) ORDER BY sequence LIMIT 1"),
                arguments: ["target": target])
        }.map(Timestamp.init(milliseconds:))
    }
}
