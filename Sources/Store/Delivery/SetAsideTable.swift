import GRDB
package import Quantities
import Tracking

/// Lists the records that were set aside for targets, and marks records that trackerd must send again.
///
/// This table has its own connection, besides the connections of the queue and of the upload thread.
package final class SetAsideTable {
    package struct Entry: Sendable, Hashable {
        package let sequence: Int64
        /// Nil if the record is no longer on the device.
        package let time: Timestamp?
        /// Nil if the record is no longer on the device.
        package let kind: String?
        /// It may quote the server.
        package let reason: String
    }

    package let path: String
    private let database: DatabaseQueue
    let turn: WriteTurn

    /// Opens the file for reading and writing.
    ///
    /// Waits for the other threads of the program, which share the alarm, but only briefly for another program that has
    /// locked the file.
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

    /// Except those that trackerd will send again.
    package func count(for target: String) throws(StoreError) -> Int {
        try reading { database in
            try Int.fetchOne(
                database.cachedStatement(sql: "SELECT COUNT(*) FROM refused WHERE target = ? AND is_due = 0"),
                arguments: [target]) ?? 0
        }
    }

    /// The oldest first, except those that trackerd will send again.
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

    /// The number of records that trackerd must send to the target again.
    package func dueCount(for target: String) throws(StoreError) -> Int {
        try count(DeliveryTable.isDue, target, limit: .max)
    }

    package func hasReceived(_ target: String) throws(StoreError) -> Bool {
        try reading { database in
            try Bool.fetchOne(
                database.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM delivery WHERE target = ?)"),
                arguments: [target]) ?? false
        }
    }

    /// Counts at most `limit` records.
    package func waitingCount(for target: String, limit: Int) throws(StoreError) -> Int {
        try count(DeliveryTable.isUndelivered, target, limit: limit)
    }

    /// Marks records that were set aside for a target, and returns their number; trackerd will send these records again.
    ///
    /// If the list is empty, marks all records that were set aside for the target. Ignores records that are no longer on the
    /// device.
    package func sendAgain(_ sequences: [Int64], to target: String) throws(StoreError) -> Int {
        let isChosen =
            sequences.isEmpty ? "1" : "sequence IN (\(sequences.map(String.init).joined(separator: ",")))"
        return try writing { database in
            try database.execute(
                sql: """
                    UPDATE refused SET is_due = 1 WHERE target = ? AND is_due = 0 AND \(isChosen)
                    AND sequence IN (SELECT sequence FROM record)
                    """, arguments: [target])
            return database.changesCount
        }
    }

    /// Forgets records that were set aside for a target, and returns their number; trackerd will never send them to it.
    ///
    /// If the list is empty, forgets all records that were set aside for the target. The records remain on the device.
    package func giveUp(_ sequences: [Int64], for target: String) throws(StoreError) -> Int {
        let isChosen =
            sequences.isEmpty ? "1" : "sequence IN (\(sequences.map(String.init).joined(separator: ",")))"
        return try writing { database in
            try database.execute(
                sql: "DELETE FROM refused WHERE target = ? AND \(isChosen)", arguments: [target])
            return database.changesCount
        }
    }

    /// Marks the oldest records that wait for a target as delivered, and returns their number; the records remain on the device.
    ///
    /// A call marks at most 500 records, so that it takes only a few milliseconds. Does not change held records.
    package func giveUpWaiting(for target: String) throws(StoreError) -> Int {
        try writing { try DeliveryTable.giveUp(500, for: target, in: $0) }
    }

    private func count(_ condition: String, _ target: String, limit: Int) throws(StoreError) -> Int {
        try reading { database in
            try Int.fetchOne(
                database.cachedStatement(
                    sql: "SELECT COUNT(*) FROM (SELECT 1 FROM record WHERE \(condition) LIMIT :limit)"),
                arguments: ["target": target, "limit": limit]) ?? 0
        }
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

    func reading<Value>(_ body: (GRDB.Database) throws -> Value) throws(StoreError) -> Value {
        do { return try database.read(body) } catch { throw StoreError(error, path: path, doing: .read) }
    }
}
