import Devices
import Testing

@Suite("The pauses between attempts")
struct BackoffTests {
    @Test("double from a second to a minute, and begin anew after a success")
    func doubling() {
        var backoff = Backoff()
        let pauses = (1...8).map { _ in backoff.next() }
        #expect(pauses == [1, 2, 4, 8, 16, 32, 60, 60].map { .seconds($0) })
        backoff.reset()
        #expect(backoff.next() == .seconds(1))
    }
}
