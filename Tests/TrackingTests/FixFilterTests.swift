import Quantities
import Testing
import TrackingOptions

@testable import Tracking

@Suite("The fix filter")
struct FixFilterTests {
    private var filter = FixFilter(
        last: AcceptedFix(Samples.fix(-1)))

    private static let bad: [(FixRejection, Fix)] = [
        (.noFix, Fix(mode: .noFix, time: Samples.start)),
        (.noDate, Fix(mode: .threeDimensional, coordinate: Samples.home, accuracy: Metres(3))),
        (.noFix, Fix(mode: .threeDimensional, time: Samples.start, accuracy: Metres(3))),
        (.inaccurate, Samples.fix(0, accuracy: 200.1)),
        (.unknownAccuracy, Fix(mode: .threeDimensional, time: Samples.start, coordinate: Samples.home, satellites: 3)),
        (.unknownAccuracy, Fix(mode: .twoDimensional, time: Samples.start, coordinate: Samples.home, satellites: 1)),
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

    @Test("A bad fix is rejected, with the reason.", arguments: bad)
    mutating func refused(reason: FixRejection, fix: Fix) {
        #expect(filter.judge(fix) == .refused(reason))
    }

    @Test(
        "A fix without a stated error is accepted with four satellites, or if their number is unknown.",
        arguments: [(.twoDimensional, 4), (.threeDimensional, 4), (.twoDimensional, nil), (.twoDimensional, 0)]
            as [(Fix.Mode, Int?)])
    mutating func satellites(mode: Fix.Mode, number: Int?) {
        let fix = Fix(mode: mode, time: Samples.start, coordinate: Samples.home, satellites: number)
        #expect(filter.judge(fix).isAccepted)
    }

    @Test("A fix that is older than the previous fix restarts the collection of evidence for a jump.")
    mutating func disorder() {
        for second in [1.0, 3, 2, 11.5, 11.8] {
            #expect(filter.judge(Samples.fix(second, east: 5000)) == .refused(.jump))
        }
        #expect(filter.judge(Samples.fix(12, east: 5000)).isAccepted)
    }

    @Test("A fix that is not newer than the last fix is rejected.", arguments: [10.0, 9, -3600])
    mutating func notNewer(second: Double) {
        #expect(filter.judge(Samples.fix(10)).isAccepted)
        #expect(filter.judge(Samples.fix(second)) == .refused(.notNewer))
        #expect(filter.judge(Samples.fix(11)).isAccepted)
    }

    @Test("A fix that no vehicle could reach in the time is rejected.", arguments: [(107.0, true), (109, false)])
    mutating func jump(metres: Double, isAccepted: Bool) {
        // The limit is 100 m/s for a second, plus an error of 4 m at each end.
        filter = FixFilter(last: AcceptedFix(Samples.fix(0, speed: 95)))
        #expect(filter.judge(Samples.fix(1, east: metres)).isAccepted == isAccepted)
    }

    @Test(
        "A fix that needs an impossible acceleration is rejected.",
        arguments: [(0.0, 15.0, true), (0, 16, false), (10, 25, true), (10, 26, false)])
    mutating func acceleration(speed: Double, metres: Double, isAccepted: Bool) {
        // In one second, an acceleration of 15 m/s² adds 7.5 m to the distance, and each of the two fixes has an error of 4 m.
        filter = FixFilter(last: AcceptedFix(Samples.fix(0, speed: speed)))
        #expect(filter.judge(Samples.fix(1, east: metres)).isAccepted == isAccepted)
    }

    @Test(
        "A speed that places and neighbours deny is dropped, and the place stays.",
        arguments: [(16.0, true), (31, true), (33, false), (61, false), (99, false), (2, true), (0, false)])
    mutating func deniedSpeed(speed: Double, isKept: Bool) throws {
        for second in 0...4 { _ = filter.judge(Samples.fix(Double(second), east: Double(second) * 16, speed: 16)) }
        let (place, after) = (Samples.fix(5, east: 80, speed: speed), Samples.fix(6, east: 96, speed: 16))
        #expect(filter.judge(place).fix?.position.speed == (isKept ? MetresPerSecond(speed) : nil))
        #expect(filter.judge(after).fix?.position.speed == MetresPerSecond(16))
    }

    @Test("A speed of 0 that is stored for an unknown one costs no place.", arguments: [10.0, 25, 40])
    mutating func storedZero(speed: Double) {
        var accepted = 0
        for second in 0..<60 {
            let verdict = filter.judge(Samples.fix(Double(second), east: Double(second) * speed, speed: 0))
            accepted += verdict.isAccepted ? 1 : 0
        }
        #expect(accepted >= 55)
    }

    @Test(
        "A jump is accepted if other fixes agree: two fixes for less than 1 km, else the fixes of ten seconds.",
        arguments: [(900.0, 3), (5000, 11)])
    mutating func lastWasWrong(metres: Double, accepted: Int) {
        filter = FixFilter(last: AcceptedFix(Samples.fix(0, east: metres)))
        for second in 1..<accepted { #expect(filter.judge(Samples.fix(Double(second))) == .refused(.jump)) }
        #expect(filter.judge(Samples.fix(Double(accepted))).isAccepted)
        #expect(filter.hasJumped)
    }

    @Test(
        "A correct fix after three wrong fixes is accepted at once, and the wrong fixes are never accepted.",
        arguments: [2e3, 1e5])
    mutating func glitch(metres: Double) {
        #expect(filter.judge(Samples.fix(0)).isAccepted)
        for second in 1...3 {
            #expect(filter.judge(Samples.fix(Double(second), east: metres)) == .refused(.jump))
        }
        #expect(filter.judge(Samples.fix(4, east: 30, speed: 10)).isAccepted)
        #expect(!filter.hasJumped)
    }

    @Test("A fix dated ten years ahead is rejected for a minute, at the first start and at later starts.")
    func yearsAhead() {
        let decade = Duration.seconds(3653 * 86_400)
        for last in [nil, AcceptedFix(Samples.fix(0))] {
            var filter = FixFilter(last: last)
            for second in 1...60 {
                var fix = Samples.fix(Double(second))
                fix.time = fix.time.map { $0 + decade }
                #expect(!filter.judge(fix, at: .at(Double(second))).isAccepted)
            }
            for second in 61...62 { _ = filter.judge(Samples.fix(Double(second)), at: .at(Double(second))) }
            #expect(filter.judge(Samples.fix(63), at: .at(63)).isAccepted)
        }
    }

    @Test("A fix with a latitude or longitude of exactly 0 is accepted only near the last place.")
    mutating func zero() throws {
        let equator = try #require(Coordinate(latitude: 0, longitude: 4.9))
        var fix = Samples.fix(1)
        fix.coordinate = equator
        #expect(filter.judge(fix) == .refused(.nullIsland))
        filter = FixFilter(last: nil)
        #expect(filter.judge(fix) == .refused(.nullIsland))
        var before = Samples.fix(0, speed: 20)
        before.coordinate = equator.moved(east: .zero, north: Metres(20))
        filter = FixFilter(last: AcceptedFix(before))
        #expect(filter.judge(fix).isAccepted)
    }

    @Test("The very first fix waits for a second fix that agrees, so a wrong first fix is not accepted.")
    mutating func coldStart() {
        filter = FixFilter(last: nil)
        #expect(filter.judge(Samples.fix(0, east: 5000)) == .refused(.unconfirmed))
        #expect(filter.judge(Samples.fix(1)) == .refused(.unconfirmed))
        #expect(filter.judge(Samples.fix(2)).isAccepted)
    }

    @Test("A fix after a pause is accepted at once near the last place, and far away after a second fix that agrees.")
    mutating func tunnel() {
        #expect(filter.judge(Samples.fix(0)).isAccepted)
        #expect(filter.judge(Samples.fix(60, east: 200, speed: 20)).isAccepted)
        #expect(filter.judge(Samples.fix(120, east: 3000, speed: 20)) == .refused(.unconfirmed))
        #expect(filter.judge(Samples.fix(121, east: 3020, speed: 20)).isAccepted)
    }

    @Test("A fix far from where the vehicle stood before a pause is accepted once the fixes of ten seconds agree.")
    mutating func farFromParked() {
        #expect(filter.judge(Samples.fix(0, speed: 0.1)).isAccepted)
        for second in 60..<70 {
            #expect(filter.judge(Samples.fix(Double(second), east: 2000)) == .refused(.unconfirmed))
        }
        #expect(filter.judge(Samples.fix(70, east: 2000)).isAccepted)
    }

    @Test("A fix is accepted after days in which the clock has lost some seconds.")
    mutating func drift() {
        #expect(filter.judge(Samples.fix(0), at: .at(0)).isAccepted)
        #expect(filter.judge(Samples.fix(864_000), at: .at(863_980)).isAccepted)
    }

    @Test("A fix from the future is rejected alone or if merely delayed, but accepted if ten seconds of fixes agree.")
    mutating func clockWentAhead() {
        #expect(filter.judge(Samples.fix(0), at: .at(100)).isAccepted)
        #expect(filter.judge(Samples.fix(3601), at: .at(101)) == .refused(.timeStep))
        #expect(filter.judge(Samples.fix(2), at: .at(102)).isAccepted)
        // The first of these reports is two seconds late, and the second is on time.
        #expect(filter.judge(Samples.fix(3), at: .at(105)).isAccepted)
        #expect(filter.judge(Samples.fix(6), at: .at(106)).isAccepted)
        #expect(filter.judge(Samples.fix(3607), at: .at(107)) == .refused(.timeStep))
        for second in 8...16 {
            let fix = Samples.fix(3600 + Double(second))
            #expect(filter.judge(fix, at: .at(100 + Double(second))) == .refused(.timeStep))
        }
        #expect(filter.judge(Samples.fix(3617), at: .at(117)).isAccepted)
    }

    @Test("After a fix from the future, a fix dated yesterday is accepted if the fixes of ten seconds agree.")
    mutating func clockWentBack() {
        filter = FixFilter(last: AcceptedFix(Samples.fix(86_400)))
        for second in 1...10 { #expect(filter.judge(Samples.fix(Double(second))) == .refused(.notNewer)) }
        #expect(filter.judge(Samples.fix(11)).isAccepted)
    }

    @Test(
        "A fix of the year 9999, or with the latest possible time, does not end the program.",
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

    @Test("Random jumps are never accepted.")
    mutating func wild() {
        #expect(filter.judge(Samples.fix(0)).isAccepted)
        for second in 1...20 {
            let far = second.isMultiple(of: 2) ? 50_000.0 : -50_000
            #expect(filter.judge(Samples.fix(Double(second), east: far)) == .refused(.jump))
        }
    }
}

extension FixFilter.Verdict {
    fileprivate var fix: AcceptedFix? { if case .accepted(let fix) = self { fix } else { nil } }

    fileprivate var isAccepted: Bool {
        if case .accepted = self { true } else { false }
    }
}
