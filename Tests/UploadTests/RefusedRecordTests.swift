import Quantities
import Testing
import Contracts

@testable import Upload

@Suite("A record that the server refuses")
struct RefusedRecordTests {
    private let single = Delivery.Policy(order: .oldestFirst, batch: 1, window: 1)
    private let no = Verdict.refused(reason: "status 400: no")
    private let failing = UploadReport.Event.failing(reason: "the server refuses all records (status 400: no)")

    @Test("A record is set aside if it is refused twice and the server accepts another record after each refusal.")
    func poison() {
        var link = Link(records: 4, policy: single)
        #expect(link.handle(.recordsCommitted) == [[1]])
        #expect(link.settle(no) == [[2]])
        #expect(link.settle(.delivered) == [[1]])
        #expect(link.settle(no) == [[3]])
        #expect(link.aside == [])
        #expect(link.settle(.delivered) == [[4]])
        #expect(link.aside == [1])
        #expect(link.reports.contains(.setAside(sequence: 1, reason: "status 400: no")))
        #expect(link.settle(.delivered) == [])
        #expect(link.armed == nil)
    }

    @Test("A server that accepts no record gets single records after growing pauses, and none is set aside.")
    func refusingServer() {
        var link = Link(records: 50, policy: single)
        _ = link.handle(.recordsCommitted)
        #expect(link.settle(no) == [[2]])
        var pauses: [Double] = []
        for _ in 0..<200 {
            if link.settle(no).isEmpty {
                pauses.append(link.armed.map { ($0 - link.now).inSeconds } ?? 0)
                #expect(link.timer().count == 1)
            }
        }
        #expect(link.aside == [])
        #expect(pauses[0] < 2 && pauses[3] > 4 && pauses.suffix(50).allSatisfy { $0 > 200 })
        #expect(link.reports == [failing])
        // The server works again: every record arrives, and the program has set none aside.
        while !link.batches.isEmpty { _ = link.settle(.delivered) }
        #expect(Set(link.marked) == Set(1...50))
        #expect(link.aside == [])
        #expect(link.armed == nil)
    }

    @Test("A record on which the server fails again and again is set aside, and the others arrive.")
    func crashes() {
        var link = Link(records: 40, policy: .init(order: .oldestFirst, batch: 10, window: 1))
        var sent = link.handle(.recordsCommitted)
        let crash = Verdict.crashed(reason: "the server answers with status 500", after: nil)
        for _ in 0..<200 where !sent.isEmpty || link.armed != nil {
            if sent.isEmpty { sent = link.timer() }
            guard let batch = sent.first else { continue }
            sent = link.settle(batch.contains(3) ? crash : .delivered)
        }
        #expect(link.aside == [3])
        #expect(Set(link.marked) == Set(1...40).subtracting([3]))
    }

    @Test("A server that fails on every record for a while gets all records later, and none is set aside.")
    func crashesOnEverything() {
        var link = Link(records: 40, policy: .init(order: .oldestFirst, batch: 10, window: 1))
        _ = link.handle(.recordsCommitted)
        let crash = Verdict.crashed(reason: "the server answers with status 500", after: nil)
        for _ in 0..<300 { if link.settle(crash).isEmpty { _ = link.timer() } }
        #expect(link.aside == [])
        for _ in 0..<200 { if link.settle(.delivered).isEmpty { _ = link.timer() } }
        #expect(link.aside == [] && Set(link.marked) == Set(1...40))
    }

    @Test("A single refused record is sent again after growing pauses, without delaying a new record.")
    func onlyOne() {
        var link = Link(records: 1, policy: single)
        _ = link.handle(.recordsCommitted)
        for pause in [1.0, 2, 4, 8, 16, 32, 64] {
            #expect(link.settle(no) == [])
            #expect(link.armed.map { ($0 - link.now).inSeconds >= pause * 0.75 } == true)
            #expect(link.timer() == [[1]])
        }
        #expect(link.settle(no) == [])
        #expect(link.reports == [failing])
        link.append(2)
        #expect(link.handle(.recordsCommitted, after: .seconds(1)) == [[2]])
        #expect(link.settle(.delivered) == [[1]])
        #expect(link.settle(no) == [])
        link.append(3)
        #expect(link.handle(.recordsCommitted, after: .milliseconds(500)) == [[3]])
        #expect(link.settle(.delivered) == [])
        #expect(link.aside == [1])
    }

    @Test("A refused record is delivered if the server accepts it later.")
    func secondThoughts() {
        var link = Link(records: 3, policy: single)
        _ = link.handle(.recordsCommitted)
        #expect(link.settle(no) == [[2]])
        #expect(link.settle(.delivered) == [[1]])
        #expect(link.settle(.delivered) == [[3]])
        #expect(link.settle(.delivered) == [])
        #expect(link.marked == [2, 1, 3])
        #expect(link.aside == [])
    }

    @Test("Refused records do not delay others, however many are refused in a row.")
    func manyInARow() {
        var link = Link(records: 100, policy: .init(order: .liveFirst, batch: 1, window: 1))
        var sent = link.handle(.recordsCommitted)
        for _ in 0..<1000 where !sent.isEmpty || link.armed != nil {
            if let batch = sent.first {
                sent = link.settle(batch.allSatisfy { $0 <= 30 } ? no : .delivered)
            } else {
                sent = link.timer()
            }
        }
        #expect(Set(link.marked) == Set(31...100))
        #expect(link.aside.sorted() == Array(1...30))
    }

    @Test("A record that cannot be encoded is set aside at once.")
    func unwritable() {
        var link = Link(records: 2, policy: single)
        _ = link.handle(.recordsCommitted)
        #expect(link.settle(.unwritable(reason: "not finite")) == [[2]])
        #expect(link.aside == [1])
        #expect(link.reports == [.unsendable(sequences: [1], reason: "not finite")])
    }
}
