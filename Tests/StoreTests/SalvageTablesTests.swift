import Foundation
import GRDB
import Store
import Testing
import Tracking

/// A salvage keeps more than records: the small tables, and the damaged files as long as they are needed.
extension SalvageTests {
    @Test("A salvage copies orders and regions of servers, names of trips, decisions, traffic and counts of removals.")
    func otherTables() throws {
        let filled = try fill()
        let rows = """
            INSERT INTO inbox (key, target, id, body, expires_ms) VALUES
                (3, 'home', 'done', NULL, 1767225600000), (4, 'home', 'waiting', '{}', NULL);
            INSERT INTO trip_name (number, name) VALUES (1, '{1} Oslo'), (7, 'Rome');
            INSERT INTO decision (id, boot, since_boot_ms, time_ms, is_trusted, subject, text, count)
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
                SELECT i, 'first', i, i, 0, 'state', 'moving', 1 FROM n;
            INSERT INTO traffic (target, month, bytes) VALUES ('home', '2026-01', 5000000000);
            INSERT INTO server_regions (target, regions) VALUES ('home', '[]'), ('work', '[]');
            UPDATE removed SET delivered = 40, locations = 2 WHERE row = 'total';
            UPDATE removed SET delivered = 30 WHERE row = 'reported';
            UPDATE thinning SET through = 123
            """
        try folder.execute(rows)
        let before = try contents()
        var bytes = try Data(contentsOf: file)
        Damage.zeroed.apply(to: &bytes, page: try filled[150].page(in: bytes))
        try bytes.write(to: file)
        let queue = try RecordQueue(path: folder.database)
        // A trip's name may begin with a brace, as the stored state of the engine does.
        #expect(queue.restoredState?.state.logbook.tag == "at 299")
        #expect(try contents() == before)
        _ = try report(of: queue)
        queue.close()
    }

    /// The tables that a salvage copies as they are.
    private func contents() throws -> [String: [Row]] {
        let database = try DatabaseQueue(path: folder.database)
        defer { try? database.close() }
        return try database.read { database in
            try Dictionary(
                uniqueKeysWithValues: [
                    "inbox", "trip_name", "decision", "traffic", "removed", "thinning", "server_regions",
                ].map {
                    ($0, try Row.fetchAll(database, sql: "SELECT * FROM \($0) ORDER BY 1"))
                })
        }
    }

    @Test("The newest damaged files remain, and older ones are deleted after their records were copied.")
    func oldDamagedFiles() throws {
        _ = try fill()
        for number in 1...5 {
            let name = folder.database + ".damaged-\(number)"
            try Data("x".utf8).write(to: URL(fileURLWithPath: name))
            try Data("x".utf8).write(to: URL(fileURLWithPath: name + "-wal"))
        }
        // trackerd must still copy records from the first two files.
        for number in 1...2 {
            try folder.execute("INSERT INTO salvage (path, through) VALUES ('\(folder.database).damaged-\(number)', 0)")
        }
        var bytes = try Data(contentsOf: file)
        Damage.zeroed.apply(to: &bytes, page: middleLeaf(in: bytes))
        try bytes.write(to: file)
        let queue = try RecordQueue(path: folder.database)
        var deleted: [[String]] = []
        for _ in 1...3 {
            for case .deleted(let paths) in try reports(of: queue, at: 301, until: { false }) { deleted.append(paths) }
        }
        queue.close()
        let names = deleted.map { $0.map { $0.suffix(9) } }
        #expect(names == [["damaged-3", "damaged-1"], ["damaged-2"]])
        let remaining = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
            $0.contains("damaged-")
        }
        let numbers = Set(remaining.compactMap { $0.components(separatedBy: "damaged-").last?.first })
        #expect(numbers == ["4", "5", "6"])
    }
}
