import Foundation
import GRDB
import Quantities
import Synchronization
import Testing

@testable import Store

@Suite("The turns of the threads that write to the database")
struct WriteTurnTests {
    private let folder = TemporaryFolder()
    private let turn = WriteTurn()

    private func connection() throws -> DatabaseQueue {
        try RecordQueue(path: folder.database).close()
        return try turn.open(folder.database)
    }

    @Test("A thread does not wait for another program while it has the turn, because the loop would wait with it.")
    func waitsOutsideTheTurn() throws {
        let queue = try connection()
        var patience_ms: Int?
        try turn.writePatiently(queue) { patience_ms = try Int.fetchOne($0, sql: "PRAGMA busy_timeout") }
        #expect(patience_ms == 0)
        #expect(try queue.read { try Int.fetchOne($0, sql: "PRAGMA busy_timeout") } == 20)
    }

    @Test("A table of the loop waits for a long transaction of another thread, although it hardly waits for a program.")
    func waitsForThreads() throws {
        try RecordQueue(path: folder.database).close()
        let alarm = QueueAlarm()
        let queue = try alarm.turn.open(folder.database)
        let setAside = try SetAsideTable(path: folder.database, alarm: alarm)
        let trips = try TripTable(beside: setAside)
        for write in [{ _ = try setAside.sendAgain([], to: "van") }, { try trips.setName("Work", of: 1) }] {
            let begun = DispatchSemaphore(value: 0)
            let thread = Thread {
                try? alarm.turn.write(queue) { database in
                    try database.execute(sql: "INSERT INTO trip_name VALUES (7, 'Other')")
                    begun.signal()
                    usleep(10 * UInt32(Database.patience_ms) * 1000)
                    try database.execute(sql: "DELETE FROM trip_name WHERE number = 7")
                }
            }
            thread.start()
            begun.wait()
            try write()
        }
        let stranger = try SetAsideTable(path: folder.database)
        try queue.write { database in
            try database.execute(sql: "DELETE FROM trip_name")
            _ = #expect(throws: StoreError.self) { try stranger.sendAgain([], to: "van") }
        }
    }

    @Test("A cancelled thread does not try again to write to a database that another program has locked.")
    func cancelled() throws {
        let queue = try connection()
        let other = try DatabaseQueue(path: folder.database)
        var questions = 0
        let isCancelled = {
            questions += 1
            return questions == 3
        }
        try other.write { _ in
            _ = #expect(throws: DatabaseError.self) {
                try turn.writePatiently(queue, unless: isCancelled) { try $0.execute(sql: "DELETE FROM record") }
            }
        }
        #expect(questions == 3)
    }
}
