import GRDB
package import Quantities
import Tracking

/// Lists, resends and gives up set-aside and waiting records, over its own connection.
package final class SetAsideTable {
    package struct Entry: Sendable, Hashable {
        package let sequence: Int64
        /// This and `kind` are nil if the record is no longer on the device.
        package let time: Timestamp?
        package let kind: String?
        /// May quote the server.
        package let reason: String
    }

    package let path: String
    private let database: DatabaseQueue
    let turn: WriteTurn

    /// Waits for the threads that share the alarm, but at most `Database.patience_ms` for another program.
    package init(path: String, alarm: QueueAlarm = QueueAlarm()) throws(StoreError) {
        self.path = path
        turn = alarm.turn
        database = try turn.openBriefly(path)
    }

    package init(reading path: String) throws(StoreError) {
        self.path = path
        turn = WriteTurn()
        database = try Database.openToRead(path)
    }

    /// Omits the records that trackerd will send again.
    package func count(for target: String) throws(StoreError) -> Int {
        try reading { database in
            try Int.fetchOne(
                database.cachedStatement(sql: "SELECT COUNT(*) FROM refused WHERE target = ? AND is_due = 0"),
                arguments: [target]) ?? 0
        }
    }

    /// Lists the oldest first, and omits the records that trackerd will send again.
    package func entries(for target: String, limit: Int) throws(StoreError) -> [Entry] {
        try reading { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT sequence, time_ms, kind, reason FROM refused LEFT JOIN record USING (sequence)
                    WHERE target = ? AND is_due = 0 ORDER BY sequence LIMIT ?
                    """, arguments: [target, limit]
            ).map { row in
                Entry(
                    sequence: row["sequence"], time: (row["time_ms"] as Int64?).map(Timestamp.init(milliseconds:)),
                    kind: (row["kind"] as Int64?).flatMap(RecordKinds.kind)?.rawValue, reason: row["reason"])
            }
        }
    }

    package func dueCount(for target: String) throws(StoreError) -> Int {
        try reading { try DeliveryTable.count(DeliveryTable.isDue, of: target, limit: .max, in: $0) }
    }

    package func hasReceived(_ target: String) throws(StoreError) -> Bool {
        try reading { database in
            try Bool.fetchOne(
                database.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM delivery WHERE target = ?)"),
                arguments: [target]) ?? false
        }
    }

    package func waitingCount(for target: String, limit: Int) throws(StoreError) -> Int {
        try reading { try DeliveryTable.count(DeliveryTable.isUndelivered, of: target, limit: limit, in: $0) }
    }

    package func figures() throws(StoreError) -> QueueFigures {
        try reading { database in
            let oldest = try Int64.fetchOne(database, sql: "SELECT time_ms FROM record ORDER BY sequence LIMIT 1")
            return QueueFigures(
                bytes: try DatabaseSize.used(database), oldest: oldest.map(Timestamp.init(milliseconds:)),
                removed: try RemovedRecords.loss(.total, database))
        }
    }

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

    /// Nil if no record waits.
    package func oldestWaiting(for target: String) throws(StoreError) -> Timestamp? {
        try reading { database in
            try Int64.fetchOne(
                database.cachedStatement(
                    sql: "SELECT time_ms FROM record WHERE \(DeliveryTable.isUndelivered) ORDER BY sequence LIMIT 1"),
                arguments: ["target": target])
        }.map(Timestamp.init(milliseconds:))
    }

    /// Makes trackerd send these set-aside records again, or all if the list is empty; returns the number of those
    /// still on the device.
    package func sendAgain(_ sequences: [Int64], to target: String) throws(StoreError) -> Int {
        try writing { database in
            try database.execute(
                sql: """
                    UPDATE refused SET is_due = 1 WHERE target = ? AND is_due = 0 AND \(Self.areChosen(sequences))
                    AND sequence IN (SELECT sequence FROM record)
                    """, arguments: [target])
            return database.changesCount
        }
    }

    /// Gives up these records, or all that were set aside if the list is empty; returns their number.
    package func giveUp(_ sequences: [Int64], for target: String) throws(StoreError) -> Int {
        try writing { database in
            try database.execute(
                sql: "DELETE FROM refused WHERE target = ? AND \(Self.areChosen(sequences))", arguments: [target])
            return database.changesCount
        }
    }

    private static func areChosen(_ sequences: [Int64]) -> String {
        sequences.isEmpty ? "1" : "sequence IN (\(sequences.map(String.init).joined(separator: ",")))"
    }

    /// Gives up at most the 500 oldest waiting records, which takes a few milliseconds; returns their number.
    package func giveUpWaiting(for target: String) throws(StoreError) -> Int {
        try writing { try DeliveryTable.giveUp(500, for: target, in: $0) }
    }

    package func close() { Database.close(database) }

    private func writing(_ body: (GRDB.Database) throws -> Int) throws(StoreError) -> Int {
        var count = 0
        do {
            try turn.write(database) { count = try body($0) }
        } catch {
            throw StoreError(error, path: path, doing: .write)
        }
        return count
    }

    private func reading<Value>(_ body: (GRDB.Database) throws -> Value) throws(StoreError) -> Value {
        try database.read(path, body)
    }
}

package struct QueueFigures: Sendable, Hashable {
    /// Used bytes, without free pages.
    package let bytes: Int
    package let oldest: Timestamp?
    /// The records removed since trackerd created the database, by the limits or because memory was full.
    package let removed: Retention.Loss
}
