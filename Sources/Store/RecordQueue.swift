import GRDB
package import Quantities
package import Tracking

/// The writing end of the queue: records, and with each the state of the engine that follows from it, in one transaction.
///
/// Plain locations are committed in groups, which bounds what a power cut can take and spares the card; events are on
/// stable storage when `settle` returns, and take the group with them. Belongs to one thread.
package final class RecordQueue {
    /// How plain locations are grouped.
    package struct Grouping: Sendable, Hashable {
        /// The oldest record of a group waits at most this long; zero makes every record durable by itself.
        package var interval: Duration
        /// A group has at most so many records.
        package var records: Int

        /// Makes a rule for groups.
        package init(interval: Duration = .seconds(5), records: Int = 10) {
            self.interval = interval
            self.records = records
        }
    }

    /// The last sequence number on disk.
    package var committedSequence: Int64 { (waiting.first?.stored.sequence ?? nextSequence) - 1 }

    /// Records that were given up because neither disk nor memory had room for them.
    package private(set) var droppedCount = 0
    /// Records that are not on disk yet.
    package var waitingCount: Int { waiting.count }

    /// So many records wait in memory at most while nothing can be written: some 4 MB, and hours of driving.
    package static let mostWaiting = 10_000

    /// By when `flush` must be called; nothing while nothing waits.
    package var flushDeadline: Instant? {
        if let retryAt { return retryAt }
        if decisions.isFull || holdsOfBefore { return .boot }
        return [groupEnd, hasHeld ? RecordRow.holdEnd : nil].compactMap { $0 }.min()
    }

    /// What was decided, waiting for the next commit.
    package var decisions = DecisionLog()

    /// How much stays on the device; looked after at most hourly, with a commit of records.
    package var retention = Retention()
    /// What went since `takeLoss` was called last.
    private var loss: Retention.Loss?
    private var retentionDue = Instant.boot

    private let path: String
    private let database: DatabaseQueue
    private let grouping: Grouping
    private let text = RecordText()
    private var generator = SystemRandomNumberGenerator()
    private var waiting: [RecordRow] = []
    /// Mends that are not on disk yet, in order.
    private var mends: [Mend] = []
    private var groupEnd: Instant?
    private var retryAt: Instant?
    private var state: EngineState?
    /// Whether rows on disk are kept from the targets until their time is known.
    private var hasHeld = false
    /// Whether some of these may be of an earlier boot, and wait for nothing.
    private var holdsOfBefore = false
    private var isUrgent = false
    private var nextSequence: Int64

    /// Opens the file, and makes it when it is not there.
    package init(path: String, grouping: Grouping = Grouping()) throws(StoreError) {
        self.path = path
        self.grouping = grouping
        database = try Database.open(path, .synced)
        (nextSequence, hasHeld) = try Self.reading(database, path) { database in
            try Self.check(database)
            // AUTOINCREMENT remembers numbers whose records are gone, so that none is used again.
            let last = try Int64.fetchOne(database, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'record'")
            return ((last ?? 0) + 1, try Self.hasHeld(database))
        }
        holdsOfBefore = hasHeld
    }

    /// The state that was written last, as far as this version can read it; nothing in a new file.
    package func restoredState() throws(StoreError) -> EngineState.Restored? {
        let text = try Self.reading(database, path) { database in
            try String.fetchOne(database, sql: "SELECT state FROM engine WHERE id = 1")
        }
        return text.map { self.text.read(EngineState.Restored.self, $0) ?? .nothing }
    }

    /// Takes a record in, with the state that follows from it; returns it with its identity, to wait for `settle`.
    package func append(_ record: Tracking.Record, state: EngineState, at reading: ClockReading) -> StoredRecord {
        let uuid = RecordIdentity.uuid(at: reading.time, using: &generator)
        let stored = StoredRecord(sequence: nextSequence, uuid: uuid, created: reading.time, record: record)
        nextSequence += 1
        makeRoom()
        waiting.append(RecordRow(stored, at: reading))
        self.state = state
        groupEnd = groupEnd ?? reading.now + grouping.interval
        isUrgent = isUrgent || record.kind.isEvent || waiting.count >= grouping.records || grouping.interval <= .zero
        return stored
    }

    /// Puts right what was written since boot by a clock that was not set, now that `reading` knows the time.
    ///
    /// It is on disk with the next commit. Tells whether there was anything to put right.
    package func mend(before: Instant, at reading: ClockReading) -> Bool {
        let bootDate = reading.time - (reading.now - .boot)
        let mend = Mend(boot: reading.boot, before: before, bootDate: bootDate)
        // When that cannot be read, the commit will tell.
        let isOnDisk = (try? database.read(mend.isNeeded)) ?? true
        guard isOnDisk || decisions.isDoubtful || waiting.contains(where: \.isDoubtful) else { return false }
        for index in waiting.indices { waiting[index].mend(mend) }
        decisions.mend(mend)
        mends.append(mend)
        groupEnd = groupEnd ?? reading.now + grouping.interval
        return true
    }

    /// While nothing can be written, memory is the queue; when that is full, plain locations go first, the oldest before others.
    private func makeRoom() {
        guard waiting.count >= Self.mostWaiting else { return }
        waiting.remove(at: waiting.firstIndex { !$0.stored.record.kind.isEvent } ?? 0)
        droppedCount += 1
    }

    /// Ends the records of one event, which go into one transaction: commits when one of them must be on disk by now.
    ///
    /// When that fails the records go on waiting, and `flush` tries again. Tells whether targets have something to fetch.
    package func settle(at reading: ClockReading) throws(StoreError) -> Bool {
        isUrgent && retryAt.map { reading.now >= $0 } ?? true ? try flush(at: reading) : false
    }

    /// Keeps the state for the next commit, though no record came of it.
    package func note(_ state: EngineState) { self.state = state }

    /// Commits what waits; tells whether targets have something to fetch.
    package func flush(at reading: ClockReading) throws(StoreError) -> Bool {
        let isHoldOver = holdsOfBefore || hasHeld && reading.now >= RecordRow.holdEnd
        guard !waiting.isEmpty || state != nil || !mends.isEmpty || isHoldOver || decisions.isFull else { return false }
        var isNews = waiting.contains(where: \.isDeliverable)
        var isHolding = false
        var sweep: (loss: Retention.Loss, isDone: Bool)?
        do {
            try database.write { database in
                for mend in mends { isNews = try mend.apply(in: database, text) > 0 || isNews }
                if hasHeld { isNews = try release(at: reading, in: database) > 0 || isNews }
                for row in waiting { try row.insert(into: database, text) }
                if let state { try save(state, into: database) }
                try decisions.write(into: database)
                if !waiting.isEmpty, reading.now >= retentionDue {
                    sweep = try retention.enforce(in: database, at: reading)
                }
                isHolding = try Self.hasHeld(database)
            }
        } catch {
            throw StoreError(error, path: path, doing: .write)
        }
        (waiting, mends, state) = ([], [], nil)
        decisions.clear()
        if let sweep { swept(sweep.loss, isDone: sweep.isDone, at: reading.now) }
        (isUrgent, hasHeld, holdsOfBefore) = (false, isHolding, false)
        (groupEnd, retryAt) = (nil, nil)
        return isNews
    }

    /// How many of the records on disk a target has still to get; counts no further than `limit`.
    package func count(awaiting target: String, limit: Int) throws(StoreError) -> Int {
        try Self.reading(database, path) { database in
            let rows = "SELECT 1 FROM record WHERE \(DeliveryTable.isUndelivered) LIMIT :limit"
            let arguments: StatementArguments = ["target": target, "limit": limit]
            return try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM (\(rows))", arguments: arguments) ?? 0
        }
    }

    /// What was removed to keep the bounds since this was asked last; nothing when nothing was.
    package func takeLoss() -> Retention.Loss? {
        defer { loss = nil }
        return loss
    }

    private func swept(_ new: Retention.Loss, isDone: Bool, at now: Instant) {
        // What is left is removed with the next commit.
        if isDone { retentionDue = now + Retention.interval }
        guard new != Retention.Loss() else { return }
        loss = Retention.Loss(
            delivered: (loss?.delivered ?? 0) + new.delivered, undelivered: (loss?.undelivered ?? 0) + new.undelivered)
    }

    /// After a failure: when to try again.
    package func postponeFlush(until moment: Instant) { retryAt = moment }

    /// Lets targets have what cannot be mended any more, or has waited long enough for it; gives the number of records.
    private func release(at reading: ClockReading, in database: GRDB.Database) throws -> Int {
        try database.execute(
            sql: "UPDATE record SET is_held = 0 WHERE is_doubtful = 1 AND is_held = 1 AND (boot <> ? OR ?)",
            arguments: [reading.boot, reading.now >= RecordRow.holdEnd])
        return database.changesCount
    }

    private static func hasHeld(_ database: GRDB.Database) throws -> Bool {
        try Bool.fetchOne(database, sql: "SELECT EXISTS (SELECT 1 FROM record WHERE is_doubtful = 1 AND is_held = 1)")
            ?? false
    }

    private func save(_ state: EngineState, into database: GRDB.Database) throws {
        let statement = try database.cachedStatement(sql: "INSERT OR REPLACE INTO engine (id, state) VALUES (1, ?)")
        try statement.execute(arguments: [text.write(state)])
    }

    /// Throws when the file is damaged, as far as that can be told in a moment: reading all of a large one would take too long.
    private static func check(_ database: GRDB.Database) throws {
        _ = try String.fetchOne(database, sql: "SELECT state FROM engine WHERE id = 1")
        _ = try String.fetchOne(database, sql: "SELECT body FROM record ORDER BY sequence DESC LIMIT 1")
        let pages = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
        guard pages <= largestChecked else { return }
        let verdict = try String.fetchOne(database, sql: "PRAGMA quick_check(1)")
        guard verdict == "ok" else { throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: verdict) }
    }

    /// 16 MiB in pages of 4 KiB.
    private static let largestChecked = 4096

    private static func reading<Value>(
        _ database: DatabaseQueue, _ path: String, _ body: (GRDB.Database) throws -> Value
    ) throws(StoreError) -> Value {
        do {
            return try database.read(body)
        } catch {
            throw StoreError(error, path: path, doing: .read)
        }
    }
}
