import GRDB
import Glibc
import Quantities

/// The database file of the queue; the file may be unavailable.
///
/// The file is unavailable if it is damaged or locked, or if the disk is full or not mounted.
///
/// `QueueDisk` opens the file as soon as possible. It replaces a damaged file with a new file, and copies the readable records into
/// that file.
package final class QueueDisk {
    /// The contents of a file when it was opened.
    struct Contents {
        let lastSequence: Int64
        let hasHeld: Bool
        let state: String?
    }

    /// An event that the owner should know about.
    package enum Report: Sendable, Hashable {
        /// An earlier version made the file, which remains under the name `aside`; recording begins in a new file.
        case begunAnew(StoreError, aside: String)
        case replaced(StoreError, aside: String)
        /// The file was deleted or renamed; trackerd has written its contents to a new file.
        case restored(path: String)
        /// Another file has replaced the file, and records continue in the other file.
        case exchanged(path: String)
        case salvaged(path: String, records: Int, missing: Int)
        case salvageFailing(StoreError)
        /// trackerd has deleted older damaged files, because there were too many or they used too much space.
        case deleted(paths: [String])
    }

    /// The open file; nil while it is unavailable.
    private(set) var database: DatabaseQueue?
    /// The reports since the last call of `takeReports`.
    private var reports: [Report] = []

    let path: String
    let alarm: QueueAlarm
    private let lock: QueueLock?
    /// Whether `open` has not been called yet; until then, no other thread of the program has the file open.
    private var isFirstOpening = true
    /// The inode number of the open file.
    private var file: FileNumber?
    /// The inode number of the open file's write-ahead log.
    private var log: FileNumber?
    /// The connection to a file that was deleted or renamed; the data of the file remain until the connection is closed.
    private var orphan: DatabaseQueue?
    private var repair: BackgroundJob<Result<Report, StoreError>>?
    private var repairReason: StoreError?
    /// The reason for the failure of the last repair; nil if the repair has not failed, or if `connect` has used the
    /// reason.
    private var repairFault: StoreError?
    /// Whether the loop is running; then operations on its thread must be short.
    var isRunning = false
    private var check: BackgroundJob<Void>?
    private var salvage: BackgroundJob<SalvageImport.Outcome>?
    /// The files from which trackerd must still copy records, the present file first.
    private var tasks: [SalvageImport.Task] = []
    /// When to retry a failed salvage.
    private(set) var salvageDue: Instant?
    private var salvageFault: StoreError?
    /// The pause after a failed salvage; a disk that was full or busy may accept data after this time.
    private static let salvagePause = Duration.seconds(60)

    init(path: String, alarm: QueueAlarm, lock: QueueLock?) {
        // Resolves symbolic links, because a replacement must replace the file and not the link.
        let real = realpath(path, nil)
        defer { free(real) }
        self.path = real.map { String(cString: $0) } ?? path
        self.alarm = alarm
        self.lock = lock
    }

    /// Opens the file if it is closed, and creates it if it is missing; returns its contents, or nil if it was already open.
    ///
    /// Replaces a damaged file. The new file receives the engine state and the last sequence number from the damaged
    /// file, unless the program already has them. While the loop is running, a thread repairs the file, and the call
    /// throws until the repair ends.
    func connect(state: String?, lastSequence: Int64) throws(StoreError) -> Contents? {
        if database != nil, !isFileMissing { return nil }
        if repair != nil, let repairReason { throw repairReason }
        if let database {
            endThreads()
            (orphan, self.database, file) = (database, nil, nil)
        }
        if let orphan {
            guard FileNumber(of: path) != nil else { throw restore(orphan) }
            moveFormerLog()
            Database.close(orphan)
            (self.orphan, repairFault) = (nil, nil)
            reports.append(.exchanged(path: path))
        }
        if let fault = repairFault {
            repairFault = nil
            throw fault
        }
        DamagedFile.completeReplacement(at: path)
        do throws(StoreError) {
            if isFirstOpening { try checkLog() }
            return try open()
        } catch {
            if error.isOfEarlierVersion {
                reports.append(.begunAnew(error, aside: try EarlierFile.keepAside(path)))
                return try open()
            }
            guard alarm.showsDamage(error) else { throw error }
            try replace(because: error, state: state, lastSequence: lastSequence)
            return try open()
        }
    }

    /// Checks the log before SQLite does; if the log is damaged, no other thread may open the file until it is replaced.
    private func checkLog() throws(StoreError) {
        do throws(StoreError) {
            try LogCheck.check(path)
        } catch {
            alarm.forbidOpening()
            throw error
        }
    }

    /// Moves the log of a replaced file away, because SQLite would otherwise apply this log to the file that now has the name.
    private func moveFormerLog() {
        guard let log, log == FileNumber(of: path + "-wal") else { return }
        for suffix in ["-wal", "-shm"] { rename(path + suffix, path + ".former" + suffix) }
        self.log = nil
    }

    /// Returns the contents of a file that is readable but not writable; nil if it is not readable either, or has
    /// another schema.
    func contentsToRead() -> Contents? {
        guard let queue = try? Database.openToRead(path, patience: Database.startPatience_s) else { return nil }
        defer { Database.close(queue) }
        return try? queue.read(Self.contents)
    }

    /// Stores the damaged file under another name, and puts a new file in its place, which `connect` opens.
    ///
    /// While the loop is running, a thread replaces the file, and this call throws an error.
    func replace(because error: StoreError, state: String?, lastSequence: Int64) throws(StoreError) {
        close()
        let (path, tasks) = (path, tasks)
        let work = { @Sendable () throws(StoreError) -> Report in
            let aside = try DamagedFile.replace(path, state: state, lastSequence: lastSequence, unfinished: tasks)
            return .replaced(error, aside: aside)
        }
        guard isRunning else { return reports.append(try work()) }
        throw begin(because: .underRepair(path), work)
    }

    /// Begins to write the contents of the deleted file to a new file; returns the error that is in force until the new file
    /// exists.
    private func restore(_ orphan: DatabaseQueue) -> StoreError {
        let (path, reason) = (path, repairFault ?? .isGone(path))
        repairFault = nil
        return begin(because: reason) { () throws(StoreError) in
            try DeletedFile.restore(path, from: orphan)
            return .restored(path: path)
        }
    }

    /// Begins a repair on a thread; returns `reason`, which is the error in force until the repair ends.
    private func begin(
        because reason: StoreError, _ work: @escaping @Sendable () throws(StoreError) -> Report
    ) -> StoreError {
        repair = BackgroundJob(ringing: alarm) { _ in
            do throws(StoreError) { return .success(try work()) } catch { return .failure(error) }
        }
        // If the system cannot start a thread for the repair, the next call tries again.
        if repair?.isPending != true { repair = nil }
        repairReason = reason
        return reason
    }

    private func endThreads() {
        // SQLite (3.40) cannot be interrupted while it reads a tree. Reading a tree takes seconds in a large file. Do
        // not wait for the check.
        check?.abandon()
        salvage?.cancel()
        (check, salvage, salvageDue) = (nil, nil, nil)
    }

    /// Handles the results of the threads; returns whether a salvage has copied records, which targets can then fetch.
    func tend(at now: Instant) -> Bool {
        _ = check?.takeOutcome()
        takeRepair()
        if let due = salvageDue, due <= now, database != nil {
            salvageDue = nil
            carryOn()
        }
        guard let outcome = salvage?.takeOutcome() else { return false }
        salvage = nil
        switch outcome {
        case .ended(let records, let missing, let deleted):
            reports.append(.salvaged(path: tasks.removeFirst().path, records: records, missing: missing))
            if !deleted.isEmpty { reports.append(.deleted(paths: deleted)) }
            salvageFault = nil
            carryOn()
            return records > 0
        case .failed(let error):
            salvageDue = now + Self.salvagePause
            if error != salvageFault { reports.append(.salvageFailing(error)) }
            salvageFault = error
            return false
        case .cancelled: return false
        }
    }

    /// Whether the open file was deleted, renamed or replaced.
    var isFileMissing: Bool { database != nil && FileNumber(of: path) != file }

    /// Whether a repair has succeeded, and `connect` can open the file now.
    private(set) var isRepaired = false

    /// Waits for the running repair; returns false if there is none.
    func awaitRepair() -> Bool {
        guard let outcome = repair?.awaitOutcome() else { return false }
        note(outcome)
        return true
    }

    private func takeRepair() {
        if let outcome = repair?.takeOutcome() { note(outcome) }
    }

    private func note(_ outcome: Result<Report, StoreError>) {
        repair = nil
        switch outcome {
        case .success(let report):
            reports.append(report)
            if let orphan { Database.close(orphan) }
            (orphan, repairFault, isRepaired) = (nil, nil, true)
        case .failure(let error): repairFault = error
        }
    }

    /// Returns the damage that another thread has found in the open file; nil if there is none.
    func takeDamage() -> StoreError? {
        guard let file = alarm.take(), file == FileNumber(of: path), database != nil else { return nil }
        return StoreError(
            DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a page is damaged"), path: path, doing: .read)
    }

    func takeReports() -> [Report] {
        defer { reports = [] }
        return reports
    }

    /// Ends the threads and closes the file; `emptyingLog` is true at the end of the program.
    func close(emptyingLog: Bool = false) {
        endThreads()
        if let database { Database.close(database, emptyingLog: emptyingLog) }
        (database, file) = (nil, nil)
    }

    private func open() throws(StoreError) -> Contents {
        defer { isFirstOpening = false }
        let queue = try Database.open(
            path, .synced,
            patience: isRunning ? Double(Database.patience_ms) / 1000 : Database.startPatience_s)
        (file, isRepaired) = (FileNumber(of: path), false)
        lock?.follow()
        do {
            let (contents, isLarge, tasks) = try queue.read { database in
                (
                    try Self.contents(database), try isRunning || Self.isTooLargeToCheck(database),
                    try Self.tasks(database)
                )
            }
            self.tasks = tasks
            log = FileNumber(of: path + "-wal")
            if let file { alarm.noteOpening(of: file) }
            if isLarge { checkInBackground() }
            database = queue
            carryOn()
            return contents
        } catch {
            Database.close(queue)
            throw StoreError(error, path: path, doing: .read)
        }
    }

    /// Continues with the next damaged file.
    private func carryOn() {
        guard let task = tasks.first, salvage == nil else { return }
        let job = SalvageImport(task: task, path: path, turn: alarm.turn)
        salvage = BackgroundJob(ringing: alarm) { isCancelled in job.run(isCancelled) }
    }
}

// MARK: - Reading a file after it was opened

extension QueueDisk {
    private static func contents(_ database: GRDB.Database) throws -> Contents {
        // After a power cut, the newest row is the most likely row to be damaged.
        _ = try Row.fetchOne(database, sql: "SELECT * FROM record ORDER BY sequence DESC LIMIT 1")
        let last = try StoredState.lastSequence(database)
        guard RecordQueue.sequences.contains(last) else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "the last sequence number is \(last)")
        }
        return Contents(
            lastSequence: last, hasHeld: try HeldRecords.exist(in: database),
            state: try StoredState.read(database))
    }

    private static func tasks(_ database: GRDB.Database) throws -> [SalvageImport.Task] {
        try Row.fetchAll(database, sql: "SELECT path, through FROM salvage ORDER BY rowid")
            .map { SalvageImport.Task(path: $0["path"], through: $0["through"]) }
    }

    /// Checks a small file at once, and throws an error if it is damaged; returns true, without a check, for a large file.
    private static func isTooLargeToCheck(_ database: GRDB.Database) throws -> Bool {
        let pages = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
        let size = try Int.fetchOne(database, sql: "PRAGMA page_size") ?? PageSize.bytes
        guard pages * size <= largestChecked else { return true }
        let verdict = try String.fetchOne(database, sql: "PRAGMA quick_check(1)")
        guard verdict == "ok" else { throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: verdict) }
        return false
    }

    private static let largestChecked = 16 << 20

    /// Checks a large file in the background; rings the alarm if it is damaged.
    private func checkInBackground() {
        let (path, alarm) = (path, alarm)
        guard let file = FileNumber(of: path) else { return }
        check = BackgroundJob(ringing: alarm) { isCancelled in
            do throws(StoreError) {
                try StoreInspection.inspect(path, isCancelled: isCancelled)
            } catch {
                if alarm.showsDamage(error) { alarm.reportDamage(in: file) }
            }
        }
    }
}
