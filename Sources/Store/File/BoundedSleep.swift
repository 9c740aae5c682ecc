import GRDBSQLite
import Glibc

/// Limits how long SQLite sleeps inside one call, because the loop would have to wait with it.
///
/// If SQLite cannot map the index of the write-ahead log, for example because the disk is full, it tries 100 times, with pauses of
/// ten seconds in total, and then fails with SQLITE_PROTOCOL (`walTryBeginRead` in https://sqlite.org/src/file/src/wal.c). No
/// setting shortens these pauses. They are multiples of 39 µs. The pauses for `busy_timeout` are multiples of 1 ms; they remain,
/// because the program sets that time itself.
enum BoundedSleep {
    /// The longest pause in µs between two attempts to read the log, so that 100 attempts take 10 ms.
    static let longest_us: CInt = 100

    /// Makes SQLite use these pauses in all connections that the program opens from now on.
    static func install() { _ = isInstalled }

    private static let isInstalled: Bool = {
        guard let standard = sqlite3_vfs_find(nil) else { return false }
        // SQLite keeps the structure until the program ends.
        let files = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        files.initialize(to: standard.pointee)
        files.pointee.zName = UnsafePointer(strdup("trackerd"))
        files.pointee.xSleep = { _, pause_us in
            let bounded_us = pause_us % 1000 == 0 ? pause_us : min(pause_us, BoundedSleep.longest_us)
            usleep(UInt32(max(0, bounded_us)))
            return bounded_us
        }
        return sqlite3_vfs_register(files, 1) == SQLITE_OK
    }()
}
