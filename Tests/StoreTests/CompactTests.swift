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

    @Test("A state is restored from its rows and from the components that differ from them.")
    func change() throws {
        let rows = ["a": #"{"x":[1,2],"y":"long"}"#, "b": #"{"z":1}"#, "c": "{}"]
        for texts in [["a": #"{"x":[1,3],"y":"longer"}"#, "b": "{}"], ["c": #"{"w":true}"#], rows, [:]] {
            let change = try #require(StateChange(to: texts, from: rows))
            #expect(change.applied(to: rows) == rows.merging(texts) { $1 })
        }
        #expect(StateChange(to: ["new": "{}"], from: rows) == nil)
    }

    @Test("A damaged change leaves the rows as they are, also one that would expand to a very long text.")
    func damagedChange() throws {
        let rows = ["a": #"{"x":[1,2],"y":"long"}"#]
        let change = try #require(StateChange(to: ["a": String(repeating: "x", count: 100_000)], from: rows))
        for (base, names, bytes) in [
            (change.base + 1, "a", change.bytes), (change.base, "a b", change.bytes),
            (change.base, "a", Array(change.bytes.dropLast(3))), (change.base, "a", [0xFF] + change.bytes),
            (change.base, "a", change.bytes + Array(repeating: 0, count: 512)),
        ] { #expect(StateChange(base: base, components: names, bytes: bytes).applied(to: rows) == rows) }
    }

    @Test("A component is written only when it has changed.")
    func components() throws {
        var coder = StateCoder()
        var state = EngineState()
        let first = coder.write(state)
        #expect(Set(first.keys) == Set(EngineState.components.map(\.name)))
        state.logbook.tag = "van"
        let second = coder.write(state)
        #expect(second.filter { first[$0.key] != $0.value }.keys.sorted() == ["logbook"])
        #expect(coder.read(second) == StateCoder().read(second) && coder.read(second).state == state)
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
        // A commit writes the page of the state, the page of the record, and sometimes a new page, the parent of that page,
        // and the first page of the file.
        #expect(frames <= 3 * 200, "\(frames) pages")
        let other = try RecordQueue(path: folder.database)
        #expect(other.restoredState?.state.logbook.tag == "at 200.0")
        try commit(other, at: 201)
        #expect(try RecordQueue(path: folder.database).restoredState?.state.logbook.tag == "at 201.0")
    }

    @Test("A change of the state that belongs to other rows is ignored.")
    func otherBase() throws {
        let queue = try RecordQueue(path: folder.database)
        for second in [0.0, 1] { try commit(queue, .ping, at: second) }
        try DatabaseQueue(path: folder.database).write { database in
            let size = try Int.fetchOne(database, sql: "SELECT length(change) FROM progress")
            #expect(size ?? 0 > 0)
            try database.execute(sql: #"UPDATE state SET value = '{"tag":"other"}' WHERE component = 'logbook'"#)
        }
        #expect(try RecordQueue(path: folder.database).restoredState?.state.logbook.tag == "other")
    }
}
