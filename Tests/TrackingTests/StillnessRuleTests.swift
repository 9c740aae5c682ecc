import Quantities
import Testing

@testable import Tracking

@Suite("A stop by stillness")
struct StillnessRuleTests {
    private var rule = StillnessRule(timeout: .seconds(180), radius: Metres(70))

    @Test("A stop by stillness is confirmed when the delay is over, and has the time at which the stillness began.")
    mutating func confirmed() {
        #expect(rule.handle(.still, at: .at(10)) == .arm(at: .at(190)))
        #expect(rule.handle(.still, at: .at(100)) == .none)
        #expect(rule.handle(.timer, at: .at(190)) == .confirmStop(since: .at(10)))
    }

    @Test("A stop by stillness is not confirmed when motion comes first.", arguments: [1.0, 90, 179])
    mutating func interrupted(second: Double) {
        _ = rule.handle(.still, at: .at(0))
        #expect(rule.handle(.motion, at: .at(second)) == .cancel)
        #expect(rule.handle(.timer, at: .at(180)) == .none)
    }

    @Test("A stop by stillness is not confirmed by a timer of an earlier stillness.")
    mutating func lateTimer() {
        _ = rule.handle(.still, at: .at(0))
        _ = rule.handle(.motion, at: .at(100))
        _ = rule.handle(.still, at: .at(101))
        #expect(rule.handle(.timer, at: .at(180)) == .none)
        #expect(rule.handle(.timer, at: .at(281)) == .confirmStop(since: .at(101)))
    }

    @Test(
        "The stillness of a stop starts again after two consecutive fixes that are too fast for a parked vehicle."
    )
    mutating func smoothMotorway() throws {
        _ = rule.handle(.still, at: .at(0))
        let place = try Samples.accepted(5, speed: 25).position
        #expect(rule.handle(.fix(place, isFast: true), at: .at(3)) == .none)
        #expect(rule.handle(.fix(place, isFast: false), at: .at(4)) == .none)
        #expect(rule.handle(.fix(place, isFast: true), at: .at(5)) == .none)
        #expect(rule.handle(.fix(place, isFast: true), at: .at(6)) == .cancel)
        #expect(rule.handle(.still, at: .at(7)) == .arm(at: .at(187)))
    }

    @Test(
        "The stillness of a stop starts again when the fixes have moved by more than their errors.",
        arguments: [(79.0, 5.0, false), (81, 5, true), (81, 90, false), (251, 90, true)])
    mutating func displaced(metres: Double, accuracy: Double, isReset: Bool) throws {
        _ = rule.handle(.still, at: .at(0))
        let place = try Samples.accepted(1, accuracy: accuracy).position
        #expect(rule.handle(.fix(place, isFast: false), at: .at(1)) == .none)
        let there = try Samples.accepted(60, east: metres, accuracy: accuracy).position
        #expect(rule.handle(.fix(there, isFast: false), at: .at(59)) == .none)
        #expect(rule.handle(.fix(there, isFast: false), at: .at(60)) == (isReset ? .cancel : .none))
    }
}

@Suite("A stop by place")
struct PlaceRuleTests {
    @Test("A stop by place is confirmed if all fixes of the duration are close together, even without rest.")
    func confirmed() throws {
        var rule = PlaceRule(duration: .seconds(140), radius: Metres(70), requiresRest: false)
        for second in stride(from: 0.0, to: 140, by: 1) {
            #expect(rule.confirmsStop(try Samples.accepted(second, east: second / 10), restingSince: nil) == nil)
        }
        #expect(rule.confirmsStop(try Samples.accepted(140, east: 14), restingSince: nil) == .place)
    }

    @Test("The duration of a stop by place starts again after a fix at another place.")
    func elsewhere() throws {
        var rule = PlaceRule(duration: .seconds(140), radius: Metres(70), requiresRest: false)
        for (second, east) in [(0.0, 0.0), (50, 30), (100, 81), (140, 81), (189, 81)] {
            #expect(rule.confirmsStop(try Samples.accepted(second, east: east), restingSince: nil) == nil)
        }
        // The fix at 30 m is close enough to the fixes at 81 m, but the fix at 0 m is not.
        #expect(rule.confirmsStop(try Samples.accepted(190, east: 81), restingSince: nil) == .place)
    }

    @Test("A stop by place that requires rest needs rest for the duration, or for 30 s after three times the duration.")
    func creeping() throws {
        var rule = PlaceRule(duration: .seconds(140), radius: Metres(70), requiresRest: true)
        let rested = Samples.start + .seconds(81)
        let late = Samples.start + .seconds(418)
        let table: [(second: Double, east: Double, rest: Timestamp?, expected: PlaceRule.Proof?)] = [
            (0, 0, nil, nil), (140, 60, nil, nil), (150, 0, rested, nil), (221, 0, rested, .rest), (419, 0, late, nil),
            (420, 0, late, nil), (447, 0, late, nil), (448, 0, late, .longStay),
        ]
        for row in table {
            let fix = try Samples.accepted(row.second, east: row.east)
            #expect(rule.confirmsStop(fix, restingSince: row.rest) == row.expected)
        }
    }

    @Test("A stop by place is never confirmed with a duration of 0.", arguments: [true, false])
    func off(requiresRest: Bool) throws {
        var rule = PlaceRule(duration: .zero, radius: Metres(70), requiresRest: requiresRest)
        _ = rule.confirmsStop(try Samples.accepted(0), restingSince: Samples.start)
        #expect(rule.confirmsStop(try Samples.accepted(10_000), restingSince: Samples.start) == nil)
    }

    @Test("The duration of a stop by place starts again after a correction of the date.")
    func correctedDate() throws {
        var rule = PlaceRule(duration: .seconds(140), radius: Metres(70), requiresRest: false)
        _ = rule.confirmsStop(try Samples.accepted(5000), restingSince: nil)
        #expect(rule.confirmsStop(try Samples.accepted(0), restingSince: nil) == nil)
        #expect(rule.confirmsStop(try Samples.accepted(139), restingSince: nil) == nil)
        #expect(rule.confirmsStop(try Samples.accepted(140), restingSince: nil) == .place)
    }
}
