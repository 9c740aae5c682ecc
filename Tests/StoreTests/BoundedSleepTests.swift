import GRDB
import GRDBSQLite
import Glibc
import Store
import TestSupport
import Testing

@Suite("The pauses of SQLite")
struct BoundedSleepTests {
    @Test("Pauses between attempts to read the log are short, and pauses for another program's lock are as set.")
    func pauses() throws {
        let folder = TemporaryFolder()
        try RecordQueue(path: folder.database).close()
        let files = try #require(sqlite3_vfs_find(nil))
        let sleep = try #require(files.pointee.xSleep)
        #expect(sleep(files, 90 * 90 * 39) == 100)
        #expect(sleep(files, 39) == 39)
        #expect(sleep(files, 5000) == 5000)
    }
}
