import Contracts
import GRDB
import Quantities
import Testing
import Tracking

@testable import Store

@Suite("The store of a server's orders")
struct InboxTests {
    private let folder = TemporaryFolder()

    private func order(_ id: String, expires: Timestamp? = nil) -> StoredOrder {
        StoredOrder(target: "home", id: id, body: #"{"request":"\#(id)"}"#, expires: expires)
    }

    private func accept(_ orders: StoredOrder...) throws -> [OrderAcceptance] {
        let table = try DeliveryTable(path: folder.database)
        defer { table.close() }
        return try orders.map(table.accept)
    }

    /// Carries out an order, which makes one record, and does not commit.
    private func carryOut(_ queue: RecordQueue, at reading: ClockReading = .sample()) throws {
        let waiting = try #require(queue.waitingOrders.first)
        queue.begin(waiting)
        let report = OrderReport(
            target: "home", id: waiting.id, request: "mode", isAccepted: true, text: "Done.", data: nil)
        let record = Record(
            .order(report), time: reading.time, isTimeTrusted: true, position: nil, isMoving: false,
            odometer: Metres(0), trip: nil)
        _ = queue.append(record, state: EngineState(), at: reading)
        // A record of an event usually causes a commit at once, but not within an order.
        _ = try queue.settle(at: reading)
        #expect(queue.waitingCount == 1)
    }

    @Test("Orders wait in the order of their arrival, also after a restart.")
    func waiting() throws {
        _ = try RecordQueue(path: folder.database)
        #expect(try accept(order("a"), order("b")) == [.stored, .stored])
        let queue = try RecordQueue(path: folder.database)
        #expect(queue.waitingOrders.map(\.id) == ["a", "b"])
        #expect(queue.waitingOrders.first?.body == #"{"request":"a"}"#)
    }

    @Test("After a power cut before the commit of an order, the order remains, and has had no effect.")
    func cutBefore() throws {
        let queue = try RecordQueue(path: folder.database)
        _ = try accept(order("a"))
        try carryOut(queue)
        // The test opens the file without a flush, as after a power cut.
        let next = try RecordQueue(path: folder.database)
        #expect(next.waitingOrders.map(\.id) == ["a"])
        #expect(next.committedSequence == 0)
    }

    @Test("While an order is carried out, an urgent record is not committed; after the order, it is committed at once.")
    func gathering() throws {
        let queue = try RecordQueue(path: folder.database)
        _ = try accept(order("a"))
        try carryOut(queue)
        #expect(queue.committedSequence == 0)
        queue.endOrder()
        #expect(try queue.settle(at: .sample()))
        #expect(queue.committedSequence == 1 && queue.waitingCount == 0)
    }

    @Test("After its commit, an order no longer waits, and its ID is not accepted again.")
    func once() throws {
        let queue = try RecordQueue(path: folder.database)
        _ = try accept(order("a"))
        try carryOut(queue)
        #expect(queue.waitingOrders.isEmpty, "it was carried out, although it is not on disk")
        queue.endOrder()
        _ = try queue.flush(at: .sample())
        let next = try RecordQueue(path: folder.database)
        #expect(next.waitingOrders.isEmpty && next.committedSequence == 1)
        #expect(try accept(order("a")) == [.known])
    }

    @Test("An ID is forgotten a week after the expiry of its order, but only if the clock is right.")
    func expiry() throws {
        let queue = try RecordQueue(path: folder.database)
        let expires = Timestamp(milliseconds: 1_777_888_800_000)
        _ = try accept(order("a", expires: expires), order("b", expires: expires + .seconds(7200)), order("c"))
        for (span, isTrusted) in [(8 * 86_400, false), (60, true), (7 * 86_400 + 1, true)] {
            let reading = ClockReading.sample(time: expires + .seconds(span), isTrusted: isTrusted)
            try carryOut(queue, at: reading)
            queue.endOrder()
            _ = try queue.flush(at: reading)
            let isForgotten = isTrusted && span > 60
            #expect(try accept(order("a", expires: expires)) == [isForgotten ? .stored : .known])
        }
        #expect(try accept(order("b", expires: expires)) == [.known])
    }

    @Test("The waiting orders and the IDs of a target are bounded, and only IDs that cannot come again make room.")
    func bounds() throws {
        _ = try RecordQueue(path: folder.database)
        for number in 1...64 { #expect(try accept(order("\(number)")) == [.stored]) }
        #expect(try accept(order("65")) == [.full])
        let other = StoredOrder(target: "other", id: "1", body: "{}", expires: nil)
        #expect(try accept(other) == [.stored], "the waiting orders of a target keep no other target out")
        let database = try DatabaseQueue(path: folder.database)
        try database.write { try $0.execute(sql: "UPDATE inbox SET body = NULL") }
        for number in 65...Inbox.mostRemembered {
            #expect(try accept(order("\(number)")) == [.stored])
            try database.write { try $0.execute(sql: "UPDATE inbox SET body = NULL") }
        }
        #expect(try accept(order("new")) == [.stored], "the oldest ID that trackerd made itself makes room")
        try database.write { try $0.execute(sql: "UPDATE inbox SET body = NULL, expires_ms = 1") }
        #expect(try accept(order("newer")) == [.full], "an ID of the sender may come again until it expires")
    }
}
