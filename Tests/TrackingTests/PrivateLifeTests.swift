import Quantities
import TestSupport
import Testing

@testable import Tracking

@Suite("Private periods in a random sequence of events")
struct PrivateLifeTests {
    @Test(
        "While a period is private, no effect contains a position, and no later record shows a position from it.",
        arguments: 0..<30)
    func leaks(seed: Int) throws {
        var life = EventfulLife(seed: seed, isPrivate: true)
        life.live(steps: 1500)
        #expect(life.leaks.isEmpty, "seed \(seed)")
        let (hidden, shown) = (life.steps.filter(\.isPrivate), life.steps.filter { !$0.isPrivate })
        let kinds: Set<Record.Kind> = [
            .ping, .providerchange, .power, .health, .optionschange, .driving, .request, .order,
        ]
        for step in hidden { #expect(kinds.contains(step.record.kind), "seed \(seed): \(step.record)") }
        for step in shown {
            let place = step.record.position.map { life.privatePlace?.contains($0.coordinate) ?? true } ?? false
            #expect(!place, "seed \(seed): \(step.record)")
        }
        #expect(!hidden.isEmpty, "seed \(seed)")
    }

    @Test("Outside of private periods, most random lives record positions.")
    func positions() {
        let lives = (0..<8).map { seed in
            var life = EventfulLife(seed: seed, isPrivate: true)
            life.live(steps: 1500)
            return life
        }
        #expect(lives.count { $0.steps.contains { !$0.isPrivate && $0.record.position != nil } } >= 5)
    }
}
