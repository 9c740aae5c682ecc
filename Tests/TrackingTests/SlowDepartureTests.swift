import Motion
import Quantities
import Testing
import TrackingOptions

@testable import Tracking

@Suite("A parked vehicle without an accelerometer")
struct SlowDepartureTests {
    private var world = World()

    init() {
        _ = world.tell(.motionSensor(isThere: false), at: 0)
        _ = world.tell(.started, at: 0)
        for second in 0...1 { _ = world.tell(.fix(Samples.fix(Double(second))), at: Double(second)) }
    }

    @Test(
        "A vehicle 136 m from the place of the last position check has departed; 60 m may be a reflection.",
        arguments: [(136.0, true), (60, false)])
    mutating func leap(metres: Double, isDeparture: Bool) throws {
        _ = check(at: 31) { Samples.fix($0) }
        let effects = check(at: 62) { Samples.fix($0, east: metres, speed: 0.2) }
        #expect(effects.contains(.state(isMoving: true)) == isDeparture)
        guard isDeparture else { return }
        let anchor = try #require(effects.compactMap(\.record).first { $0.kind == .motionchange })
        #expect(anchor.position?.coordinate == Samples.home)
        #expect(anchor.time == Samples.start + .seconds(32))
    }

    @Test(
        "A tractor at 5 km/h is detected within ten seconds of a check; a speed without a displacement is noise.",
        arguments: [(1.4, true), (0, false), (0.5, false)])
    mutating func pace(progress: Double, isDeparture: Bool) {
        let effects = check(at: 31) {
            // The place trembles, because a receiver that repeats it to the last digit counts as frozen.
            let tremble = $0.truncatingRemainder(dividingBy: 2)
            return Samples.fix($0, east: 5 + ($0 - 32) * progress + tremble, speed: 1.4)
        }
        #expect(effects.contains(.state(isMoving: true)) == isDeparture)
        #expect(effects.contains(.receiver(isOn: false)) != isDeparture)
    }

    @Test("A position that drifts slowly by 100 m, with a stated error of 20 m, does not move the parked place.")
    mutating func wander() {
        var records: [Record] = []
        for number in 1...400 {
            let begin = Double(number) * 90
            records += check(at: begin) { Samples.fix($0, east: Self.wandered($0), speed: 0.2, accuracy: 20) }
                .compactMap(\.record)
        }
        #expect(records.isEmpty)
        #expect(!world.engine.isMoving)
    }

    @Test("A vehicle that is moved twice in the same direction is parked at the last place.")
    mutating func queue() throws {
        for (begin, east) in [(31.0, 60.0), (90, 90), (150, 90)] {
            _ = check(at: begin) { Samples.fix($0, east: east, accuracy: 2) }
        }
        let place = try #require(world.engine.state.logbook.parked?.coordinate)
        #expect(place.distance(to: try #require(Samples.home).moved(east: Metres(90), north: .zero)) < Metres(2))
    }

    /// Returns the position error of a receiver after this number of seconds, in metres; the error changes by 100 m in
    /// ten minutes.
    private static func wandered(_ seconds: Double) -> Double {
        let phase = (seconds + 600).truncatingRemainder(dividingBy: 2400)
        return (phase < 1200 ? phase : 2400 - phase) / 6 - 100
    }

    /// Lets the timer of the position check fire, and sends fixes for at most a minute, until the receiver is off or a trip
    /// starts.
    private mutating func check(at begin: Double, _ fix: (Double) -> Fix) -> [Effect] {
        var effects = world.tell(.timer(.check), at: begin)
        for second in 1...60 where !effects.contains(.receiver(isOn: false)) && !world.engine.isMoving {
            effects += world.tell(.fix(fix(begin + Double(second))), at: begin + Double(second))
        }
        return effects
    }
}

@Suite("A driving vehicle without a fix")
struct UnseenDriveTests {
    @Test(
        "The receiver pauses for at most a minute after a fast fix, and first for half a minute each without an accelerometer.",
        arguments: [(true, 10.0, [30.0, 60, 60]), (true, 5, [30, 60, 120]), (false, 5, [30, 30, 30])])
    func pauses(isFelt: Bool, speed: Double, expected: [Double]) throws {
        var world = World()
        _ = world.tell(.motionSensor(isThere: isFelt), at: 0)
        _ = world.tell(.started, at: 0)
        for second in 0...1 { _ = world.tell(.fix(Samples.fix(Double(second))), at: Double(second)) }
        _ = world.tell(.command(.move), at: 100)
        for second in 101...160 {
            let east = Double(second - 100) * speed
            _ = world.tell(.fix(Samples.fix(Double(second), east: east, speed: speed)), at: Double(second))
        }
        if isFelt { _ = world.tell(.motion(MotionVerdict(isMoving: false)), at: 160) }
        var pauses: [Double] = []
        var (now, isSearching) = (280.0, true)
        for _ in 0..<6 {
            let effects = world.tell(.timer(isSearching ? .fixTimeout : .acquire), at: now)
            for case .arm(let kind, let moment) in effects where kind == (isSearching ? .acquire : .fixTimeout) {
                if isSearching { pauses.append((moment - .at(now)).inSeconds) }
                (now, isSearching) = ((moment - .boot).inSeconds, !isSearching)
                break
            }
        }
        #expect(pauses == expected)
    }
}

@Suite("A short move in a yard")
struct YardTests {
    @Test("A vehicle that moves 28 m at 2 m/s makes a trip, and is parked where it stands.")
    func trip() throws {
        var world = World()
        world.park()
        var records = world.tell(.motion(MotionVerdict(isMoving: true)), at: 100).compactMap(\.record)
        for second in 101...400 {
            let east = min(28, Double(second - 101) * 2)
            let isMoving = east < 28
            var effects = world.tell(.motion(MotionVerdict(isMoving: isMoving)), at: Double(second))
            effects += world.tell(
                .fix(Samples.fix(Double(second), east: east, speed: isMoving ? 2 : 0)), at: Double(second))
            effects += world.tell(.timer(.falseStart), at: Double(second))
            effects += world.tell(.timer(.stillness), at: Double(second))
            records += effects.compactMap(\.record)
        }
        #expect(!world.engine.isMoving)
        #expect(records.contains { $0.kind == .trip })
        let place = try #require(world.engine.state.logbook.parked?.coordinate)
        #expect(place.distance(to: try #require(Samples.home).moved(east: Metres(28), north: .zero)) < Metres(2))
    }
}
