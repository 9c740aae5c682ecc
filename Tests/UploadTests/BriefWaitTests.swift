import Glibc
import Quantities
import Testing
@testable import Upload

@Suite("The wait of the upload thread")
struct BriefWaitTests {
    @Test("Only after a brief wait does the thread test the sockets before it sleeps.")
    func afterBriefWait() {
        var calls = 0
        // Each reading of the clock takes 30 µs, so the limit of 100 µs is over after four readings.
        func clock() -> Instant {
            calls += 1
            return .boot + .microseconds(30 * calls)
        }
        func wait() -> Int {
            calls = 0
            var none: [pollfd] = []
            #expect(waiting.poll(&none, timeout_ms: 1, clock: clock) == 0)
            return calls
        }
        var waiting = BriefWait()
        #expect(wait() == 2, "The first wait sleeps at once.")
        #expect(wait() == 6, "The second wait reads the clock four times more.")
        #expect(wait() == 2, "The second wait was not brief.")
    }

    @Test("A socket that is ready ends the wait at once, and the next wait tests the sockets again.")
    func ready() throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        defer { ends.forEach { close($0) } }
        #expect(write(ends[1], "x", 1) == 1)
        var waiting = BriefWait()
        for _ in 0..<3 {
            var sockets = [pollfd(fd: ends[0], events: Int16(POLLIN), revents: 0)]
            #expect(waiting.poll(&sockets, timeout_ms: -1) { .boot } == 1)
            #expect(sockets[0].revents == Int16(POLLIN))
        }
    }

    @Test("A wait without time does not count as brief, because every such wait is short.")
    func noTime() {
        var waiting = BriefWait()
        var none: [pollfd] = []
        var calls = 0
        func clock() -> Instant {
            calls += 1
            return .boot
        }
        for _ in 0..<3 {
            #expect(waiting.poll(&none, timeout_ms: 0, clock: clock) == 0)
        }
        #expect(calls <= 6)
    }
}
