import Delivery
import GRDB
package import Tracking

/// The upload thread's end of the queue, with a connection of its own. All records up to a target's cursor count as
/// delivered; `ahead` lists those delivered beyond it, because trackerd sends the newest record first after an outage.
/// A record that was set aside counts as delivered, and is due once the owner has it sent again.
package final class DeliveryTable: DeliveryQueue {
    private let path: String
    private let alarm: QueueAlarm
    private var connection: FollowingConnection
    private var unreadable: [Int64] = []

    /// Opens the file on first use; the alarm rings if the file is damaged.
    package init(path: String, alarm: QueueAlarm) {
        self.path = path
        self.alarm = alarm
        connection = FollowingConnection(path: path, alarm: alarm)
    }

    package convenience init(path: String) throws(StoreError) {
        self.init(path: path, alarm: QueueAlarm())
        _ = try connected()
    }

    /// Moves all commits from the log into the file; call this at the end of the thread.
    package func close() { connection.close(emptyingLog: true) }

    package func newest(awaiting target: String, before sequence: Int64) throws(StoreError) -> StoredRecord? {
        try newest(awaiting: target, before: sequence, unless: PassedRecords())
    }

    func newest(
        awaiting target: String, before sequence: Int64, unless passed: PassedRecords
    ) throws(StoreError) -> StoredRecord? {
        try fetch(Self.newest, target, limit: 1, before: sequence, passed: passed).first
    }

    package func oldest(awaiting target: String, limit: Int, excluding: [Int64]) throws(StoreError) -> [StoredRecord] {
        try oldest(awaiting: target, limit: limit, excluding: excluding, unless: PassedRecords())
    }

    func oldest(
        awaiting target: String, limit: Int, excluding: [Int64], unless passed: PassedRecords
    ) throws(StoreError) -> [StoredRecord] {
        let excluded = Set(excluding)
        let most = limit + excluded.count
        let due = try fetch(Self.due, target, limit: most, excluding: excluded, passed: passed)
        let undelivered = try fetch(Self.oldest, target, limit: most, excluding: excluded, passed: passed)
        let found = due.isEmpty ? undelivered : (due + undelivered).sorted { $0.sequence < $1.sequence }
        return Array(found.prefix(limit))
    }

    package func takeUnreadable() -> [Int64] {
        defer { unreadable = [] }
        return unreadable
    }

    package func traffic(of target: String, in month: String) throws(StoreError) -> Int64 {
        try reading { database in
            try Int64.fetchOne(
                database, sql: "SELECT bytes FROM traffic WHERE target = ? AND month = ?", arguments: [target, month])
        } ?? 0
    }

    package func addTraffic(_ bytes: Int64, of target: String, in month: String) throws(StoreError) {
        try writing { database in
            try database.execute(
                sql: """
                    INSERT INTO traffic (target, month, bytes) VALUES (:target, :month, :bytes)
                    ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes
                    """, arguments: ["target": target, "month": month, "bytes": bytes])
        }
    }

    /// The order is on stable storage when this returns; no other change of this thread needs that.
    package func accept(_ order: StoredOrder) throws(StoreError) -> OrderAcceptance {
        var acceptance = OrderAcceptance.full
        try setDurability(.synced)
        defer { try? setDurability(.unsynced) }
        try writing { database in acceptance = try Inbox.add(order, to: database) }
        return acceptance
    }

    package func markDelivered(_ sequences: [Int64], to target: String) throws(StoreError) {
        try writing { database in
            try Self.finish(sequences, for: target, in: database)
            // This query is fast, because the list of refused records is short and usually empty.
            let due = try Int64.fetchSet(
                database.cachedStatement(sql: "SELECT sequence FROM refused WHERE target = ? AND is_due = 1"),
                arguments: [target])
            for sequence in sequences where due.contains(sequence) {
                try database.execute(
                    sql: "DELETE FROM refused WHERE target = ? AND sequence = ?", arguments: [target, sequence])
            }
        }
    }

    package func setAside(_ sequence: Int64, for target: String, reason: String) throws(StoreError) {
        try writing { database in
            try database.execute(
                sql: "INSERT OR REPLACE INTO refused (target, sequence, reason, is_due) VALUES (?, ?, ?, 0)",
                arguments: [target, sequence, reason])
            try Self.finish([sequence], for: target, in: database)
        }
    }

    /// Sets records that are due aside again; held records, and stops if `keepingStops`, do not change.
    package func passOver(through sequence: Int64, keepingStops: Bool, for target: String) throws(StoreError) -> Int {
        let isPassed = "record.sequence <= :through AND (is_stop = 0 OR NOT :keepingStops)"
        let next = """
            SELECT sequence FROM record
            WHERE sequence > :after AND \(isPassed) AND \(Self.isUndelivered) AND is_held <> 1 ORDER BY sequence LIMIT :limit
            """
        let arguments: StatementArguments = ["target": target, "through": sequence, "keepingStops": keepingStops]
        var (count, after) = (0, Int64.min)
        var passed: [Int64] = []
        repeat {
            // The transactions are short, because the loop would have to wait for a long one.
            try writing { database in
                passed = try Int64.fetchAll(
                    database.cachedStatement(sql: next),
                    arguments: arguments + ["after": after, "limit": Self.passedAtOnce])
                try Self.finish(passed, for: target, in: database)
            }
            count += passed.count
            after = passed.last ?? after
        } while passed.count == Self.passedAtOnce
        try writing { database in
            try database.execute(
                sql: """
                    UPDATE refused SET is_due = 0 WHERE target = :target AND is_due = 1
                    AND EXISTS (SELECT 1 FROM record WHERE record.sequence = refused.sequence AND \(isPassed))
                    """, arguments: arguments)
            count += database.changesCount
        }
        return count
    }

    /// The records that `passOver` would mark, except those passed over already.
    func passable(
        through sequence: Int64, keepingStops: Bool, for target: String, unless passed: PassedRecords
    ) throws(StoreError) -> [Int64] {
        try reading { database in
            try Int64.fetchAll(
                database,
                sql: """
                    SELECT sequence FROM record WHERE sequence <= :through AND (is_stop = 0 OR NOT :keepingStops)
                    AND is_held <> 1 AND (\(Self.isUndelivered) OR \(Self.isDue)) AND \(PassedRecords.isNotPassed)
                    """,
                arguments: ["target": target, "through": sequence, "keepingStops": keepingStops] + passed.arguments)
        }
    }

    /// Gives up the oldest undelivered records, at most `limit` and no held ones; returns their number.
    static func giveUp(_ limit: Int, for target: String, in database: GRDB.Database) throws -> Int {
        let oldest = try Int64.fetchAll(
            database,
            sql: "SELECT sequence FROM record WHERE \(isUndelivered) AND is_held <> 1 ORDER BY sequence LIMIT :limit",
            arguments: ["target": target, "limit": limit])
        try finish(oldest, for: target, in: database)
        return oldest.count
    }

    /// The number of records in one transaction, which takes a few milliseconds.
    private static let passedAtOnce = 500

    /// A withheld record (`Record.isWithheld`) awaits no target.
    static let isUndelivered = """
        is_withheld = 0
        AND sequence > COALESCE((SELECT cursor FROM delivery WHERE target = :target), 0)
        AND NOT EXISTS (SELECT 1 FROM ahead WHERE target = :target AND ahead.sequence = record.sequence)
        """

    static func count(
        _ condition: String, of target: String, limit: Int, in database: GRDB.Database
    ) throws -> Int {
        try Int.fetchOne(
            database.cachedStatement(
                sql: "SELECT COUNT(*) FROM (SELECT 1 FROM record WHERE \(condition) LIMIT :limit)"),
            arguments: ["target": target, "limit": limit]) ?? 0
    }

    static let isDue = "sequence IN (SELECT sequence FROM refused WHERE target = :target AND is_due = 1)"

    private static let columns = "SELECT \(RecordTable.list) FROM record"
    private static let oldest =
        "\(columns) WHERE \(isUndelivered) AND \(isNotPassed) AND is_held <> 1 ORDER BY sequence LIMIT :limit"
    private static let due = "\(columns) WHERE \(isDue) AND \(isNotPassed) ORDER BY sequence LIMIT :limit"
    private static let isNotPassed = PassedRecords.isNotPassed
    private static let newest = """
        \(columns) WHERE \(isUndelivered) AND \(isNotPassed) AND is_held <> 1
        AND sequence = (
            SELECT MAX(sequence) FROM record WHERE is_place = 1 AND is_withheld = 0 AND sequence < :before
        ) LIMIT :limit
        """

    /// Advances the cursor to the last record before the first undelivered record.
    private static func finish(_ sequences: [Int64], for target: String, in database: GRDB.Database) throws {
        // The first row that remains undelivered, if there is one, is among the first `delivered.count + 1` undelivered
        // rows.
        let delivered = Set(sequences)
        let firstMissing = try Int64.fetchCursor(
            database.cachedStatement(
                sql: "SELECT sequence FROM record WHERE \(isUndelivered) ORDER BY sequence LIMIT :limit"),
            arguments: ["target": target, "limit": delivered.count + 1]
        ).first { !delivered.contains($0) }
        let last = try Int64.fetchOne(database.cachedStatement(sql: "SELECT MAX(sequence) FROM record")) ?? 0
        // A salvage may still copy undelivered records with numbers above `through` from a damaged file into this file.
        let salvaged =
            try Int64.fetchOne(database.cachedStatement(sql: "SELECT MIN(through) FROM salvage")) ?? .max
        let before = try Int64.fetchOne(
            database.cachedStatement(sql: "SELECT cursor FROM delivery WHERE target = ?"), arguments: [target])
        let cursor = max(before ?? 0, min(firstMissing.map { $0 - 1 } ?? last, salvaged))
        // trackerd delivers most records in order, which changes only the page with the cursor. A delivered record that
        // this file lacks was removed, or came from a file that this one has replaced; `ahead` must not contain its
        // number, which another record may get. During a salvage `ahead` does contain it, because the salvage may still
        // copy the record.
        let insert = try database.cachedStatement(
            sql: """
                INSERT OR IGNORE INTO ahead (target, sequence) SELECT :target, :sequence
                WHERE EXISTS (SELECT 1 FROM record WHERE sequence = :sequence) OR EXISTS (SELECT 1 FROM salvage)
                """)
        for sequence in sequences where sequence > cursor {
            try insert.execute(arguments: ["target": target, "sequence": sequence])
        }
        try database.cachedStatement(sql: "INSERT OR REPLACE INTO delivery (target, cursor) VALUES (?, ?)")
            .execute(arguments: [target, cursor])
        try database.cachedStatement(sql: "DELETE FROM ahead WHERE target = ? AND sequence <= ?")
            .execute(arguments: [target, cursor])
    }

    private func fetch(
        _ query: String, _ target: String, limit: Int, before: Int64? = nil, excluding excluded: Set<Int64> = [],
        passed: PassedRecords
    ) throws(StoreError) -> [StoredRecord] {
        while true {
            var arguments: StatementArguments = ["target": target, "limit": limit]
            arguments += passed.arguments
            if let before { arguments += ["before": before] }
            var found = try reading { try Self.candidates(query, arguments, excluding: excluded, in: $0) }
            if found.contains(where: \.isChangeable) {
                try writing { found = try Self.offer(query, arguments, excluding: excluded, in: $0) }
            }
            let records = found.map(\.record)
            for (candidate, record) in zip(found, records) where record == nil {
                try setAside(candidate.sequence, for: target, reason: Self.unreadableReason)
                unreadable.append(candidate.sequence)
            }
            let readable = records.compactMap { $0 }
            if !readable.isEmpty || found.isEmpty { return readable }
        }
    }

    /// Skips excluded rows before it decodes them, because about half of the rows belong to batches in flight.
    private static func candidates(
        _ query: String, _ arguments: StatementArguments, excluding excluded: Set<Int64>, in database: GRDB.Database
    ) throws -> [Candidate] {
        let rows = try Row.fetchCursor(database.cachedStatement(sql: query), arguments: arguments)
        var found: [Candidate] = []
        while let row = try rows.next() {
            if !excluded.contains(Candidate.sequence(of: row)) { found.append(Candidate(row)) }
        }
        return found
    }

    /// Marks the candidates as final, because a row must not change once a target may have received it. Reads and marks
    /// in one transaction, because otherwise the queue could correct rows in between. The mark need not survive a power
    /// cut, because the queue corrects only rows of the present boot.
    private static func offer(
        _ query: String, _ arguments: StatementArguments, excluding excluded: Set<Int64>, in database: GRDB.Database
    ) throws -> [Candidate] {
        let found = try candidates(query, arguments, excluding: excluded, in: database)
        let mark = try database.cachedStatement(
            sql: "UPDATE record SET flags = \(RecordFlags.held.sql(settingTo: HeldRecords.offered)) WHERE sequence = ?")
        for candidate in found where candidate.isChangeable { try mark.execute(arguments: [candidate.sequence]) }
        return found
    }

    static let unreadableReason = "this version of trackerd cannot read it"

    /// `body` must consist of one SELECT, because several would not see the same commit. `unsafeRead` avoids the
    /// `PRAGMA query_only` that GRDB's `read` sets and resets: after it SQLite compiles all cached statements again,
    /// which took an eighth of the time of an upload.
    private func reading<Value>(_ body: (GRDB.Database) throws -> Value) throws(StoreError) -> Value {
        let database = try connected()
        do { return try database.unsafeRead(body) } catch { throw failure(error, doing: .read) }
    }

    private func writing(_ body: (GRDB.Database) throws -> Void) throws(StoreError) {
        let database = try connected()
        do { try alarm.turn.writePatiently(database, body) } catch { throw failure(error, doing: .write) }
    }

    private func setDurability(_ durability: Database.Durability) throws(StoreError) {
        let database = try connected()
        do {
            try database.writeWithoutTransaction {
                try $0.execute(sql: "PRAGMA synchronous = \(durability.rawValue)")
            }
        } catch {
            throw failure(error, doing: .write)
        }
    }

    private func connected() throws(StoreError) -> DatabaseQueue {
        do { return try connection.database() } catch { throw failure(error, doing: .open) }
    }

    private func failure(_ error: any Error, doing operation: StoreError.Operation) -> StoreError {
        let error = error as? StoreError ?? StoreError(error, path: path, doing: operation)
        if alarm.showsDamage(error), let file = connection.file ?? FileNumber(of: path) { alarm.reportDamage(in: file) }
        return error
    }
}

private struct Candidate {
    let sequence: Int64
    /// Nil if a value has a wrong type.
    private let values: RecordValues?

    init(_ row: Row) { (sequence, values) = (Self.sequence(of: row), RecordTable.values(row)) }

    /// Whether the queue may still correct the dates of the row.
    var isChangeable: Bool {
        guard let flags = values?.flags else { return false }
        return flags[RecordFlags.doubt] != Int64(DateDoubt.none.rawValue)
            && flags[RecordFlags.held] != Int64(HeldRecords.offered)
    }

    var record: StoredRecord? { values?.stored }

    static func sequence(of row: Row) -> Int64 { row[0] }
}

/// The calls of `DeliveryQueue.passOver` for one target that the table does not contain yet.
struct PassedRecords: Hashable {
    /// The target needs no record up to this number.
    private(set) var last = Int64.min
    /// The target needs only stops up to this number.
    private(set) var lastExceptStops = Int64.min

    mutating func add(through sequence: Int64, keepingStops: Bool) {
        if keepingStops {
            lastExceptStops = max(lastExceptStops, sequence)
        } else {
            last = max(last, sequence)
        }
    }

    static let isNotPassed = "sequence > :passed AND (sequence > :passedExceptStops OR is_stop = 1)"

    var arguments: StatementArguments { ["passed": last, "passedExceptStops": lastExceptStops] }
}
