import Quantities
import Testing

@Suite("Backoff")
struct BackoffTests {
    @Test("A back-off doubles each pause up to the longest pause, and begins again with the shortest after a success.")
    func doubling() {
        var backoff = Backoff.device
        let pauses = (1...8).map { _ in backoff.next() }
        #expect(pauses == [1, 2, 4, 8, 16, 32, 60, 60].map { .seconds($0) })
        backoff.reset()
        #expect(backoff.next() == .seconds(1))
    }

    @Test("The pause never exceeds the longest pause, after any number of failures.")
    func extremes() {
        let backoff = Backoff(first: .seconds(30), longest: .seconds(600))
        #expect([0, 1, 2, 5, 6, Int.max].map(backoff.pause) == [30, 30, 60, 480, 600, 600].map { .seconds($0) })
    }
}
