import GRDB
package import Quantities
import Tracking

/// The size, the age and the losses of the queue, for the owner.
package struct QueueFigures: Sendable, Hashable {
    /// The number of bytes of the database that are in use.
    package let bytes: Int
    /// The time of the oldest record; nil if there is none.
    package let oldest: Timestamp?
    /// The numbers of records that trackerd has removed since it created the database, because of the limits or because
    /// the queue in memory was full.
    package let removed: Retention.Loss
}

extension SetAsideTable {
    /// Returns the size of the database, the time of the oldest record, and the numbers of removed records.
    package func figures() throws(StoreError) -> QueueFigures {
        try reading { database in
            let oldest = try Int64.fetchOne(database, sql: "SELECT time_ms FROM record ORDER BY sequence LIMIT 1")
            return QueueFigures(
                bytes: try DatabaseSize.used(database), oldest: oldest.map(Timestamp.init(milliseconds:)),
                removed: try RemovedRecords.total(database))
        }
    }

    /// Returns the number of records of each kind that a target has not received; counts at most `limit` records.
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

    /// Returns the time of the oldest record that a target has not received; nil if the target has received all records.
    package func oldestWaiting(for target: String) throws(StoreError) -> Timestamp? {
        try reading { database in
            try Int64.fetchOne(
                database.cachedStatement(
                    sql: "SELECT time_ms FROM record WHERE \(DeliveryTable.isUndelivered) ORDER BY sequence LIMIT 1"),
                arguments: ["target": target])
        }.map(Timestamp.init(milliseconds:))
    }
}
