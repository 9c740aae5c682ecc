@testable import Delivery
@testable import Formats
import Quantities
import Testing

@Suite("Deliveries stored together")
struct SettlementsTests {
    private let start = Instant(seconds: 100)

    private func outcomes(_ ids: ClosedRange<Int>, _ verdict: Verdict = .delivered) -> [BatchOutcome] {
        ids.map { BatchOutcome(id: $0, verdict: verdict) }
    }

    @Test("Deliveries are stored when half of the window is delivered, or after a second.")
    func waiting() {
        var settlements = Settlements(window: 20)
        settlements.add(outcomes(1...9), at: start)
        #expect(settlements.take(inFlight: 20, at: start + .milliseconds(999)) == [])
        #expect(settlements.deadline == start + .seconds(1))
        #expect(settlements.take(inFlight: 20, at: start + .seconds(1)) == outcomes(1...9))
        #expect(settlements.deadline == nil)
        settlements.add(outcomes(1...10), at: start)
        #expect(settlements.take(inFlight: 20, at: start) == outcomes(1...10))
    }

    @Test("Deliveries do not wait if no other batch is in flight, or if a batch was not delivered.")
    func notWaiting() {
        var settlements = Settlements(window: 20)
        settlements.add(outcomes(1...1), at: start)
        #expect(settlements.take(inFlight: 1, at: start) == outcomes(1...1))
        settlements.add(outcomes(1...2), at: start)
        settlements.add(outcomes(3...3, .refused(reason: "status 400")), at: start)
        #expect(
            settlements.take(inFlight: 20, at: start) == outcomes(1...2)
                + outcomes(3...3, .refused(reason: "status 400")))
    }

    @Test("Deliveries do not wait in a window of one batch.")
    func batches() {
        var settlements = Settlements(window: 1)
        settlements.add(outcomes(1...1), at: start)
        #expect(settlements.take(inFlight: 1, at: start).count == 1)
    }
}
