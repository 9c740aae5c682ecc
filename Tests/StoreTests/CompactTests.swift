import Foundation
import GRDB
import Quantities
@testable import Store
import TestSupport
import Testing
import Tracking

@Suite("The size of a commit")
struct CompactTests {
    private let folder = TemporaryFolder()

    @Test("A state is restored from its base and its change, with members that changed, appeared or disappeared.")
    func change() throws {
        let base = #"{"a":{"x":[1,2],"y":"}\",{"},"b":1,"d":null,"gone":true}"#
        for next in [#"{"a":{"x":[1,3],"y":"}\",{"},"b":1,"c":"new","d":null}"#, "{}", base] {
            let bytes = try #require(StateChange.bytes(from: base, to: next))
            #expect(StateChange.text(bytes, on: base) == next)
        }
        #expect(StateChange.bytes(from: "far", to: base) == nil)
    }

    private func record(_ content: Tracking.Record.Content = .location, _ second: Double) -> Tracking.Record {
        Tracking.Record(
            content, time: Timestamp(milliseconds: 1_767_225_600_000 + Int64(second * 1000)), isTimeTrusted: true,
            position: nil, isMoving: true, odometer: Metres(second), trip: 1)
    }

    private func commit(_ queue: RecordQueue, _ content: Tracking.Record.Content = .location, at second: Double) throws
    {
        var state = EngineState()
        state.logbook.tag = "at \(second)"
        _ = queue.append(record(content, second), state: state, at: .sample(at: second))
        _ = try queue.flush(at: .sample(at: second))
    }

    @Test(
        "Each commit of a location changes one page of the state and one of the records, and stores the last state."
    )
    func pages() throws {
        let queue = try RecordQueue(path: folder.database)
        try commit(queue, .motionchange, at: 0)
        let log = folder.database + "-wal"
        let before = try Data(contentsOf: URL(fileURLWithPath: log)).count
        for second in 1...200 { try commit(queue, at: Double(second)) }
        let frames = (try Data(contentsOf: URL(fileURLWithPath: log)).count - before) / (PageSize.bytes + 24)
        // A commit writes the page of the state, the page of the record, and sometimes a new page, the parent of that page, and the
        // first page of the file.
        #expect(frames <= 3 * 200, "\(frames) pages")
        let other = try RecordQueue(path: folder.database)
        #expect(other.restoredState?.state.logbook.tag == "at 200.0")
        try commit(other, at: 201)
        #expect(try RecordQueue(path: folder.database).restoredState?.state.logbook.tag == "at 201.0")
    }

    @Test("A change of the state that belongs to another base is ignored.")
    func otherBase() throws {
        let queue = try RecordQueue(path: folder.database)
        for second in [0.0, 1] { try commit(queue, .ping, at: second) }
        try DatabaseQueue(path: folder.database).write { database in
            let size = try Int.fetchOne(database, sql: "SELECT length(change) FROM progress")
            #expect(size ?? 0 > 0)
            try database.execute(sql: #"UPDATE engine SET state = '{"tag":"other"}'"#)
        }
        #expect(try RecordQueue(path: folder.database).restoredState?.state.logbook.tag == "other")
    }
}
