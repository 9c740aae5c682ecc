import GRDB
import Glibc
import Quantities

/// The database file, which may be damaged, locked, full or not mounted. It is opened as soon as possible; a damaged
/// file is replaced, and its readable records are copied into the new one.
package final class QueueDisk {
    struct Contents {
        let lastSequence: Int64
        let hasHeld: Bool
        let state: StateTexts?
    }

    package typealias Report = DiskReport

    /// Nil while the file is unavailable.
    private(set) var database: DatabaseQueue?
    private var reports: [Report] = []

    let path: String
    let alarm: QueueAlarm
    private let lock: QueueLock?
    /// True until `open`; until then, no other thread of the program has the file open.
    private var isFirstOpening = true
    private var file: FileNumber?
    private var log: FileNumber?
    /// The data of a deleted or renamed file remain until this connection is closed.
    private var orphan: DatabaseQueue?
    private var repair = DiskRepair()
    /// True while the loop is running; operations on its thread must then be short.
    var isRunning = false
    private var check: BackgroundJob<Void>?
    private var salvage = SalvageSchedule()
    private var wasMissing = false

    init(path: String, alarm: QueueAlarm, lock: QueueLock?) {
        // Resolves symbolic links, because a replacement must replace the file and not the link.
        let real = realpath(path, nil)
        defer { free(real) }
        self.path = real.map { String(cString: $0) } ?? path
        self.alarm = alarm
        self.lock = lock
    }

    /// Opens or creates the file, and returns its contents; nil if it was open already. A new file in place of a
    /// damaged one gets the given state, or else that of the damaged file, and the higher of the given number and the
    /// damaged file's. While the loop is running, a thread makes the new file, and this call throws until the thread
    /// has ended.
    func connect(state: StateTexts?, lastSequence: Int64) throws(StoreError) -> Contents? {
        if database != nil, !isFileMissing { return nil }
        if let reason = repair.runningReason { throw reason }
        if let database {
            endThreads()
            (orphan, self.database, file) = (database, nil, nil)
        }
        if let orphan {
            guard FileNumber(of: path) != nil else { throw restore(orphan) }
            moveFormerLog()
            Database.close(orphan)
            self.orphan = nil
            _ = repair.takeFault()
            reports.append(.exchanged(path: path))
        }
        if let fault = repair.takeFault() { throw fault }
        FileReplacement.completeReplacement(at: path)
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

    /// If the log is damaged, no other thread may open the file until it is replaced.
    private func checkLog() throws(StoreError) {
        do throws(StoreError) {
            try LogCheck.check(path)
        } catch {
            alarm.forbidOpening()
            throw error
        }
    }

    /// Moves the log of a replaced file away, because SQLite would apply it to the file that now has the name.
    private func moveFormerLog() {
        guard let log, log == FileNumber(of: path + "-wal") else { return }
        for suffix in ["-wal", "-shm"] { rename(path + suffix, path + ".former" + suffix) }
        self.log = nil
    }

    /// Nil if the file is not readable, or has another schema.
    func contentsToRead() -> Contents? {
        guard let queue = try? Database.openToRead(path, patience: Database.startPatience_s) else { return nil }
        defer { Database.close(queue) }
        return try? queue.read(Self.contents)
    }

    /// While the loop is running, a thread replaces the file, and this call throws an error.
    func replace(because error: StoreError, state: StateTexts?, lastSequence: Int64) throws(StoreError) {
        close()
        let (path, tasks) = (path, salvage.tasks)
        let work = { @Sendable () throws(StoreError) -> Report in
            let aside = try FileReplacement.replace(path, state: state, lastSequence: lastSequence, unfinished: tasks)
            return .replaced(error, aside: aside)
        }
        guard isRunning else { return reports.append(try work()) }
        throw repair.begin(because: .underRepair(path), ringing: alarm, work)
    }

    /// Returns the error that is in force until a thread has written the contents of the deleted file to a new one.
    private func restore(_ orphan: DatabaseQueue) -> StoreError {
        let (path, reason) = (path, repair.takeFault() ?? .isGone(path))
        return repair.begin(because: reason, ringing: alarm) { () throws(StoreError) in
            try DeletedFile.restore(path, from: orphan)
            return .restored(path: path)
        }
    }

    private func endThreads() {
        // Do not wait for the check: SQLite (3.40) cannot be interrupted while it reads a tree, which takes seconds.
        check?.abandon()
        check = nil
        salvage.cancel()
    }

    /// Returns whether a salvage has copied records, which targets can then fetch.
    func tend(at now: Instant) -> Bool {
        _ = check?.takeOutcome()
        if let report = repair.takeReport() { add(report) }
        wasMissing = isFileMissing
        let (found, hasCopied) = salvage.tend(path: path, alarm: alarm, isOpen: database != nil, at: now)
        reports += found
        return hasCopied
    }

    var isFileMissing: Bool { database != nil && FileNumber(of: path) != file }

    /// True if `tend` has found the file missing.
    var isKnownMissing: Bool { database != nil && wasMissing }

    var isRepaired: Bool { repair.isDone }

    var salvageDue: Instant? { salvage.due }

    func awaitRepair() -> Bool {
        let (isRunning, report) = repair.awaitEnd()
        if let report { add(report) }
        return isRunning
    }

    private func add(_ report: Report) {
        reports.append(report)
        if let orphan { Database.close(orphan) }
        orphan = nil
    }

    func takeDamage() -> StoreError? {
        guard let file = alarm.take(), file == FileNumber(of: path), database != nil else { return nil }
        return StoreError(
            DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a page is damaged"), path: path, doing: .read)
    }

    func takeReports() -> [Report] {
        defer { reports = [] }
        return reports
    }

    /// `emptyingLog` is true at the end of the program.
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
        file = FileNumber(of: path)
        wasMissing = false
        repair.fileOpened()
        lock?.follow()
        do {
            let (contents, isLarge, tasks) = try queue.read { database in
                (
                    try Self.contents(database), try isRunning || Self.isTooLargeToCheck(database),
                    try Self.tasks(database)
                )
            }
            log = FileNumber(of: path + "-wal")
            if let file { alarm.noteOpening(of: file) }
            if isLarge { checkInBackground() }
            database = queue
            salvage.begin(tasks, path: path, alarm: alarm)
            return contents
        } catch {
            Database.close(queue)
            throw StoreError(error, path: path, doing: .read)
        }
    }
}

// MARK: - Reading a file after it was opened

extension QueueDisk {
    private static func contents(_ database: GRDB.Database) throws -> Contents {
        // After a power cut, the newest row is the most likely to be damaged.
        _ = try Row.fetchOne(database, sql: "SELECT * FROM record ORDER BY sequence DESC LIMIT 1")
        let last = try StoredState.lastSequence(database)
        guard RecordTable.numbers.contains(last) else {
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

    /// Checks a small file at once, and throws an error if it is damaged; does not check a large file.
    private static func isTooLargeToCheck(_ database: GRDB.Database) throws -> Bool {
        let pages = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
        let size = try Int.fetchOne(database, sql: "PRAGMA page_size") ?? PageSize.bytes
        guard pages * size <= largestChecked else { return true }
        let verdict = try String.fetchOne(database, sql: "PRAGMA quick_check(1)")
        guard verdict == "ok" else { throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: verdict) }
        return false
    }

    private static let largestChecked = 16 << 20

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
