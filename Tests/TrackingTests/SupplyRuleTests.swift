import Quantities
import Testing

@testable import Tracking

@Suite("The battery of the vehicle")
struct SupplyRuleTests {
    private var rule = SupplyRule(limit: Volts(11.8))

    /// Measures the voltage once a second; returns the changes with their times.
    private mutating func measure(_ volts: Double, from start: Int, seconds: Int) -> [(Int, SupplyRule.Change)] {
        (start..<(start + seconds)).compactMap { second in
            rule.measure(Volts(volts), at: .at(Double(second))).map { (second, $0) }
        }
    }

    @Test("The battery is low when it has been below the limit for a minute.")
    mutating func low() {
        let noticed = measure(11.5, from: 0, seconds: 120)
        #expect(noticed.map(\.0) == [60])
        #expect(noticed.map(\.1) == [.low])
        #expect(rule.isLow)
    }

    @Test("The battery is not low while the starter cranks, nor at the limit.", arguments: [(9.0, 59), (11.8, 600)])
    mutating func cranking(volts: Double, seconds: Int) {
        #expect(measure(volts, from: 0, seconds: seconds).isEmpty)
        #expect(measure(12.6, from: seconds, seconds: 1).isEmpty)
        #expect(measure(9, from: seconds + 1, seconds: 59).isEmpty)
    }

    @Test("The battery has recovered when it has been 0.3 V above the limit for a minute, and not before.")
    mutating func back() {
        _ = measure(11.5, from: 0, seconds: 61)
        #expect(measure(12.0, from: 61, seconds: 200).isEmpty)
        let noticed = measure(12.2, from: 300, seconds: 100)
        #expect(noticed.map(\.0) == [360])
        #expect(noticed.map(\.1) == [.back])
    }

    @Test("The battery is exhausted when it has been low for ten minutes, and remains exhausted until it recovers.")
    mutating func exhausted() {
        _ = measure(11.5, from: 0, seconds: 61)
        let noticed = measure(11.5, from: 61, seconds: 602)
        #expect(noticed.map(\.0) == [660, 661, 662])
        #expect(noticed.allSatisfy { $0.1 == .exhausted })
    }

    @Test("The battery is not judged without a limit.")
    mutating func unknown() {
        rule = SupplyRule(limit: nil)
        #expect(measure(3, from: 0, seconds: 1000).isEmpty)
    }
}
