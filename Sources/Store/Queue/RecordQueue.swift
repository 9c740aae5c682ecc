import GRDB
package import Quantities
package import Tracking

/// The writing end of the queue: stores each record in one transaction with the engine state that follows from it.
///
/// The queue commits plain locations in groups, to reduce wear of the card. Unless a commit has failed, events and the
/// locations before them are on stable storage when `settle` returns. The queue belongs to one thread.
package final class RecordQueue {
    package typealias Grouping = CommitGrouping

    /// The maximum number of records in memory while the disk is unavailable (≈ 4 MB, hours of driving).
    package static let mostWaiting = PendingCommit.mostWaiting

    /// Decisions that wait for a commit.
    package var decisions = DecisionLog()

    let disk: QueueDisk
    private var generator = SystemRandomNumberGenerator()
    var pending: PendingCommit
    private var held = HeldRecords()
    private var storedState = StoredState()
    private var boot = Boot()
    private var cleaning = RetentionSchedule()
    private var losses = LossAccount()
    private var retryAt: Instant?
    /// Whether targets may receive the waiting records before these are on disk.
    private var isOfferingWaiting = false
    private var nextSequence: Int64 = 1
    private var states = EngineStates()

    /// Opens the file and creates it if it is missing.
    ///
    /// Replaces a damaged file and copies its records. Throws an error if the queue cannot open the file.
    package convenience init(path: String, grouping: Grouping = Grouping()) throws(StoreError) {
        self.init(unopened: path, grouping: grouping, alarm: QueueAlarm(), lock: nil)
        _ = try connected()
    }

    private init(unopened path: String, grouping: Grouping, alarm: QueueAlarm, lock: QueueLock?) {
        pending = PendingCommit(grouping: grouping)
        disk = QueueDisk(path: path, alarm: alarm, lock: lock)
    }

    /// Opens the file like `init`, but begins in memory if the file is unavailable (disk full, locked, read-only, …).
    ///
    /// `flush` then opens the file as soon as possible. Throws an error only if a newer version has written the file.
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

    /// Ends the background work and closes the file; call `flush` before.
    package func close() {
        cleaning.cancel()
        disk.close(emptyingLog: true)
    }

    // MARK: - Recording

    /// Adds a record with the state that follows from it; record and state wait for `settle`.
    ///
    /// Returns the record with its number and its UUID.
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

    /// Notes the state for the next commit, without a record.
    package func note(_ state: EngineState) {
        pending.note(state)
        states.note(state)
    }

    /// Completes the group of records of one event; commits the group if one of its records must be on disk now.
    ///
    /// All records of an event belong in one transaction. If the commit fails, the records wait until `flush` succeeds.
    /// Returns whether targets have something to fetch.
    package func settle(at reading: ClockReading) throws(StoreError) -> Bool {
        guard pending.isUrgent && retryAt.map({ reading.now >= $0 }) ?? true else { return uncommitted.takeAdditions() }
        return try flush(at: reading)
    }

    /// Corrects the doubtful dates of this boot (`DateDoubt`); the next commit writes the correction to disk.
    ///
    /// Returns whether there was anything to correct.
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

    /// Returns the range and number of records sent with wrong times; nil if there are none, or if the file is unreadable.
    package func sentTimes(before correction: ClockCorrection) -> SentTimes? {
        // If trackerd cannot read the file, the next commit will report the error.
        (try? disk.database?.read(correction.sentTimes)) ?? nil
    }

    // MARK: - Committing

    /// The latest time for the next `flush`; nil if no waiting data has a deadline (a state alone has none).
    package var flushDeadline: Instant? {
        if let retryAt { return retryAt }
        if decisions.isFull || disk.isFileMissing { return .boot }
        return [pending.groupEnd, held.deadline].compactMap { $0 }.min()
    }

    /// Whether the last commit has failed, and the queue must try again.
    package var isRetrying: Bool { retryAt != nil }

    /// Postpones the next commit after a failure.
    package func postponeFlush(until moment: Instant) { retryAt = moment }

    /// Lets targets receive the waiting records before these are on disk, because the disk accepts no data.
    ///
    /// The next commit withdraws these records from the offer. The queue never offers a record with a doubtful date,
    /// because a correction may still change the date. It offers no record at all until the file has been readable
    /// once, because the trip and the distance are unknown until then. Returns whether targets have something to fetch.
    @discardableResult
    package func offerWaiting() -> Bool {
        guard states.hasBegun, states.former == nil else { return false }
        isOfferingWaiting = true
        uncommitted.offer(pending.rows.filter(\.isFinal).map(\.stored))
        return uncommitted.takeAdditions()
    }

    /// The waiting records that targets may receive.
    private var uncommitted: UncommittedRecords { disk.alarm.uncommitted }

    /// Commits the waiting data; returns whether targets have something to fetch.
    ///
    /// If the file is damaged, replaces it and writes the data into the new file, or throws while a thread replaces it.
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

    /// Commits the waiting data at the end of the program; if a thread repairs the file, waits for the end of the repair.
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
                if pending.loss != Retention.Loss() { try RemovedRecords.add(pending.loss, in: database) }
                try boot.note(pending.rows, in: database)
                try Inbox.settle(pending.settledOrders, at: reading, in: database)
                try ServerRegionTable.write(pending.serverRegions, into: database)
                let last = pending.rows.last?.stored.sequence ?? committedSequence
                try storedState.write(states.texts(of: pending.state), lastSequence: last, into: database)
                if writesDecisions { try decisions.write(into: database) }
                if losses.reported != Retention.Loss() { try RemovedRecords.report(losses.reported, in: database) }
                isHolding = try HeldRecords.exist(in: database)
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
    /// Assigns higher numbers to the waiting records if another program has used their numbers; returns whether it did so.
    private func evadesUsedNumber(in database: DatabaseQueue) -> Bool {
        let last = try? database.read(StoredState.lastSequence)
        return last.map { RecordTable.numbers.contains($0) && renumber(above: $0) } ?? false
    }

    /// Returns the reports about the file since the last call; also handles the results of background work.
    ///
    /// `hasDeliverable` is true if targets have something to fetch.
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

    /// Makes repairs run on a thread from now on, because the loop must not wait.
    package func enterLoop() { disk.isRunning = true }

    /// Why `path` does not lead to the open file any more; nil if it does, or if no file is open.
    ///
    /// The next `flush` opens the file at `path`, or creates it again.
    package var absence: StoreError? { disk.isFileMissing ? .isGone(disk.path) : nil }

    /// When to call `tend` even if the alarm has not rung.
    package var tendDeadline: Instant? { disk.salvageDue }

    /// Returns the open file; opens it if it was closed.
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

    /// Continues from the contents of a file that was just opened.
    private func take(_ contents: QueueDisk.Contents) {
        losses.fileChanged()
        storedState.fileChanged()
        boot.fileChanged()
        held.found(contents.hasHeld)
        if let former = states.find(contents.state) { pending.continueRecords(from: former) }
        renumber(above: contents.lastSequence)
    }

    /// Assigns numbers above `last` to the waiting records; returns false if their numbers are already above `last`.
    ///
    /// The numbers never decrease, because targets may have received records with these numbers, even if the file does not contain
    /// the records.
    @discardableResult
    private func renumber(above last: Int64) -> Bool {
        let shift = last - committedSequence
        guard shift > 0 else { return false }
        pending.renumber(by: shift)
        uncommitted.renumber(by: shift)
        nextSequence += shift
        return true
    }

    /// Replaces the damaged file with a new file, into which a salvage later copies the records of the damaged file.
    private func replaceDisk(because error: StoreError) throws(StoreError) {
        cleaning.abandon()
        try disk.replace(because: error, state: states.forReplacement, lastSequence: committedSequence)
    }
}

// MARK: - State and figures

extension RecordQueue {
    /// The readable part of the state that was on disk at the start; nil if there was no state or no readable file.
    package var restoredState: EngineState.Restored? { states.found ?? nil }

    /// Whether `takeFormerState` would return a state.
    package var hasFormerState: Bool { states.former != nil }

    /// Returns the state from before the start if the queue found it only after the engine had begun; nil on later calls.
    ///
    /// The state on disk does not change until this call. A power cut therefore does not lose the state.
    package func takeFormerState() -> EngineState? { states.takeFormer() }

    /// The last sequence number on disk.
    package var committedSequence: Int64 { (pending.rows.first?.stored.sequence ?? nextSequence) - 1 }

    /// The number of records that are not on disk yet.
    package var waitingCount: Int { pending.rows.count }

    /// The number of records that are not on disk and that at least one target still needs.
    package var endangeredCount: Int { waitingCount - uncommitted.finished(for: retention.targets).count }

    /// The numbers of records removed since the last commit, because neither disk nor memory had room for them.
    package var memoryLoss: Retention.Loss { pending.loss }

    /// Returns the number of records on disk that a target has not received; stops counting at `limit`.
    package func count(awaiting target: String, limit: Int) throws(StoreError) -> Int {
        guard let database = disk.database else { throw StoreError.notOpen(disk.path) }
        do {
            return try database.read { try DeliveryTable.count(awaiting: target, limit: limit, in: $0) }
        } catch {
            throw StoreError(error, path: disk.path, doing: .read)
        }
    }

    /// The limits for the records on the device; a thread enforces them after a commit (`RetentionSchedule`).
    package var retention: Retention {
        get { cleaning.retention }
        set { cleaning.retention = newValue }
    }

    /// Whether a thread removes records beyond the limits; the alarm rings when the thread ends.
    package var isRemoving: Bool { cleaning.isRunning }

    /// Returns the numbers of removed records that were not returned before; nil if there are none.
    ///
    /// The next commit marks these records as reported. If a power cut comes first, the next start returns their numbers again.
    package func takeLoss() -> Retention.Loss? { losses.take(from: disk.database) }

    /// Returns the numbers of records that were removed from memory before a commit, and not returned before; nil if there are none.
    ///
    /// The next commit marks these records as reported. If a power cut comes first, a later `takeLoss` returns their numbers.
    package func takeMemoryLoss() -> Retention.Loss? { losses.takeFromMemory() }
}
