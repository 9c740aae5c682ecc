import Quantities
import Testing

@testable import Upload

@Suite("The interval between uploads")
struct SyncIntervalTests {
    @Test("An interval begins with the first record that is sent, not with a query that found none.")
    func emptyQueue() {
        var link = Link(records: 0, policy: .init(order: .liveFirst, syncInterval: .seconds(60), batch: 1, window: 1))
        #expect(link.handle(.recordsCommitted) == [])
        link.append(1)
        #expect(link.handle(.recordsCommitted, after: .seconds(50)) == [[1]])
        #expect(link.settle(.delivered) == [])
        link.append(2)
        // 70 s after the query, 20 s after the upload.
        #expect(link.handle(.recordsCommitted, after: .seconds(20)) == [])
        #expect(link.armed == Instant(seconds: 1110))
        #expect(link.timer() == [[2]])
    }
}
