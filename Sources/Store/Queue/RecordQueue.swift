import GRDB
package import Quantities
package import Tracking

/// The writing end of the queue, for one thread: commits each record together with the state that follows from it.
/// Plain locations are committed in groups, to reduce wear of the card. Unless a commit has failed, events and the
/// locations before them are on stable storage when `settle` returns.
package final class RecordQueue {
    package typealias Grouping = CommitGrouping

    /// The limit of waiting records: about 4 MB, and hours of driving.
    package static let mostWaiting = PendingCommit.mostWaiting

    package var decisions = DecisionLog()

    private let disk: QueueDisk
    private var generator = SystemRandomNumberGenerator()
    private var pending: PendingCommit
    private var held = HeldRecords()
    private var storedState = StoredState()
    private var boot = Boot()
    private var cleaning = RetentionSchedule()
    private var losses = LossAccount()
    private var retryAt: Instant?
    /// True if targets may receive the waiting records before these are on disk.
    private var isOfferingWaiting = false
    private var nextSequence: Int64 = 1
    private var states = EngineStates()

    /// Replaces a damaged file; throws an error if the queue cannot open the file.
    package convenience init(path: String, grouping: Grouping = Grouping()) throws(StoreError) {
        self.init(unopened: path, grouping: grouping, alarm: QueueAlarm(), lock: nil)
        _ = try connected()
    }

    private init(unopened path: String, grouping: Grouping, alarm: QueueAlarm, lock: QueueLock?) {
        pending = PendingCommit(grouping: grouping)
        disk = QueueDisk(path: path, alarm: alarm, lock: lock)
    }

    /// Begins in memory if the file is unavailable (locked, read-only, on a full disk, …); throws only for a file of a
    /// newer version or of another program.
    package static func open(
        path: String, grouping: Grouping, alarm: QueueAlarm, lock: QueueLock
    ) throws(StoreError) -> (queue: RecordQueue, absence: StoreError?) {
        let queue = RecordQueue(unopened: path, grouping: grouping, alarm: alarm, lock: lock)
        do throws(StoreError) {
            _ = try queue.connected()
            return (queue, nil)
        } catch {
            guard !error.isOfAnotherVersion else { throw error }
            // The file may be readable although it is not writable.
            if let contents = queue.disk.contentsToRead() { queue.take(contents) }
            return (queue, error)
        }
    }

    /// Call `flushFinally` before.
    package func close() {
        cleaning.cancel()
        disk.close(emptyingLog: true)
    }

    // MARK: - Recording

    /// Adds a record and a state, which wait for `settle`; returns the record with its number and its UUID.
    package func append(_ record: Tracking.Record, state: EngineState, at reading: ClockReading) -> StoredRecord {
        let uuid = RecordIdentity.uuid(at: reading.time, using: &generator)
        let continued = states.former.map { record.continued(from: $0) } ?? record
        let stored = StoredRecord(sequence: nextSequence, uuid: uuid, created: reading.time, record: continued)
        nextSequence += 1
        let row = RecordRow(stored, at: reading)
        if pending.isFull {
            let delivered = uncommitted.finished(for: retention.targets)
            uncommitted.remove(pending.makeRoom(delivered: delivered))
        }
        pending.append(row, at: reading.now)
        if isOfferingWaiting, row.isFinal { uncommitted.add(stored) }
        note(state)
        return stored
    }

    package func note(_ state: EngineState) {
        pending.note(state)
        states.note(state)
    }

    /// Call this after the last record of an event, so that one commit contains them all. Commits only an event or a
    /// full group; returns whether targets have something to fetch. If the commit fails, records wait for `flush`.
    package func settle(at reading: ClockReading) throws(StoreError) -> Bool {
        guard pending.isUrgent && retryAt.map({ reading.now >= $0 }) ?? true else { return uncommitted.takeAdditions() }
        return try flush(at: reading)
    }

    /// The next commit corrects the rows on disk (`DateDoubt`); returns whether there was anything to correct.
    package func correctTimestamps(_ correction: ClockCorrection, at now: Instant) -> Bool {
        // If trackerd cannot read the file, the next commit will report the error.
        let isOnDisk = (try? disk.database?.read(correction.isNeeded)) ?? true
        guard isOnDisk || decisions.isDoubtful || pending.rows.contains(where: { $0.doubt != .none }) else {
            return false
        }
        pending.correct(correction, at: now)
        if isOfferingWaiting { offerWaiting() }
        decisions.correct(correction)
        return true
    }

    /// Nil if no record was sent with a wrong date, or if the file is unreadable.
    package func sentTimes(before correction: ClockCorrection) -> SentTimes? {
        (try? disk.database?.read(correction.sentTimes)) ?? nil
    }

    // MARK: - Committing

    /// Nil if no waiting data has a deadline; a state alone has none.
    package var flushDeadline: Instant? {
        if let retryAt { return retryAt }
        if decisions.isFull || disk.isKnownMissing { return .boot }
        return .earliest(pending.groupEnd, held.deadline)
    }

    package var isRetrying: Bool { retryAt != nil }

    package func postponeFlush(until moment: Instant) { retryAt = moment }

    /// Lets targets receive the waiting records, because the disk accepts no data; the next commit withdraws the offer.
    /// Records whose date may still change are not offered. No record is offered until the file was readable once,
    /// because trip and distance are unknown until then. Returns whether targets have something to fetch.
    @discardableResult
    package func offerWaiting() -> Bool {
        guard states.hasBegun, states.former == nil else { return false }
        isOfferingWaiting = true
        uncommitted.offer(pending.rows.filter(\.isFinal).map(\.stored))
        return uncommitted.takeAdditions()
    }

    private var uncommitted: UncommittedRecords { disk.alarm.uncommitted }

    /// Commits the waiting data, and replaces a damaged file; throws while a thread replaces it. Returns whether
    /// targets have something to fetch.
    package func flush(at reading: ClockReading) throws(StoreError) -> Bool {
        // Opens a closed file even if no record waits, because targets wait for records in the file.
        let isClosed = disk.database == nil || disk.isFileMissing
        guard !pending.isEmpty || held.isReleaseDue(at: reading.now) || decisions.isFull || isClosed else {
            retryAt = nil
            return false
        }
        do throws(StoreError) {
            return try write(into: connected(), at: reading)
        } catch {
            guard disk.alarm.showsDamage(error) else { throw error }
            try replaceDisk(because: error)
            return try write(into: connected(), at: reading)
        }
    }

    /// Commits at the end of the program; waits for a thread that repairs the file.
    package func flushFinally(at reading: ClockReading) throws(StoreError) -> Bool {
        disk.isRunning = false
        do throws(StoreError) {
            return try flush(at: reading)
        } catch {
            guard disk.awaitRepair() else { throw error }
            return try flush(at: reading)
        }
    }

    private func write(into database: DatabaseQueue, at reading: ClockReading) throws(StoreError) -> Bool {
        var hasDeliverable = pending.hasDeliverable
        var isHolding = false
        // Decisions wait until they fill a page, or for a commit that changes several pages in any case.
        let writesDecisions = pending.rows.isEmpty || pending.hasEvent || decisions.fillsPage
        do {
            try disk.alarm.turn.write(database) { database in
                hasDeliverable = try pending.applyCorrections(in: database) || hasDeliverable
                hasDeliverable = try held.release(at: reading, in: database) || hasDeliverable
                try pending.insertRows(into: database)
                if pending.loss != Retention.Loss() { try RemovedRecords.add(pending.loss, to: .total, database) }
                try boot.note(pending.rows, in: database)
                try Inbox.settle(pending.settledOrders, at: reading, in: database)
                try ServerRegionTable.write(pending.serverRegions, into: database)
                let last = pending.rows.last?.stored.sequence ?? committedSequence
                try storedState.write(states.texts(of: pending.state), lastSequence: last, into: database)
                if writesDecisions { try decisions.write(into: database) }
                if losses.reported != Retention.Loss() {
                    try RemovedRecords.add(losses.reported, to: .reported, database)
                }
                isHolding = try (held.exist || pending.hasHeld) && HeldRecords.exist(in: database)
            }
        } catch {
            let isUsed = (error as? DatabaseError)?.resultCode == .SQLITE_CONSTRAINT
            if isUsed, evadesUsedNumber(in: database) { return try write(into: database, at: reading) }
            throw StoreError(error, path: disk.path, doing: .write)
        }
        if !pending.rows.isEmpty { cleaning.start(path: disk.path, alarm: disk.alarm, at: reading) }
        losses.committed(pending.loss)
        if pending.loss != Retention.Loss() { disk.alarm.ring() }
        pending.committed()
        isOfferingWaiting = false
        uncommitted.committed()
        storedState.committed()
        boot.committed()
        if writesDecisions { decisions.clear() }
        held.committed(isHolding)
        retryAt = nil
        return hasDeliverable
    }
}

// MARK: - The file

extension RecordQueue {
    /// Takes higher numbers if another program has used those of the waiting records.
    private func evadesUsedNumber(in database: DatabaseQueue) -> Bool {
        let last = try? database.read(StoredState.lastSequence)
        return last.map { RecordTable.numbers.contains($0) && renumber(above: $0) } ?? false
    }

    /// Handles damage and the results of background work; `hasDeliverable` is true if targets have something to fetch.
    package func tend(
        at reading: ClockReading
    ) throws(StoreError) -> (reports: [QueueDisk.Report], hasDeliverable: Bool) {
        if let damage = disk.takeDamage() {
            try replaceDisk(because: damage)
            _ = try connected()
        }
        if cleaning.takeEnd() { losses.fileChanged() }
        let hasDeliverable = disk.tend(at: reading.now)
        if disk.isRepaired { retryAt = .boot }
        if hasDeliverable, let database = disk.database {
            held.found((try? database.read(HeldRecords.exist)) ?? held.exist)
        }
        return (disk.takeReports(), hasDeliverable)
    }

    package func enterLoop() { disk.isRunning = true }

    /// Not nil if the open file was deleted or renamed; the next `flush` restores it, or opens the file that now has
    /// its path.
    package var absence: StoreError? { disk.isFileMissing ? .isGone(disk.path) : nil }

    /// When to call `tend` even if the alarm has not rung.
    package var tendDeadline: Instant? { disk.salvageDue }

    private func connected() throws(StoreError) -> DatabaseQueue {
        let hasBegun = states.hasBegun
        let last = hasBegun ? committedSequence : 0
        if let contents = try disk.connect(state: states.forReopening, lastSequence: last) {
            take(contents)
            // The path may now lead to another file with an older state.
            if hasBegun, let state = states.last { pending.note(state) }
        }
        guard let database = disk.database else { throw StoreError.notOpen(disk.path) }
        return database
    }

    private func take(_ contents: QueueDisk.Contents) {
        losses.fileChanged()
        storedState.fileChanged()
        boot.fileChanged()
        held.found(contents.hasHeld)
        if let former = states.find(contents.state) { pending.continueRecords(from: former) }
        renumber(above: contents.lastSequence)
    }

    /// The numbers never decrease, because targets may have received records with them; false if nothing changes.
    @discardableResult
    private func renumber(above last: Int64) -> Bool {
        let shift = last - committedSequence
        guard shift > 0 else { return false }
        pending.renumber(by: shift)
        uncommitted.renumber(by: shift)
        nextSequence += shift
        return true
    }

    private func replaceDisk(because error: StoreError) throws(StoreError) {
        cleaning.abandon()
        try disk.replace(because: error, state: states.forReplacement, lastSequence: committedSequence)
    }
}

// MARK: - State and figures

extension RecordQueue {
    /// Nil if there was no state or no readable file.
    package var restoredState: EngineState.Restored? { states.found ?? nil }

    package var hasFormerState: Bool { states.hasFormer }

    /// Returns a state that the queue found only after the engine had begun, but only once. Until this call, the state
    /// on disk does not change.
    package func takeFormerState() -> EngineState? { states.takeFormer() }

    /// The number of the last record on disk.
    package var committedSequence: Int64 { (pending.rows.first?.stored.sequence ?? nextSequence) - 1 }

    package var waitingCount: Int { pending.rows.count }

    /// The number of records that are not on disk and that at least one target needs; all that are not on disk if there
    /// are no targets.
    package var endangeredCount: Int { waitingCount - uncommitted.finished(for: retention.targets).count }

    /// The records removed since the last commit, because neither disk nor memory had room.
    package var memoryLoss: Retention.Loss { pending.loss }

    package func count(awaiting target: String, limit: Int) throws(StoreError) -> Int {
        guard let database = disk.database else { throw StoreError.notOpen(disk.path) }
        return try database.read(disk.path) {
            try DeliveryTable.count(DeliveryTable.isUndelivered, of: target, limit: limit, in: $0)
        }
    }

    /// A thread enforces the limits after a commit (`RetentionSchedule`).
    package var retention: Retention {
        get { cleaning.retention }
        set { cleaning.retention = newValue }
    }

    /// True while a thread removes records; the alarm rings when it ends.
    package var isRemoving: Bool { cleaning.isRunning }

    /// Returns each loss once; nil if there is none. The next commit marks it as reported; if the power is cut before,
    /// the next start returns it again.
    package func takeLoss() -> Retention.Loss? { losses.take(from: disk.database) }

    /// As `takeLoss`, for records that were removed from memory before a commit.
    package func takeMemoryLoss() -> Retention.Loss? { losses.takeFromMemory() }
}

// MARK: - Orders and regions of servers

extension RecordQueue {
    /// The waiting orders, the oldest first; empty if the file is unavailable.
    package var waitingOrders: [StoredOrder] {
        let settled = pending.settledOrders
        return (try? disk.database?.read { try Inbox.waiting(excluding: settled, in: $0) }) ?? []
    }

    /// `settle` does not commit before `endOrder`, so one commit contains all effects of the order.
    package func begin(_ order: StoredOrder) { pending.begin(order: order.key) }

    package func endOrder() { pending.endOrder() }

    /// True also if the record was withheld, set aside or removed; false if it is not on disk yet, or the file is
    /// unavailable.
    package func isDelivered(_ sequence: Int64, to target: String) -> Bool {
        guard sequence <= committedSequence, let database = disk.database else { return false }
        let isAwaiting = try? database.read { database in
            try Bool.fetchOne(
                database, sql: "SELECT 1 FROM record WHERE sequence = :sequence AND \(DeliveryTable.isUndelivered)",
                arguments: ["sequence": sequence, "target": target]) ?? false
        }
        return isAwaiting == false
    }

    /// The regions, including those that wait for the next commit; nil if the file is unavailable.
    package var serverRegions: [ServerRegions]? {
        guard let stored = try? disk.database?.read(ServerRegionTable.read) else { return nil }
        return pending.serverRegions.reduce(stored) { $0.replacing(with: $1) }
    }

    package func replace(_ list: ServerRegions) { pending.replace(list) }
}
