import Quantities
import Testing

@testable import Tracking

@Suite("A fix")
struct FixFilterTests {
    private var filter = FixFilter(
        accuracyLimit: Metres(200), last: AcceptedFix(Samples.fix(-1)))

    private static let bad: [(Refusal, Fix)] = [
        (.noFix, Fix(mode: .noFix, time: Samples.start)),
        (.noFix, Fix(mode: .threeDimensional, coordinate: Samples.home, accuracy: Metres(3))),
        (.noFix, Fix(mode: .threeDimensional, time: Samples.start, accuracy: Metres(3))),
        (.inaccurate, Samples.fix(0, accuracy: 200.1)),
        (.unknownAccuracy, Fix(mode: .threeDimensional, time: Samples.start, coordinate: Samples.home, satellites: 3)),
        (.unknownAccuracy, Fix(mode: .twoDimensional, time: Samples.start, coordinate: Samples.home)),
        (
            .nullIsland,
            Fix(
                mode: .threeDimensional, time: Samples.start, coordinate: Coordinate(latitude: 0, longitude: 0),
                accuracy: Metres(3))
        ),
        (
            .tooNew,
            Fix(
                mode: .threeDimensional, time: Timestamp(year: 2045, month: 1, day: 1), coordinate: Samples.home,
                accuracy: Metres(3))
        ),
        (
            .tooOld,
            Fix(
                mode: .threeDimensional, time: Timestamp(year: 2006, month: 9, day: 17), coordinate: Samples.home,
                accuracy: Metres(3))
        ),
    ]

    @Test("is refused by itself, with the reason", arguments: bad)
    mutating func refused(reason: Refusal, fix: Fix) {
        #expect(filter.judge(fix) == .refused(reason))
    }

    @Test("is accepted without a stated error when four satellites vouch for it")
    mutating func satellites() {
        let fix = Fix(mode: .threeDimensional, time: Samples.start, coordinate: Samples.home, satellites: 4)
        #expect(filter.judge(fix).isAccepted)
    }

    @Test("is refused when it is not newer than the last", arguments: [10.0, 9, -3600])
    mutating func notNewer(second: Double) {
        #expect(filter.judge(Samples.fix(10)).isAccepted)
        #expect(filter.judge(Samples.fix(second)) == .refused(.notNewer))
        #expect(filter.judge(Samples.fix(11)).isAccepted)
    }

    @Test("is refused when no vehicle could be there so soon", arguments: [(107.0, true), (109, false)])
    mutating func jump(metres: Double, isAccepted: Bool) {
        // 100 m/s for a second, and 4 m of error at both ends.
        filter = FixFilter(accuracyLimit: Metres(200), last: AcceptedFix(Samples.fix(0, speed: 95)))
        #expect(filter.judge(Samples.fix(1, east: metres)).isAccepted == isAccepted)
    }

    @Test(
        "is refused when no vehicle could gather speed so fast",
        arguments: [(0.0, 15.0, true), (0, 16, false), (10, 25, true), (10, 26, false)])
    mutating func acceleration(speed: Double, metres: Double, isAccepted: Bool) {
        // 15 m/s² for a second are 7.5 m more, and 4 m of error at both ends.
        filter = FixFilter(accuracyLimit: Metres(200), last: AcceptedFix(Samples.fix(0, speed: speed)))
        #expect(filter.judge(Samples.fix(1, east: metres)).isAccepted == isAccepted)
    }

    @Test("that jumps is believed when the two after it agree: then the last one was wrong")
    mutating func lastWasWrong() {
        filter = FixFilter(accuracyLimit: Metres(200), last: AcceptedFix(Samples.fix(0, east: 5000)))
        #expect(filter.judge(Samples.fix(1)) == .refused(.jump))
        #expect(filter.judge(Samples.fix(2)) == .refused(.jump))
        #expect(filter.judge(Samples.fix(3)).isAccepted)
    }

    @Test("that is the very first waits for a second one that agrees; a wild one finds none")
    mutating func coldStart() {
        filter = FixFilter(accuracyLimit: Metres(200), last: nil)
        #expect(filter.judge(Samples.fix(0, east: 5000)) == .refused(.unconfirmed))
        #expect(filter.judge(Samples.fix(1)) == .refused(.unconfirmed))
        #expect(filter.judge(Samples.fix(2)).isAccepted)
    }

    @Test("after a pause is believed at once near the last place, and far away with a second one that agrees")
    mutating func tunnel() {
        #expect(filter.judge(Samples.fix(0)).isAccepted)
        #expect(filter.judge(Samples.fix(60, east: 200, speed: 20)).isAccepted)
        #expect(filter.judge(Samples.fix(120, east: 3000, speed: 20)) == .refused(.unconfirmed))
        #expect(filter.judge(Samples.fix(121, east: 3020, speed: 20)).isAccepted)
    }

    @Test("after days of which the clock has lost some seconds is believed")
    mutating func drift() {
        #expect(filter.judge(Samples.fix(0), at: .at(0)).isAccepted)
        #expect(filter.judge(Samples.fix(864_000), at: .at(863_980)).isAccepted)
    }

    @Test("from the future is believed when the two after it agree, and not alone; a report that waited is no such")
    mutating func clockWentAhead() {
        #expect(filter.judge(Samples.fix(0), at: .at(100)).isAccepted)
        #expect(filter.judge(Samples.fix(3601), at: .at(101)) == .refused(.timeStep))
        #expect(filter.judge(Samples.fix(2), at: .at(102)).isAccepted)
        // Two seconds late, and then in time.
        #expect(filter.judge(Samples.fix(3), at: .at(105)).isAccepted)
        #expect(filter.judge(Samples.fix(6), at: .at(106)).isAccepted)
        #expect(filter.judge(Samples.fix(3607), at: .at(107)) == .refused(.timeStep))
        #expect(filter.judge(Samples.fix(3608), at: .at(108)) == .refused(.timeStep))
        #expect(filter.judge(Samples.fix(3609), at: .at(109)).isAccepted)
    }

    @Test("of yesterday is believed when the two after it agree: then the last one was from the future")
    mutating func clockWentBack() {
        filter = FixFilter(accuracyLimit: Metres(200), last: AcceptedFix(Samples.fix(86_400)))
        #expect(filter.judge(Samples.fix(1)) == .refused(.notNewer))
        #expect(filter.judge(Samples.fix(2)) == .refused(.notNewer))
        #expect(filter.judge(Samples.fix(3)).isAccepted)
    }

    @Test(
        "of the year 9999, or of the end of time, does not end the program",
        arguments: [253_370_764_800_000, Int64.max])
    mutating func endOfTime(milliseconds: Int64) {
        #expect(filter.judge(Samples.fix(0)).isAccepted)
        var fix = Samples.fix(1)
        fix.time = Timestamp(milliseconds: milliseconds)
        _ = filter.judge(fix)
        var engine = Engine(TrackingOptions())
        _ = engine.handle(.fix(fix), at: .at(1))
        #expect(!engine.handle(.command(.move), at: .at(2)).isEmpty)
    }

    @Test("that jumps here and there is never believed")
    mutating func wild() {
        #expect(filter.judge(Samples.fix(0)).isAccepted)
        for second in 1...20 {
            let far = second.isMultiple(of: 2) ? 50_000.0 : -50_000
            #expect(filter.judge(Samples.fix(Double(second), east: far)) == .refused(.jump))
        }
    }
}

extension FixFilter.Verdict {
    fileprivate var isAccepted: Bool {
        if case .accepted = self { true } else { false }
    }
}
