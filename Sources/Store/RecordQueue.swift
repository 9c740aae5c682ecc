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

    private let disk: QueueDisk
    private let grouping: Grouping
    private let text = RecordText()
    private var generator = SystemRandomNumberGenerator()
    private var waiting: [RecordRow] = []
    /// Mends that are not on disk yet, in order.
    private var mends: [Mend] = []
    private var groupEnd: Instant?
    private var retryAt: Instant?
    private var state: EngineState?
    /// The state that was on disk last, or goes there with the next commit; `nil` if the program has none yet.
    private var lastState: EngineState?
    /// What the file held when it was opened first; `nil` until then.
    private var found: EngineState.Restored??
    /// The state of before the start, which was found when the engine had begun without it.
    private var former: EngineState?
    /// Whether rows on disk are kept from the targets until their time is known.
    private var hasHeld = false
    /// Whether some of these may be of an earlier boot, and wait for nothing.
    private var holdsOfBefore = false
    private var isUrgent = false
    private var nextSequence: Int64 = 1

    /// Opens the file, and makes it if there is none.
    ///
    /// A damaged one is replaced, and its records are carried over.
    ///
    /// Throws if the file cannot be opened.
    package convenience init(path: String, grouping: Grouping = Grouping()) throws(StoreError) {
        self.init(away: path, grouping: grouping, alarm: QueueAlarm(), lock: nil)
        _ = try connected()
    }

    private init(away path: String, grouping: Grouping, alarm: QueueAlarm, lock: QueueLock?) {
        self.grouping = grouping
        disk = QueueDisk(path: path, alarm: alarm, lock: lock)
    }

    /// Opens the file like `init`; if it is away (the disk is full, locked, read-only or missing), begins in memory.
    ///
    /// `flush` opens it as soon as it can be had. Throws only if the file is of a newer version.
    package static func open(
        path: String, grouping: Grouping, alarm: QueueAlarm, lock: QueueLock
    ) throws(StoreError) -> (queue: RecordQueue, absence: StoreError?) {
        let queue = RecordQueue(away: path, grouping: grouping, alarm: alarm, lock: lock)
        do throws(StoreError) {
            _ = try queue.connected()
            return (queue, nil)
        } catch {
            guard !error.isOfAnotherVersion else { throw error }
            // What cannot be written can perhaps be read.
            if let contents = queue.disk.contentsToRead() { queue.take(contents) }
            return (queue, error)
        }
    }

    /// The state that was on disk at the start, as far as this version can read it; `nil` if there was none, or if the file
    /// could not be read yet.
    package var restoredState: EngineState.Restored? { found ?? nil }

    /// The state of before the start, once, if it was found after the engine had begun without it.
    ///
    /// Until this is called the state on disk stays what it was, so that a power cut takes nothing of it.
    package func takeFormerState() -> EngineState? {
        defer { former = nil }
        return former
    }

    /// Whether a former state waits to be taken.
    package var hasFormerState: Bool { former != nil }

    /// Reports about the file since the last time, and looks after what is done in the background.
    ///
    /// Returns whether targets have something to fetch.
    package func tend(at reading: ClockReading) throws(StoreError) -> (reports: [QueueDisk.Report], hasNews: Bool) {
        if let damage = disk.takeDamage() {
            try replaceDisk(because: damage)
            _ = try connected()
        }
        let hasNews = disk.tend(at: reading.now)
        if hasNews, let database = disk.database {
            hasHeld = (try? database.read(QueueDisk.hasHeld)) ?? hasHeld
            holdsOfBefore = hasHeld
        }
        return (disk.takeReports(), hasNews)
    }

    /// By when `tend` must be called even if the alarm is silent.
    package var tendDeadline: Instant? { disk.salvageDue }

    /// Ends what is done in the background and closes the file; what waits should have been flushed.
    package func close() { disk.close() }

    /// Takes a record in, with the state that follows from it; returns it with its identity, to wait for `settle`.
    package func append(_ record: Tracking.Record, state: EngineState, at reading: ClockReading) -> StoredRecord {
        let uuid = RecordIdentity.uuid(at: reading.time, using: &generator)
        let continued = former.map { record.continued(from: $0) } ?? record
        let stored = StoredRecord(sequence: nextSequence, uuid: uuid, created: reading.time, record: continued)
        nextSequence += 1
        makeRoom()
        waiting.append(RecordRow(stored, at: reading))
        note(state)
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
        let isOnDisk = (try? disk.database?.read(mend.isNeeded)) ?? true
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
    package func note(_ state: EngineState) {
        self.state = state
        lastState = state
    }

    /// Commits what waits; returns whether targets have something to fetch.
    ///
    /// A file that turns out to be damaged is replaced, and what waits goes into the new one.
    package func flush(at reading: ClockReading) throws(StoreError) -> Bool {
        let isHoldOver = holdsOfBefore || hasHeld && reading.now >= RecordRow.holdEnd
        // A file that is away is opened also if nothing waits for it: targets do.
        let isAway = disk.database == nil
        guard !waiting.isEmpty || state != nil || !mends.isEmpty || isHoldOver || decisions.isFull || isAway else {
            return false
        }
        do throws(StoreError) {
            return try write(into: connected(), at: reading)
        } catch {
            guard error.isDamaged else { throw error }
            try replaceDisk(because: error)
            return try write(into: connected(), at: reading)
        }
    }

    private func write(into database: DatabaseQueue, at reading: ClockReading) throws(StoreError) -> Bool {
        var isNews = waiting.contains(where: \.isDeliverable)
        var isHolding = false
        var sweep: (loss: Retention.Loss, isDone: Bool)?
        do {
            try database.write { database in
                for mend in mends { isNews = try mend.apply(in: database, text) > 0 || isNews }
                if hasHeld { isNews = try release(at: reading, in: database) > 0 || isNews }
                for row in waiting { try row.insert(into: database, text) }
                if let state, former == nil { try save(state, into: database) }
                try decisions.write(into: database)
                if !waiting.isEmpty, reading.now >= retentionDue {
                    sweep = try retention.enforce(in: database, at: reading)
                }
                isHolding = try QueueDisk.hasHeld(database)
            }
        } catch {
            throw StoreError(error, path: disk.path, doing: .write)
        }
        (waiting, mends, state) = ([], [], nil)
        decisions.clear()
        if let sweep { swept(sweep.loss, isDone: sweep.isDone, at: reading.now) }
        (isUrgent, hasHeld, holdsOfBefore) = (false, isHolding, false)
        (groupEnd, retryAt) = (nil, nil)
        return isNews
    }

    /// The open file, opened now if it was away.
    private func connected() throws(StoreError) -> DatabaseQueue {
        let isBegun = found != nil
        let text = isBegun ? lastState.map(text.write) : nil
        if let contents = try disk.connect(state: text, lastSequence: isBegun ? committedSequence : 0) {
            take(contents)
        }
        guard let database = disk.database else { throw StoreError.away(disk.path) }
        return database
    }

    /// Goes on after what a file holds that was just opened.
    private func take(_ contents: QueueDisk.Contents) {
        hasHeld = contents.hasHeld
        holdsOfBefore = hasHeld
        if found == nil {
            let restored = contents.state.map { text.read(EngineState.Restored.self, $0) ?? .nothing }
            found = .some(restored)
            // The engine has begun without it.
            if lastState != nil, let restored {
                former = restored.state
                for index in waiting.indices { waiting[index].continueRecord(from: restored.state) }
            }
        }
        let shift = contents.lastSequence - committedSequence
        guard shift > 0 || waiting.isEmpty else { return }
        for index in waiting.indices { waiting[index].renumber(by: shift) }
        nextSequence += shift
    }

    /// Puts a new file in the place of the damaged one; what it holds is carried over.
    private func replaceDisk(because error: StoreError) throws(StoreError) {
        let state = (lastState ?? (found ?? nil)?.state).map(text.write)
        try disk.replace(because: error, state: former.map(text.write) ?? state, lastSequence: committedSequence)
    }

    /// How many of the records on disk a target has still to get; counts no further than `limit`.
    package func count(awaiting target: String, limit: Int) throws(StoreError) -> Int {
        guard let database = disk.database else { throw StoreError.away(disk.path) }
        return try Self.reading(database, disk.path) { database in
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

    private func save(_ state: EngineState, into database: GRDB.Database) throws {
        let statement = try database.cachedStatement(sql: "INSERT OR REPLACE INTO engine (id, state) VALUES (1, ?)")
        try statement.execute(arguments: [text.write(state)])
    }

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
