import Foundation
import Store
import Testing

@Suite("The inspection of the database file")
struct StoreInspectionTests {
    private let folder = TemporaryFolder()

    @Test("A database that is open for writing passes the inspection.")
    func inOrder() throws {
        let path = folder.path + "/queue.sqlite"
        let queue = try RecordQueue(path: path)
        try withExtendedLifetime(queue) { try StoreInspection.inspect(path) }
    }

    @Test("The inspection finds a file that is no database.")
    func noDatabase() throws {
        let path = folder.path + "/queue.sqlite"
        try Data(repeating: 7, count: 5000).write(to: URL(fileURLWithPath: path))
        let error = #expect(throws: StoreError.self) { try StoreInspection.inspect(path) }
        #expect(error?.isDamaged == true)
    }

    @Test("The inspection finds an overwritten page.")
    func damaged() throws {
        let path = folder.path + "/queue.sqlite"
        try RecordQueue(path: path).close()
        try FileManager.default.removeItem(atPath: path + "-wal")  // Otherwise, SQLite reads the page from the log.
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(bytes.count > 8192)
        bytes.replaceSubrange(4096..<4196, with: Data(repeating: 0xFF, count: 100))
        try bytes.write(to: URL(fileURLWithPath: path))
        let error = #expect(throws: StoreError.self) { try StoreInspection.inspect(path) }
        #expect(error?.isDamaged == true)
    }

    @Test("The inspection does not create a missing file.")
    func absent() {
        let path = folder.path + "/queue.sqlite"
        #expect(throws: StoreError.self) { try StoreInspection.inspect(path) }
        #expect(!FileManager.default.fileExists(atPath: path))
    }
}
