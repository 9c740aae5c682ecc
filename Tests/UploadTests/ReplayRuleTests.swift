import Contracts
import Delivery
import Formats
import Quantities
import Testing
import Tracking
import TrackingOptions

@Suite("Records that a target missed")
struct ReplayRuleTests {
    /// Returns a link whose first upload, with record 5, has failed.
    ///
    /// Minutes later, the records 106 (a stop), 107 and 108 were added.
    private func afterOutage(_ rule: ReplayRule, window: Int = 1) -> Link {
        var link = Link(records: 0, policy: .init(order: .liveFirst, replay: rule, batch: 100, window: window))
        for sequence in 1...5 { link.append(Int64(sequence)) }
        _ = link.handle(.recordsCommitted)
        _ = link.settle(.retry(reason: "down", after: .seconds(60)))
        link.append(stop: 106)
        link.append(107)
        link.append(108)
        _ = link.handle(.recordsCommitted)
        return link
    }

    @Test("Under `replay: all`, all missed records are delivered later.")
    func all() {
        var link = afterOutage(.all)
        #expect(link.timer() == [[108]])
        var sent: [Int64] = []
        while !link.batches.isEmpty { sent += link.settle(.delivered).flatMap { $0 } }
        #expect(sent == [1, 2, 3, 4, 5, 106, 107])
        #expect(link.marked.sorted() == [1, 2, 3, 4, 5, 106, 107, 108])
    }

    @Test("Under `replay: stops`, only missed stops are delivered later.")
    func stops() {
        var link = afterOutage(.stops)
        #expect(link.timer() == [[108]])
        #expect(link.settle(.delivered) == [[106]])
        #expect(link.settle(.delivered) == [])
        #expect(link.marked == [108, 106])
        #expect(link.armed == nil)
        #expect(link.reports.contains(.passedOver(count: 6)))
    }

    @Test("Under `replay: none`, missed records are not delivered, except the newest.", arguments: [1, 20])
    func none(window: Int) {
        var link = afterOutage(.none, window: window)
        #expect(link.timer() == [[108]])
        #expect(link.settle(.delivered) == [])
        #expect(link.marked == [108])
        #expect(link.armed == nil)
        link.append(109)
        #expect(link.handle(.recordsCommitted) == [[109]])
    }

    @Test(
        "The newest record is sent again until it arrives, under every replay rule.",
        arguments: [ReplayRule.none, .stops])
    func newest(rule: ReplayRule) {
        var link = Link(records: 1, policy: .init(order: .liveFirst, replay: rule, batch: 100, window: 1))
        _ = link.handle(.recordsCommitted)
        for _ in 0..<5 {
            #expect(link.settle(.retry(reason: "down", after: nil)) == [])
            #expect(link.timer() == [[1]])
        }
        #expect(link.settle(.delivered) == [])
        #expect(link.marked == [1])
    }

    @Test("No record counts as missed while the target answers, however many wait.", arguments: ReplayRule.allCases)
    func backlog(rule: ReplayRule) {
        var link = Link(records: 30, policy: .init(order: .liveFirst, replay: rule, batch: 100, window: 1))
        _ = link.handle(.recordsCommitted)
        while !link.batches.isEmpty { _ = link.settle(.delivered) }
        #expect(link.marked.count == 30)
    }

    @Test(
        "A record that the owner sends again after the outage is delivered under every replay rule.",
        arguments: [ReplayRule.none, .stops])
    func onRequest(rule: ReplayRule) {
        var link = afterOutage(rule)
        _ = link.timer()
        while !link.batches.isEmpty { _ = link.settle(.delivered) }
        // The program had set this record aside before the outage.
        link.append(50)
        #expect(link.handle(.networkReturned) == [[50]])
    }

    @Test("The target passes over missed records again if the queue could not store that they were passed over.")
    func brokenQueue() {
        var link = afterOutage(.none)
        link.queue.setBroken(true)
        #expect(link.timer() == [])
        link.queue.setBroken(false)
        #expect(link.timer() == [[108]])
        #expect(link.settle(.delivered) == [])
        #expect(link.marked == [108])
        #expect(link.armed == nil)
    }
}
