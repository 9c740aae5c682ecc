import Quantities
import Testing
import Tracking
import Contracts

@testable import Upload

@Suite("Delivery to a target")
struct DeliveryTests {
    @Test("asks for nothing and arms nothing when the queue is empty")
    func idle() {
        var link = Link(records: 0)
        #expect(link.tell(.recordsCommitted) == [])
        #expect(link.armed == nil)
        #expect(link.tell(.timer) == [])
    }

    @Test("sends the newest first when the program starts with a backlog, then the oldest in growing batches")
    func workers() {
        var link = Link(records: 100)
        #expect(link.tell(.recordsCommitted) == [[100]])
        #expect(link.settle(.delivered) == [Array(1...10)])
        #expect(link.settle(.delivered) == [Array(11...30)])
        #expect(link.settle(.delivered) == [Array(31...70)])
        #expect(link.settle(.delivered) == [Array(71...99)])
        #expect(link.settle(.delivered) == [])
        #expect(link.armed == nil)
        #expect(link.marked.sorted() == Array(1...100))
    }

    @Test("lets a new record overtake the backlog of an outage, but not before 5 s are over")
    func overtaking() {
        var link = Link(records: 100)
        _ = link.tell(.recordsCommitted)
        _ = link.settle(.delivered)
        link.append(101)
        #expect(link.tell(.recordsCommitted, after: .seconds(4)) == [])
        #expect(link.settle(.delivered) == [Array(11...30)])
        #expect(link.settle(.delivered, after: .seconds(1)) == [[101]])
        #expect(link.settle(.delivered) == [Array(31...70)])
    }

    @Test("has no live lane when the target wants the oldest first")
    func oldestFirst() {
        var link = Link(records: 12, policy: .init(order: .oldestFirst, batch: 100, window: 1))
        #expect(link.tell(.recordsCommitted) == [Array(1...10)])
        #expect(link.settle(.delivered) == [[11, 12]])
        #expect(link.batches.map(\.isNewest) == [true])
    }

    @Test("halves a refused batch until the record at fault is alone, and sets that aside when others are taken")
    func halving() {
        var link = Link(records: 9, policy: .init(order: .oldestFirst, batch: 100, window: 1))
        #expect(link.tell(.recordsCommitted) == [Array(1...9)])
        #expect(link.settle(.refused(reason: "status 400")) == [[1, 2, 3, 4]])
        #expect(link.settle(.delivered) == [[5, 6, 7, 8]])
        #expect(link.settle(.refused(reason: "status 400")) == [[5, 6]])
        #expect(link.settle(.refused(reason: "status 400")) == [[5]])
        #expect(link.settle(.delivered) == [[6]])
        #expect(link.settle(.refused(reason: "status 400")) == [[7]])
        #expect(link.settle(.delivered) == [[6]])
        #expect(link.aside == [], "one refusal is not enough")
        #expect(link.settle(.refused(reason: "status 400")) == [[8, 9]])
        #expect(link.settle(.delivered) == [])
        #expect(link.aside == [6])
        #expect(link.marked == [1, 2, 3, 4, 5, 7, 8, 9])
    }

    @Test("waits after failures for 1 s doubling to 5 min, give or take a quarter")
    func pauses() {
        var link = Link(records: 1)
        _ = link.tell(.recordsCommitted)
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

    @Test("does nothing before its time when a timer comes early")
    func earlyTimer() {
        var link = Link(records: 1)
        _ = link.tell(.recordsCommitted)
        _ = link.settle(.retry(reason: "down", after: .seconds(60)))
        #expect(link.tell(.timer, after: .seconds(59)) == [])
        #expect(link.timer() == [[1]])
    }

    @Test("obeys the server that asks to be left alone, up to a day", arguments: [(90, 90), (1_000_000, 86_400)])
    func retryAfter(asked: Int, waited: Int) {
        var link = Link(records: 1)
        _ = link.tell(.recordsCommitted)
        _ = link.settle(.retry(reason: "busy", after: .seconds(asked)))
        #expect(link.armed == link.now + .seconds(waited))
        #expect(link.tell(.recordsCommitted) == [])
    }

    @Test("tries hourly when the user is refused")
    func unauthorised() {
        var link = Link(records: 1)
        _ = link.tell(.recordsCommitted)
        _ = link.settle(.unauthorised(reason: "no"))
        #expect(link.armed == link.now + .seconds(3600))
        #expect(link.timer() == [[1]])
        _ = link.settle(.unauthorised(reason: "no"))
        #expect(link.reports == [.unauthorised(reason: "no")])
    }

    @Test("sends the newest first after an outage, and at once when the network returns")
    func outage() {
        var link = Link(records: 100)
        _ = link.tell(.recordsCommitted)
        _ = link.settle(.retry(reason: "down", after: .seconds(3600)))
        link.append(101)
        #expect(link.tell(.recordsCommitted, after: .seconds(10)) == [])
        #expect(link.tell(.networkReturned) == [[101]])
        #expect(link.settle(.delivered).first?.first == 1)
    }

    @Test("keeps the order while nothing is broken, also of records that wait for their round")
    func order() {
        var link = Link(
            records: 0, policy: .init(order: .liveFirst, syncInterval: .seconds(600), batch: 100, window: 1))
        #expect(link.tell(.recordsCommitted) == [])
        link.append(1)
        #expect(link.tell(.recordsCommitted) == [[1]])
        #expect(link.settle(.delivered) == [])
        for sequence in [100, 200, 300] as [Int64] {
            link.append(sequence)
            #expect(link.tell(.recordsCommitted, after: .seconds(100)) == [])
        }
        #expect(link.timer() == [[100, 200, 300]])
        #expect(link.settle(.delivered) == [])
    }

    @Test("keeps the order after an outage that has left less than a minute of records")
    func shortOutage() {
        var link = Link(records: 40)
        #expect(link.tell(.recordsCommitted) == [Array(1...10)])
        _ = link.settle(.retry(reason: "down", after: nil))
        link.append(41)
        #expect(link.timer() == [Array(1...5)])
    }

    @Test("begins an upload once in the interval, with what waited when it began")
    func syncInterval() {
        var link = Link(records: 1, policy: .init(order: .liveFirst, syncInterval: .seconds(60), batch: 1, window: 1))
        #expect(link.tell(.recordsCommitted) == [[1]])
        link.append(2)
        #expect(link.tell(.recordsCommitted, after: .seconds(10)) == [])
        #expect(link.settle(.delivered) == [])
        #expect(link.armed == Instant(seconds: 1060))
        link.append(3)
        #expect(link.tell(.recordsCommitted, after: .seconds(10)) == [])
        #expect(link.timer() == [[2]])
        #expect(link.settle(.delivered) == [[3]])
        #expect(link.settle(.delivered) == [])
        #expect(link.armed == nil)
    }

    @Test("keeps a window full of single records, and takes back those that were lost")
    func window() {
        var link = Link(records: 100, policy: .init(order: .liveFirst, batch: 1, window: 4))
        #expect(link.tell(.recordsCommitted) == [[100], [1], [2], [3]])
        #expect(link.batches.map(\.isNewest) == [true, false, false, false])
        #expect(link.settle(.delivered, count: 1) == [])
        #expect(link.settle(.delivered, count: 1) == [[4], [5]])
        #expect(link.settle(.retry(reason: "broken", after: nil)) == [])
        #expect(link.timer() == [[2]])
        #expect(link.settle(.delivered) == [[3], [4], [5], [6]])
    }

    @Test("takes back what was lost, though the queue had nothing more in the meantime")
    func lostAfterEmptyQueue() {
        var link = Link(records: 3, policy: .init(order: .liveFirst, batch: 1, window: 4))
        #expect(link.tell(.recordsCommitted) == [[1], [2], [3]])
        #expect(link.settle(.delivered, count: 2) == [])
        #expect(link.settle(.retry(reason: "broken", after: nil)) == [])
        #expect(link.timer() == [[3]])
    }

    @Test("passes over records that the format has no words for")
    func withheld() {
        var link = Link(records: 3, policy: .init(order: .oldestFirst, batch: 1, window: 1))
        _ = link.tell(.recordsCommitted)
        #expect(link.settle(.withheld) == [[2]])
        #expect(link.settle(.delivered) == [[3]])
        #expect(link.marked == [1, 2])
    }

    @Test("waits for a queue that does not work, tells it once, and sends again what could not be noted")
    func brokenQueue() {
        var link = Link(records: 1)
        _ = link.tell(.recordsCommitted)
        link.queue.setBroken(true)
        #expect(link.settle(.delivered) == [])
        #expect(link.timer() == [])
        #expect(link.timer() == [])
        link.queue.setBroken(false)
        #expect(link.timer() == [[1]])
        #expect(link.settle(.delivered) == [])
        #expect(link.marked == [1])
        #expect(
            link.reports == [
                .delivered(count: 1, withheld: 0), .queueFailing(reason: "queue: the disk is full"),
                .delivered(count: 1, withheld: 0),
            ])
    }

    @Test("shrinks its batches when the link is slow")
    func slowLink() {
        var link = Link(records: 100, policy: .init(order: .oldestFirst, batch: 100, window: 1))
        #expect(link.tell(.recordsCommitted) == [Array(1...10)])
        #expect(link.settle(.delivered, after: .seconds(20)) == [Array(11...15)])
        #expect(link.settle(.delivered, after: .seconds(10)) == [Array(16...20)])
        #expect(link.settle(.delivered, after: .seconds(1)) == [Array(21...30)])
    }
}

@Suite("A queue in memory")
struct MemoryQueueTests {
    @Test("keeps the contract", arguments: DeliveryQueueContract.allCases)
    func contract(clause: DeliveryQueueContract) throws {
        #expect(try clause.violations { MemoryQueue($0) } == [])
    }
}
