import Quantities
import TestSupport
import Testing

@testable import Tracking

@Suite("The chord rule")
struct ChordRuleTests {
    private var rule = ChordRule()

    @Test("A straight line of any length and noise never breaks the chord.")
    mutating func straight() throws {
        let last = TrackPoint(try Samples.accepted(0))
        for second in 1...300 {
            let noise = Double(second % 7) - 3
            let fix = try Samples.accepted(Double(second), east: Double(second) * 15, north: noise)
            #expect(rule.add(fix, after: last) == nil)
        }
    }

    @Test("A corner breaks the chord and becomes a record.")
    mutating func corner() throws {
        let last = TrackPoint(try Samples.accepted(0))
        for second in 1...10 {
            #expect(rule.add(try Samples.accepted(Double(second), east: Double(second) * 20), after: last) == nil)
        }
        let broken = rule.add(try Samples.accepted(11, east: 200, north: 40), after: last)
        #expect(broken == (try Samples.accepted(10, east: 200)))
    }

    @Test("A U-turn breaks the chord, and the farthest place becomes a record.")
    mutating func turnBack() throws {
        let last = TrackPoint(try Samples.accepted(0))
        for second in 1...10 {
            #expect(rule.add(try Samples.accepted(Double(second), east: Double(second) * 20), after: last) == nil)
        }
        #expect(rule.add(try Samples.accepted(11, east: 180), after: last) == (try Samples.accepted(10, east: 200)))
    }

    @Test("A bend near the beginning of the chord breaks the chord, though the bound is wider than the distance there.")
    mutating func nearTheBeginning() throws {
        let last = TrackPoint(try Samples.accepted(0))
        #expect(rule.add(try Samples.accepted(1, north: 15), after: last) == nil)
        #expect(rule.add(try Samples.accepted(2, east: 9), after: last) == (try Samples.accepted(1, north: 15)))
    }

    @Test("The chord begins again at each record.")
    mutating func restart() throws {
        _ = rule.add(try Samples.accepted(1, east: 100), after: TrackPoint(try Samples.accepted(0)))
        rule.restart()
        let here = TrackPoint(try Samples.accepted(1, east: 100))
        #expect(rule.add(try Samples.accepted(2, east: 100, north: 60), after: here) == nil)
    }

    @Test("The chord is never more than 10 m from a fix that was skipped.", arguments: 0..<200)
    func bound(seed: Int) throws {
        var walk = Walk(seed: UInt64(seed))
        var rule = ChordRule()
        var last = TrackPoint(try walk.fix())
        var skipped: [AcceptedFix] = []
        for _ in 0..<400 {
            let fix = try walk.fix()
            if let strayed = rule.add(fix, after: last) {
                guard expectGood(from: last, to: strayed, past: skipped, seed: seed) else { return }
                last = TrackPoint(strayed)
                skipped = []
                rule.restart()
                #expect(rule.add(fix, after: last) == nil, "seed \(seed)")
            }
            // Another rule may have recorded this fix.
            guard expectGood(from: last, to: fix, past: skipped, seed: seed) else { return }
            skipped.append(fix)
        }
    }

    /// Computes the rule's bound without shortcuts: the distance of each skipped fix from the line and its ends.
    private func expectGood(
        from last: TrackPoint, to fix: AcceptedFix, past skipped: [AcceptedFix], seed: Int
    ) -> Bool {
        let end = last.coordinate.offset(to: fix.coordinate)
        let length = (end.east.value * end.east.value + end.north.value * end.north.value).squareRoot()
        for point in skipped {
            let place = last.coordinate.offset(to: point.coordinate)
            let (east, north) = (place.east.value, place.north.value)
            let fromStart = (east * east + north * north).squareRoot()
            guard fromStart > 10.01 else { continue }
            let across = length > 0 ? (end.east.value * north - end.north.value * east) / length : fromStart
            let along = length > 0 ? (end.east.value * east + end.north.value * north) / length : 0
            let isGood = across.magnitude <= 10.01 && along > 0 && along < length + 10.01
            #expect(isGood, "seed \(seed), \(point.time): \(across) m across, \(along) m along \(length) m")
            if !isGood { return false }
        }
        return true
    }
}

/// A path with straight stretches, bends, corners, U-turns and halts, one fix per second.
private struct Walk {
    private var generator: SplitMix
    private var (second, east, north, heading, speed) = (0.0, 0.0, 0.0, (1.0, 0.0), 10.0)

    init(seed: UInt64) { generator = SplitMix(seed: seed) }

    mutating func fix() throws -> AcceptedFix {
        switch generator.next() % 20 {
        case 0: heading = (-heading.1, heading.0)
        case 1: heading = (heading.1, -heading.0)
        case 2: heading = (-heading.0, -heading.1)
        case 3: speed = Double(generator.next() % 40)
        case 4...8: heading = (heading.0 * 0.98 - heading.1 * 0.199, heading.0 * 0.199 + heading.1 * 0.98)
        default: break
        }
        // The path remains within a few kilometres of home, so calculations on a flat earth are accurate enough.
        if east * heading.0 + north * heading.1 > 3000 { heading = (-heading.0, -heading.1) }
        east += heading.0 * speed + noise()
        north += heading.1 * speed + noise()
        second += 1
        return try Samples.accepted(second, east: east, north: north, speed: speed)
    }

    private mutating func noise() -> Double { Double(generator.next() % 400) / 100 - 2 }
}
