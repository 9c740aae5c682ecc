import Foundation
import Store
import Testing

@Suite("A look at the database file")
struct StoreInspectionTests {
    private let folder = TemporaryFolder()

    @Test("finds nothing wrong with one that is written at the same time")
    func inOrder() throws {
        let path = folder.path + "/queue.sqlite"
        let queue = try RecordQueue(path: path)
        try withExtendedLifetime(queue) { try StoreInspection.inspect(path) }
    }

    @Test("finds a file that is no database")
    func noDatabase() throws {
        let path = folder.path + "/queue.sqlite"
        try Data(repeating: 7, count: 5000).write(to: URL(fileURLWithPath: path))
        let error = #expect(throws: StoreError.self) { try StoreInspection.inspect(path) }
        #expect(error?.isDamaged == true)
    }

    @Test("finds a page that was overwritten")
    func damaged() throws {
        let path = folder.path + "/queue.sqlite"
        try RecordQueue(path: path).close()
        try FileManager.default.removeItem(atPath: path + "-wal")  // Else the page is read from the log.
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(bytes.count > 8192)
        bytes.replaceSubrange(4096..<4196, with: Data(repeating: 0xFF, count: 100))
        try bytes.write(to: URL(fileURLWithPath: path))
        let error = #expect(throws: StoreError.self) { try StoreInspection.inspect(path) }
        #expect(error?.isDamaged == true)
    }

    @Test("does not make the file that it looks for")
    func absent() {
        let path = folder.path + "/queue.sqlite"
        #expect(throws: StoreError.self) { try StoreInspection.inspect(path) }
        #expect(!FileManager.default.fileExists(atPath: path))
    }
}
