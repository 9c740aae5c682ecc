import Contracts
@testable import Delivery
@testable import Formats
import Quantities
import Testing
import Tracking
import TrackingOptions

@Suite("Delivery to a target")
struct DeliveryTests {
    @Test("An empty queue causes neither an upload nor a timer.")
    func idle() {
        var link = Link(records: 0)
        #expect(link.handle(.recordsCommitted) == [])
        #expect(link.armed == nil)
        #expect(link.handle(.timer) == [])
    }

    @Test("After a start with a backlog, the newest record is sent first, then the oldest records in growing batches.")
    func workers() {
        var link = Link(records: 100)
        #expect(link.handle(.recordsCommitted) == [[100]])
        #expect(link.settle(.delivered) == [Array(1...10)])
        #expect(link.settle(.delivered) == [Array(11...30)])
        #expect(link.settle(.delivered) == [Array(31...70)])
        #expect(link.settle(.delivered) == [Array(71...99)])
        #expect(link.settle(.delivered) == [])
        #expect(link.armed == nil)
        #expect(link.marked.sorted() == Array(1...100))
    }

    @Test("A new record overtakes the backlog of an outage, at most once in 5 s.")
    func overtaking() {
        var link = Link(records: 100)
        _ = link.handle(.recordsCommitted)
        _ = link.settle(.delivered)
        link.append(101)
        #expect(link.handle(.recordsCommitted, after: .seconds(4)) == [])
        #expect(link.settle(.delivered) == [Array(11...30)])
        #expect(link.settle(.delivered, after: .seconds(1)) == [[101]])
        #expect(link.settle(.delivered) == [Array(31...70)])
    }

    @Test("A new record overtakes a backlog that is dated after it, because the clock was wrong before.")
    func wrongClock() {
        var link = Link(records: 100)
        _ = link.handle(.recordsCommitted)
        _ = link.settle(.delivered)
        link.append(101, earlierBy: .seconds(86_400))
        #expect(link.settle(.delivered, after: .seconds(5)) == [[101]])
    }

    @Test("A shorter sync interval applies at once to waiting records, and a longer one from the next upload on.")
    func changedInterval() {
        var link = Link(
            records: 1, policy: .init(order: .oldestFirst, syncInterval: .seconds(3600), batch: 100, window: 1))
        #expect(link.handle(.recordsCommitted) == [[1]])
        #expect(link.settle(.delivered) == [])
        link.append(2)
        #expect(link.handle(.recordsCommitted, after: .seconds(60)) == [])
        #expect(link.handle(.rules(UploadRules(syncInterval: .zero, replay: .all))) == [[2]])
        #expect(link.settle(.delivered) == [])
        #expect(link.handle(.rules(UploadRules(syncInterval: .seconds(600), replay: .all))) == [])
        link.append(3)
        #expect(link.handle(.recordsCommitted, after: .seconds(599)) == [])
        #expect(link.timer() == [[3]])
    }

    @Test("A new replay rule also applies to records that the target has missed already.")
    func changedReplay() {
        var link = Link(records: 3, policy: .init(order: .oldestFirst, batch: 100, window: 1))
        #expect(link.handle(.recordsCommitted) == [[1, 2, 3]])
        #expect(link.settle(.retry(reason: "down", after: nil)) == [])
        #expect(link.handle(.rules(UploadRules(syncInterval: .zero, replay: .none))) == [])
        link.append(4)
        _ = link.handle(.recordsCommitted)
        #expect(link.timer() == [[4]])
    }

    @Test("Upload rules survive their encoding as a number for the upload thread.", arguments: ReplayRule.allCases)
    func storedRules(replay: ReplayRule) {
        for interval in [Duration.zero, .milliseconds(1), .seconds(20), .seconds(86_400)] {
            let rules = UploadRules(syncInterval: interval, replay: replay)
            #expect(UploadRules(stored: rules.stored) == rules)
        }
        #expect(UploadRules(stored: 0) == nil)
    }

    @Test("No record overtakes others if the target's order is `oldestFirst`.")
    func oldestFirst() {
        var link = Link(records: 12, policy: .init(order: .oldestFirst, batch: 100, window: 1))
        #expect(link.handle(.recordsCommitted) == [Array(1...10)])
        #expect(link.settle(.delivered) == [[11, 12]])
        #expect(link.batches.map(\.isNewest) == [true])
    }

    @Test("A refused batch is halved down to the faulty record, which is set aside once other records are accepted.")
    func halving() {
        var link = Link(records: 9, policy: .init(order: .oldestFirst, batch: 100, window: 1))
        #expect(link.handle(.recordsCommitted) == [Array(1...9)])
        #expect(link.settle(.refused(reason: "status 400")) == [[1, 2, 3, 4]])
        #expect(link.settle(.delivered) == [[5, 6, 7, 8]])
        #expect(link.settle(.refused(reason: "status 400")) == [[5, 6]])
        #expect(link.settle(.refused(reason: "status 400")) == [[5]])
        #expect(link.settle(.delivered) == [[6]])
        #expect(link.settle(.refused(reason: "status 400")) == [[7]])
        #expect(link.settle(.delivered) == [[6]])
        #expect(link.settle(.refused(reason: "status 400")) == [[6]], "the same record once more, without a pause")
        #expect(link.settle(.refused(reason: "status 400")) == [[8, 9]])
        #expect(link.settle(.delivered) == [[6]])
        #expect(link.aside == [], "two failures are not enough")
        #expect(link.marked == [1, 2, 3, 4, 5, 7, 8, 9])
    }

    @Test("The pause after failures is 1 s at first, doubles up to 5 min, and varies by ±25 %.")
    func pauses() {
        var link = Link(records: 1)
        _ = link.handle(.recordsCommitted)
        for expected in [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300] {
            #expect(link.settle(.retry(reason: "down", after: nil)) == [])
            let pause = link.armed.map { ($0 - link.now).inSeconds } ?? 0
            #expect(pause >= 0.75 * Double(expected) && pause <= 1.25 * Double(expected))
            #expect(link.timer() == [[1]])
        }
        #expect(link.settle(.delivered) == [])
        #expect(
            link.reports == [.failing(reason: "down"), .recovered(failures: 12), .delivered(count: 1, withheld: 0)])
    }

    @Test("Without a network, uploads pause for an hour, and the return of the network ends the pause.")
    func noNetwork() {
        var link = Link(records: 1)
        #expect(link.handle(.recordsCommitted) == [[1]])
        #expect(link.settle(.retry(reason: "unreachable", after: nil)) == [])
        #expect(link.handle(.networkLost) == [])
        #expect(link.armed == link.now + .seconds(3600))
        link.append(2)
        #expect(link.handle(.recordsCommitted, after: .seconds(1000)) == [])
        #expect(link.handle(.networkReturned) == [[1]], "the record that failed goes alone")
        // A new network may need some seconds until names are resolved.
        for _ in 0..<5 {
            #expect(link.settle(.retry(reason: "no address", after: nil)) == [])
            #expect((link.armed ?? .boot) - link.now <= .seconds(1.25))
            #expect(link.timer().count == 1)
        }
        #expect(link.settle(.delivered) != [])
    }

    @Test("A failure without a network pauses uploads until the network returns, for at most an hour.")
    func failsOffline() {
        var link = Link(records: 1)
        #expect(link.handle(.networkLost) == [])
        #expect(link.handle(.recordsCommitted) == [[1]], "the server may be this computer")
        #expect(link.settle(.retry(reason: "unreachable", after: nil)) == [])
        #expect(link.armed == link.now + .seconds(3600))
        #expect(link.handle(.networkReturned) == [[1]])
        #expect(link.settle(.delivered) == [])
        #expect(link.marked == [1])
    }

    @Test("Records in flight during a change of the network are sent again at once, and this counts as no failure.")
    func postponed() {
        var link = Link(records: 3)
        #expect(link.handle(.recordsCommitted) == [[1, 2, 3]])
        #expect(link.settle(.postponed) == [[1, 2, 3]])
        #expect(link.settle(.delivered) == [])
        #expect(link.reports == [.delivered(count: 3, withheld: 0)])
    }

    @Test("An early timer has no effect.")
    func earlyTimer() {
        var link = Link(records: 1)
        _ = link.handle(.recordsCommitted)
        _ = link.settle(.retry(reason: "down", after: .seconds(60)))
        #expect(link.handle(.timer, after: .seconds(59)) == [])
        #expect(link.timer() == [[1]])
    }

    @Test("While the queue is read-only, the target gets each record once and in order, including new records.")
    func readOnlyQueue() {
        var link = Link(records: 30, policy: .init(order: .oldestFirst, batch: 10, window: 1))
        link.queue.setReadOnly(true)
        var sent = link.handle(.recordsCommitted)
        for _ in 0..<10 where sent.count < 3 {
            #expect(link.settle(.delivered) == [])
            sent += link.timer()
        }
        #expect(sent.flatMap { $0 } == Array(1...30))
        #expect(link.settle(.delivered) == [])
        link.append(31)
        #expect(link.timer() == [[31]])
        #expect(link.settle(.delivered) == [])
        for _ in 0..<5 { #expect(link.timer() == []) }
        #expect(link.marked == [])
        link.queue.setReadOnly(false)
        #expect(link.timer() == [])
        #expect(Set(link.marked) == Set(1...31))
        link.append(32)
        #expect(link.handle(.recordsCommitted) == [[32]])
    }

    @Test("A pause that the server requests is observed, up to a day.", arguments: [(90, 90), (1_000_000, 86_400)])
    func retryAfter(asked: Int, waited: Int) {
        var link = Link(records: 1)
        _ = link.handle(.recordsCommitted)
        _ = link.settle(.retry(reason: "busy", after: .seconds(asked)))
        #expect(link.armed == link.now + .seconds(waited))
        #expect(link.handle(.recordsCommitted) == [])
    }

    @Test(
        "A server that rejects the user gets further attempts soon, and hourly once it has rejected the user for 10 min."
    )
    func unauthorised() {
        var link = Link(records: 1)
        _ = link.handle(.recordsCommitted)
        for pause in [5, 30, 120, 600, 3600, 3600] {
            #expect(link.settle(.unauthorised(reason: "no")) == [])
            #expect(link.armed == link.now + .seconds(pause))
            #expect(link.timer() == [[1]])
        }
        #expect(link.reports == [.unauthorised(reason: "no")])
    }

    @Test("When the network returns after an outage, the newest record is sent at once and before the others.")
    func outage() {
        var link = Link(records: 100)
        _ = link.handle(.recordsCommitted)
        _ = link.settle(.retry(reason: "down", after: .seconds(3600)))
        link.append(101)
        #expect(link.handle(.recordsCommitted, after: .seconds(10)) == [])
        #expect(link.handle(.networkReturned) == [[101]])
        #expect(link.settle(.delivered).first?.first == 1)
    }

    @Test("Without an outage, records are sent in order, even if they wait for the sync interval.")
    func order() {
        var link = Link(
            records: 0, policy: .init(order: .liveFirst, syncInterval: .seconds(600), batch: 100, window: 1))
        #expect(link.handle(.recordsCommitted) == [])
        link.append(1)
        #expect(link.handle(.recordsCommitted) == [[1]])
        #expect(link.settle(.delivered) == [])
        for sequence in [100, 200, 300] as [Int64] {
            link.append(sequence)
            #expect(link.handle(.recordsCommitted, after: .seconds(100)) == [])
        }
        #expect(link.timer() == [[100, 200, 300]])
        #expect(link.settle(.delivered) == [])
    }

    @Test("After an outage that left less than a minute of records, these records are sent in order.")
    func shortOutage() {
        var link = Link(records: 40)
        #expect(link.handle(.recordsCommitted) == [Array(1...10)])
        _ = link.settle(.retry(reason: "down", after: nil))
        link.append(41)
        #expect(link.timer() == [Array(1...5)])
    }

    @Test("Uploads begin at most once in the sync interval, each with the records that wait at that moment.")
    func syncInterval() {
        var link = Link(records: 1, policy: .init(order: .liveFirst, syncInterval: .seconds(60), batch: 1, window: 1))
        #expect(link.handle(.recordsCommitted) == [[1]])
        link.append(2)
        #expect(link.handle(.recordsCommitted, after: .seconds(10)) == [])
        #expect(link.settle(.delivered) == [])
        #expect(link.armed == Instant(seconds: 1060))
        link.append(3)
        #expect(link.handle(.recordsCommitted, after: .seconds(10)) == [])
        #expect(link.timer() == [[2]])
        #expect(link.settle(.delivered) == [[3]])
        #expect(link.settle(.delivered) == [])
        #expect(link.armed == nil)
    }

    @Test("The sync interval begins with the first record that is sent, not with a query that found no record.")
    func emptyQueue() {
        var link = Link(records: 0, policy: .init(order: .liveFirst, syncInterval: .seconds(60), batch: 1, window: 1))
        #expect(link.handle(.recordsCommitted) == [])
        link.append(1)
        #expect(link.handle(.recordsCommitted, after: .seconds(50)) == [[1]])
        #expect(link.settle(.delivered) == [])
        link.append(2)
        // This moment is 70 s after the query, but only 20 s after the upload.
        #expect(link.handle(.recordsCommitted, after: .seconds(20)) == [])
        #expect(link.armed == Instant(seconds: 1110))
        #expect(link.timer() == [[2]])
    }

    @Test("A window of single records is refilled after each delivery, and lost records are sent again.")
    func window() {
        var link = Link(records: 100, policy: .init(order: .liveFirst, batch: 1, window: 4))
        #expect(link.handle(.recordsCommitted) == [[100], [1], [2], [3]])
        #expect(link.batches.map(\.isNewest) == [true, false, false, false])
        #expect(link.settle(.delivered, count: 1) == [])
        #expect(link.settle(.delivered, count: 1) == [[4], [5]])
        #expect(link.settle(.retry(reason: "broken", after: nil)) == [])
        #expect(link.timer() == [[2]])
        #expect(link.settle(.delivered) == [[3], [4], [5], [6]])
    }

    @Test("Lost records are sent again even if the queue had no more records in between.")
    func lostAfterEmptyQueue() {
        var link = Link(records: 3, policy: .init(order: .liveFirst, batch: 1, window: 4))
        #expect(link.handle(.recordsCommitted) == [[1], [2], [3]])
        #expect(link.settle(.delivered, count: 2) == [])
        #expect(link.settle(.retry(reason: "broken", after: nil)) == [])
        #expect(link.timer() == [[3]])
    }

    @Test("Records that the target's format cannot express are not sent.")
    func withheld() {
        var link = Link(records: 3, policy: .init(order: .oldestFirst, batch: 1, window: 1))
        _ = link.handle(.recordsCommitted)
        #expect(link.settle(.withheld) == [[2]])
        #expect(link.settle(.delivered) == [[3]])
        #expect(link.marked == [1, 2])
    }

    @Test("A failing queue is reported once, and deliveries that could not be stored are stored later.")
    func brokenQueue() {
        var link = Link(records: 1)
        _ = link.handle(.recordsCommitted)
        link.queue.setBroken(true)
        #expect(link.settle(.delivered) == [])
        #expect(link.timer() == [])
        #expect(link.timer() == [])
        link.queue.setBroken(false)
        #expect(link.timer() == [])
        #expect(link.marked == [1])
        #expect(
            link.reports == [
                .delivered(count: 1, withheld: 0), .queueFailing(reason: "queue: the disk is full"),
            ])
    }

    @Test("Batches shrink on a slow link.")
    func slowLink() {
        var link = Link(records: 100, policy: .init(order: .oldestFirst, batch: 100, window: 1))
        #expect(link.handle(.recordsCommitted) == [Array(1...10)])
        #expect(link.settle(.delivered, after: .seconds(20)) == [Array(11...15)])
        #expect(link.settle(.delivered, after: .seconds(10)) == [Array(16...20)])
        #expect(link.settle(.delivered, after: .seconds(1)) == [Array(21...30)])
    }
}

@Suite("The queue in memory")
struct MemoryQueueTests {
    @Test("The queue in memory fulfils the contract of a delivery queue.", arguments: DeliveryQueueContract.allCases)
    func contract(clause: DeliveryQueueContract) throws {
        #expect(try clause.violations { MemoryQueue($0) } == [])
    }
}
