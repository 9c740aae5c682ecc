import Contracts
@testable import Delivery
@testable import Formats
import Quantities
import Testing

@Suite("A record that the server refuses")
struct RefusedRecordTests {
    private let single = Delivery.Policy(order: .oldestFirst, batch: 1, window: 1)
    private let no = Verdict.refused(reason: "status 400: no")
    private let failing = UploadReport.Event.failing(reason: "the server refuses all records (status 400: no)")

    private static let failures: [Verdict] = [
        .refused(reason: "status 400"), .retry(reason: "status 502", after: nil), .unauthorised(reason: "status 403"),
        .linkFailed(reason: "the connection broke"), .timedOut(reason: "no answer"),
    ]
    private static let policies: [Delivery.Policy] = [
        .init(order: .oldestFirst, batch: 1, window: 1), .init(order: .liveFirst, batch: 100, window: 1),
        .init(order: .liveFirst, batch: 1, window: 20),
    ]

    /// Lets the server answer until the delivery rests; `verdict` is nil for a batch that the server accepts.
    ///
    /// A failure that is no refusal ends the connection, and with it the other batches in flight.
    private func run(_ link: inout Link, rounds: Int, _ verdict: ([Int64]) -> Verdict?) {
        for _ in 0..<rounds {
            guard let batch = link.batches.first else {
                guard link.armed != nil else { return }
                _ = link.timer()
                continue
            }
            let verdict = verdict(batch.sequences)
            if case .refused? = verdict {
                _ = link.settle(id: batch.id, verdict ?? .delivered)
            } else {
                _ = link.settle(verdict ?? .delivered, count: verdict == nil ? 1 : nil)
            }
        }
    }

    @Test(
        "A record that always fails is set aside whatever the failure is, and all others arrive.",
        arguments: failures, policies)
    func poison(failure: Verdict, policy: Delivery.Policy) {
        for poisonous in [[1], [8, 9, 30]] as [Set<Int64>] {
            var link = Link(records: 30, policy: policy)
            _ = link.handle(.recordsCommitted)
            for next in 31...90 as ClosedRange<Int64> {
                run(&link, rounds: 20) { poisonous.isDisjoint(with: $0) ? nil : failure }
                link.append(next)
                _ = link.handle(.recordsCommitted, after: .seconds(1))
            }
            run(&link, rounds: 1000) { poisonous.isDisjoint(with: $0) ? nil : failure }
            #expect(Set(link.aside) == poisonous)
            #expect(Set(link.marked) == Set(1...90).subtracting(poisonous))
        }
    }

    @Test(
        "A server that accepts nothing for a while gets all records later, and none is set aside.",
        arguments: failures, policies)
    func outage(failure: Verdict, policy: Delivery.Policy) {
        var link = Link(records: 40, policy: policy)
        _ = link.handle(.recordsCommitted)
        run(&link, rounds: 100) { _ in failure }
        run(&link, rounds: 1000) { _ in nil }
        #expect(link.aside == [] && Set(link.marked) == Set(1...40))
    }

    @Test("A server that fails at random sets no record aside.", arguments: failures, policies)
    func random(failure: Verdict, policy: Delivery.Policy) {
        for share in [0.3, 0.7] {
            var dice = Jitter(seed: UInt64(share * 10))
            var link = Link(records: 60, policy: policy)
            _ = link.handle(.recordsCommitted)
            run(&link, rounds: 600) { _ in dice.next() < share ? failure : nil }
            #expect(link.aside == [], "\(share)")
        }
    }

    @Test(
        "After a break of the connection the first record in flight goes alone, and after a time-out another one goes.")
    func suspect() {
        var link = Link(records: 9, policy: .init(order: .oldestFirst, batch: 1, window: 4))
        #expect(link.handle(.recordsCommitted) == [[1], [2], [3], [4]])
        #expect(link.settle(.linkFailed(reason: "broken")) == [])
        #expect(link.timer() == [[1]])
        #expect(link.settle(.linkFailed(reason: "broken")) == [])
        #expect(link.timer() == [[2]])
        #expect(link.settle(.delivered) == [[1]], "alone in flight")
        #expect(link.settle(.delivered) == [[3], [4], [5], [6]])
        #expect(link.settle(.timedOut(reason: "silent")) == [])
        #expect(link.timer() == [[4]])
        #expect(link.settle(.delivered) == [[5], [6], [7], [8]])
        #expect(link.settle(.delivered) == [[9]])
        #expect(link.settle(.delivered) == [[3]], "after all others")
    }

    @Test("A record that got no answer is sent again after the others, even if no new record comes.")
    func lastOne() {
        var link = Link(records: 4, policy: .init(order: .oldestFirst, batch: 1, window: 4))
        _ = link.handle(.recordsCommitted)
        #expect(link.settle(.timedOut(reason: "silent")) == [])
        #expect(link.timer() == [[2]])
        #expect(link.settle(.delivered) == [[3], [4]])
        #expect(link.settle(.delivered, count: 1) == [])
        #expect(link.settle(.delivered) == [[1]])
        #expect(link.settle(.delivered) == [])
        #expect(link.marked == [2, 3, 4, 1] && link.armed.map { $0 <= link.now } ?? true)
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
        #expect(link.settle(no) == [[1]])
        #expect(link.settle(no) == [])
        link.append(3)
        #expect(link.handle(.recordsCommitted, after: .milliseconds(500)) == [[3]])
        for next in 4...9 as ClosedRange<Int64> {
            run(&link, rounds: 3) { $0 == [1] ? no : nil }
            link.append(next)
            _ = link.handle(.recordsCommitted)
        }
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
        var link = Link(records: 300, policy: .init(order: .liveFirst, batch: 1, window: 1))
        var sent = link.handle(.recordsCommitted)
        for _ in 0..<2000 where !sent.isEmpty || link.armed != nil {
            if let batch = sent.first {
                sent = link.settle(batch.allSatisfy { $0 <= 30 } ? no : .delivered)
            } else {
                sent = link.timer()
            }
        }
        #expect(Set(link.marked) == Set(31...300))
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
