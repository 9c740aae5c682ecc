import Quantities
import Testing

@testable import Tracking

@Suite("The overspeed rule")
struct OverspeedRuleTests {
    private static let limit = MetresPerSecond(25)
    private var rule = OverspeedRule()
    private var second = 0.0

    /// Passes one fix per `interval` seconds with each of the speeds, in m/s.
    private mutating func drive(
        _ speeds: [Double], every interval: Double = 1, limit: MetresPerSecond = Self.limit
    ) throws -> [DrivingEvent] {
        var events: [DrivingEvent] = []
        for speed in speeds {
            second += interval
            events += rule.handle(try Samples.accepted(second, speed: speed), limit: limit)
        }
        return events
    }

    private func event(_ kind: DrivingEvent.Kind, lasted: Int, top: Double, limit: Double = 25) -> DrivingEvent {
        DrivingEvent(
            kind, peak: nil, lasted: .seconds(lasted), topSpeed: MetresPerSecond(top), limit: MetresPerSecond(limit))
    }

    @Test("Overspeed begins after five seconds above the limit, and its end states the top speed and the duration.")
    mutating func period() throws {
        #expect(try drive([20, 24, 27, 28, 30, 29, 28]).isEmpty)
        #expect(try drive([28]) == [event(.overspeed, lasted: 5, top: 30)])
        #expect(try drive([31, 28, 24, 23, 22, 22, 22]).isEmpty)
        #expect(try drive([22]) == [event(.overspeedEnded, lasted: 7, top: 31)])
        #expect(try drive([22, 22, 22, 22, 22, 22, 22]).isEmpty)
    }

    @Test(
        "A spike, single slow fixes between fast ones, and a speed within 3 % of the limit are not overspeed.",
        arguments: [
            [20, 60, 20, 20, 20, 20, 20], [30, 30, 30, 30, 24, 30, 30, 30, 30, 24], Array(repeating: 25.7, count: 20),
            [30, 30, 30, 30, 30, 25.7],
        ])
    mutating func spikes(speeds: [Double]) throws {
        #expect(try drive(speeds).isEmpty)
    }

    @Test("A speed between the limit and 3 % above it continues a period, and so does a short slow phase.")
    mutating func hysteresis() throws {
        _ = try drive(Array(repeating: 26, count: 6))
        #expect(try drive(Array(repeating: 25.5, count: 30) + [24, 24, 24, 24, 24, 26]).isEmpty)
        #expect(try drive(Array(repeating: 25, count: 6)) == [event(.overspeedEnded, lasted: 41, top: 26)])
    }

    @Test("Two fast fixes are not overspeed, even if ten seconds are between them.")
    mutating func rareFixes() throws {
        #expect(try drive([30, 30], every: 10).isEmpty)
        #expect(try drive([30], every: 10) == [event(.overspeed, lasted: 20, top: 30)])
    }

    @Test("A gap of more than 30 s ends a period at the last fix before the gap.")
    mutating func gap() throws {
        _ = try drive(Array(repeating: 30, count: 6))
        #expect(try drive([31], every: 30).isEmpty)
        #expect(try drive([32], every: 31) == [event(.overspeedEnded, lasted: 35, top: 31)])
        #expect(try drive([32, 32, 32, 32]).isEmpty)
        #expect(try drive([32]) == [event(.overspeed, lasted: 5, top: 32)])
    }

    @Test("A change of the limit ends a period, and the new limit applies at once.")
    mutating func limits() throws {
        _ = try drive(Array(repeating: 30, count: 6))
        #expect(
            try drive([30, 30, 30, 30, 30, 30], limit: MetresPerSecond(20)) == [
                event(.overspeedEnded, lasted: 5, top: 30), event(.overspeed, lasted: 5, top: 30, limit: 20),
            ])
        #expect(try drive([30], limit: .zero) == [event(.overspeedEnded, lasted: 5, top: 30, limit: 20)])
        #expect(try drive(Array(repeating: 30, count: 20), limit: .zero).isEmpty)
    }

    @Test("A stop ends a period that was reported, and no other.")
    mutating func stop() throws {
        _ = try drive([30, 30, 30])
        #expect(rule.end() == nil)
        _ = try drive(Array(repeating: 30, count: 8))
        #expect(rule.end() == event(.overspeedEnded, lasted: 7, top: 30))
        #expect(rule.end() == nil)
    }

    @Test("After a restart, a period continues, and is not reported again.")
    mutating func restart() throws {
        _ = try drive(Array(repeating: 30, count: 6))
        let spell = rule.spell
        #expect(spell != nil)
        rule = OverspeedRule(restoring: spell)
        #expect(try drive([30], every: 20).isEmpty)
        #expect(try drive(Array(repeating: 20, count: 6)) == [event(.overspeedEnded, lasted: 25, top: 30)])
        #expect(rule.spell == nil)
    }
}
