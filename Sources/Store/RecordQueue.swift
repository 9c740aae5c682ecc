import FoundationEssentials
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

    /// A record that is not on disk yet, and its text.
    private struct Waiting {
        let record: StoredRecord
        let body: String
    }

    /// The last sequence number on disk.
    package var committedSequence: Int64 { (waiting.first?.record.sequence ?? nextSequence) - 1 }

    /// Records that were given up because neither disk nor memory had room for them.
    package private(set) var droppedCount = 0
    /// Records that are not on disk yet.
    package var waitingCount: Int { waiting.count }

    /// So many records wait in memory at most while nothing can be written: some 4 MB, and hours of driving.
    package static let mostWaiting = 10_000

    /// By when `flush` must be called; nothing while no record waits.
    package private(set) var flushDeadline: Instant?

    private let path: String
    private let database: DatabaseQueue
    private let grouping: Grouping
    private let encoder = JSONEncoder()
    private var generator = SystemRandomNumberGenerator()
    private var waiting: [Waiting] = []
    private var retryAt: Instant?
    private var state: EngineState?
    private var isUrgent = false
    private var nextSequence: Int64

    /// Opens the file, and makes it when it is not there.
    package init(path: String, grouping: Grouping = Grouping()) throws(StoreError) {
        self.path = path
        self.grouping = grouping
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        database = try Database.open(path)
        nextSequence = try Self.reading(database, path) { database in
            try Self.check(database)
            // AUTOINCREMENT remembers numbers whose records are gone, so that none is used again.
            let last = try Int64.fetchOne(database, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'record'")
            return (last ?? 0) + 1
        }
    }

    /// The state that was written last; nothing in a new file.
    package func restoredState() throws(StoreError) -> EngineState? {
        let text = try Self.reading(database, path) { database in
            try String.fetchOne(database, sql: "SELECT state FROM engine WHERE id = 1")
        }
        // A state that this version cannot read is as good as none: the sensors are asked instead.
        return text.flatMap { try? JSONDecoder().decode(EngineState.self, from: Data($0.utf8)) }
    }

    /// Takes a record in, with the state that follows from it; returns it with its identity, to wait for `settle`.
    package func append(_ record: Tracking.Record, state: EngineState, created: Timestamp, at now: Instant)
        -> StoredRecord
    {
        let uuid = RecordIdentity.uuid(at: created, using: &generator)
        let stored = StoredRecord(sequence: nextSequence, uuid: uuid, created: created, record: record)
        nextSequence += 1
        makeRoom()
        waiting.append(Waiting(record: stored, body: text(record)))
        self.state = state
        flushDeadline = flushDeadline ?? now + grouping.interval
        isUrgent = isUrgent || record.kind.isEvent || waiting.count >= grouping.records || grouping.interval <= .zero
        return stored
    }

    /// While nothing can be written, memory is the queue; when that is full, plain locations go first, the oldest before others.
    private func makeRoom() {
        guard waiting.count >= Self.mostWaiting else { return }
        waiting.remove(at: waiting.firstIndex { !$0.record.record.kind.isEvent } ?? 0)
        droppedCount += 1
    }

    /// Ends the records of one event, which go into one transaction: commits when one of them must be on disk by now.
    ///
    /// When that fails the records go on waiting, and `flush` tries again.
    package func settle(at now: Instant) throws(StoreError) {
        if isUrgent, retryAt.map({ now >= $0 }) ?? true { try flush() }
    }

    /// Keeps the state for the next commit, though no record came of it.
    package func note(_ state: EngineState) { self.state = state }

    /// Commits what waits.
    package func flush() throws(StoreError) {
        guard !waiting.isEmpty || state != nil else { return }
        do {
            try database.write { database in
                for record in waiting { try insert(record, into: database) }
                if let state { try save(state, into: database) }
            }
        } catch {
            throw StoreError(error, path: path, doing: .write)
        }
        waiting = []
        state = nil
        isUrgent = false
        (flushDeadline, retryAt) = (nil, nil)
    }

    /// After a failure: when to try again.
    package func postponeFlush(until moment: Instant) { (flushDeadline, retryAt) = (moment, moment) }

    private func insert(_ waiting: Waiting, into database: GRDB.Database) throws {
        let statement = try database.cachedStatement(
            sql: "INSERT INTO record (sequence, uuid, kind, time_ms, created_ms, body) VALUES (?, ?, ?, ?, ?, ?)")
        let stored = waiting.record
        try statement.execute(arguments: [
            stored.sequence, stored.uuid, stored.record.kind.rawValue, stored.record.time.milliseconds,
            stored.created.milliseconds, waiting.body,
        ])
    }

    private func text(_ value: some Encodable) -> String {
        // Only a number that is not finite cannot be written, and the core has none.
        (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }

    private func save(_ state: EngineState, into database: GRDB.Database) throws {
        let statement = try database.cachedStatement(sql: "INSERT OR REPLACE INTO engine (id, state) VALUES (1, ?)")
        try statement.execute(arguments: [text(state)])
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
