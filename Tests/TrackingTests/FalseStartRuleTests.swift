import Motion
import Quantities
import Testing

@testable import Tracking

@Suite("The false start rule")
struct FalseStartRuleTests {
    private var rule = FalseStartRule(
        parked: Samples.home.map { Position(coordinate: $0, accuracy: Metres(4)) }, radius: Metres(100),
        isDoubtful: true, at: .at(0))

    @Test("A start is taken back if the vehicle is still and at its old place 60 s after a good fix.")
    mutating func takenBack() throws {
        #expect(rule.timer(at: .at(900)) == .undecided)
        #expect(rule.take(try Samples.accepted(10), at: .at(10)) == .arm(at: .at(70)))
        #expect(rule.take(try Samples.accepted(11), at: .at(11)) == .undecided)
        #expect(rule.timer(at: .at(70)) == .takeBack(isIdling: false))
        #expect(rule.isDecided)
        #expect(rule.timer(at: .at(71)) == .undecided)
    }

    @Test("A start is taken back no sooner than 60 s after the last motion.")
    mutating func motion() throws {
        _ = rule.motion(at: .at(5))
        _ = rule.take(try Samples.accepted(10), at: .at(10))
        _ = rule.motion(at: .at(50))
        #expect(rule.timer(at: .at(70)) == .arm(at: .at(110)))
        #expect(rule.timer(at: .at(109)) == .arm(at: .at(110)))
        #expect(rule.timer(at: .at(110)) == .takeBack(isIdling: false))
    }

    @Test("A start is an idling engine if 120 s of motion after a good fix have not moved the vehicle.")
    mutating func idling() throws {
        _ = rule.take(try Samples.accepted(10), at: .at(10))
        for second in 11...129 { _ = rule.motion(at: .at(Double(second))) }
        #expect(rule.timer(at: .at(129)) == .arm(at: .at(130)))
        #expect(rule.timer(at: .at(130)) == .takeBack(isIdling: true))
    }

    @Test("After a false start with an idling engine, the accelerometer keeps streaming, even if the vibration pauses.")
    func idlingWithPauses() {
        var world = World()
        world.park()
        for second in 100...222 {
            _ = world.tell(.motion(MotionVerdict(isMoving: second < 219)), at: Double(second))
            _ = world.tell(.fix(Samples.fix(Double(second))), at: Double(second))
        }
        let effects = world.tell(.timer(.falseStart), at: 222)
        #expect(effects.contains(.state(isMoving: false)))
        #expect(effects.contains(.motionSensor(isStreaming: true)))
        #expect(!effects.contains(.motionSensor(isStreaming: false)))
    }

    @Test("A start is real if motion has lasted 120 s without a fix, as in a theft from a garage.")
    mutating func blind() {
        #expect(rule.motion(at: .at(119)) == .undecided)
        #expect(rule.motion(at: .at(120)) == .confirm)
        #expect(rule.isDecided)
    }

    @Test(
        "A start is real once a fix is outside the stopped geofence.", arguments: [(107.0, false), (109, true)])
    mutating func displacement(metres: Double, isReal: Bool) throws {
        // The stopped geofence is 100 m, and the fixes at both ends have errors of 4 m.
        _ = rule.take(try Samples.accepted(10), at: .at(10))
        #expect((rule.take(try Samples.accepted(11, east: metres), at: .at(11)) == .confirm) == isReal)
        #expect((rule.timer(at: .at(70)) == .takeBack(isIdling: false)) != isReal)
    }

    @Test("A start is real once a fix shows speed.")
    mutating func speed() throws {
        #expect(rule.take(try Samples.accepted(10, speed: 6), at: .at(10)) == .confirm)
        #expect(rule.take(try Samples.accepted(11), at: .at(11)) == .undecided)
    }

    @Test("A start with a certain cause, or from an unknown parked place, is not doubted.")
    func certain() throws {
        let parked = Samples.home.map { Position(coordinate: $0) }
        #expect(FalseStartRule(parked: parked, radius: Metres(100), isDoubtful: false, at: .at(0)).isDecided)
        #expect(FalseStartRule(parked: nil, radius: Metres(100), isDoubtful: true, at: .at(0)).isDecided)
    }

    @Test("A false start leaves no trip, no distance and no other parked place.")
    func engine() throws {
        var world = World()
        world.park()
        let before = world.engine.state
        var records = world.tell(.motion(MotionVerdict(isMoving: true)), at: 100).compactMap(\.record)
        for second in 101...160 {
            let fix = Samples.fix(Double(second), east: Double(second % 5), speed: 0.2)
            records += world.tell(.motion(MotionVerdict(isMoving: second < 103)), at: Double(second)).compactMap(
                \.record)
            records += world.tell(.fix(fix), at: Double(second)).compactMap(\.record)
        }
        let effects = world.tell(.timer(.falseStart), at: 162)
        records += effects.compactMap(\.record)
        #expect(effects.contains(.state(isMoving: false)) && effects.contains(.receiver(isOn: false)))
        #expect(records.filter { $0.kind == .motionchange }.map(\.isMoving) == [true, false])
        #expect(!records.contains { $0.kind == .trip })
        #expect(world.engine.state.logbook.parked == before.logbook.parked)
        #expect(world.engine.odometer.value < 5)
    }
}

@Suite("The motion trigger")
struct MotionConfirmationTests {
    @Test("Motion counts at once if motionTriggerDelay is 0.")
    func noDelay() {
        var delay = MotionConfirmation(delay: .zero)
        #expect(delay.began(isMoving: true, at: .at(3)) == .at(3))
        #expect(delay.isOver(at: .at(3)) && !delay.isWaiting)
    }

    @Test("Motion counts when it has lasted motionTriggerDelay, and has the time of its beginning.")
    func lasts() {
        var delay = MotionConfirmation(delay: .seconds(5))
        for second in 10...14 {
            #expect(delay.began(isMoving: true, at: .at(Double(second))) == .at(10))
            #expect(!delay.isOver(at: .at(Double(second))) && delay.isWaiting)
        }
        _ = delay.began(isMoving: true, at: .at(15))
        #expect(delay.isOver(at: .at(15)) && !delay.isWaiting)
    }

    @Test("Motion is forgotten when it stops, and when the chip reports no more motion.", arguments: [true, false])
    func shortBurst(isTold: Bool) {
        var delay = MotionConfirmation(delay: .seconds(5))
        _ = delay.began(isMoving: true, at: .at(0))
        if isTold { #expect(delay.began(isMoving: false, at: .at(2)) == nil) }
        #expect(delay.began(isMoving: true, at: .at(5.1)) == .at(5.1))
        #expect(!delay.isOver(at: .at(5.1)))
    }

    @Test("Motion counts as recent for five seconds.")
    func recent() {
        var delay = MotionConfirmation(delay: .zero)
        #expect(!delay.isRecent(at: .at(0)))
        _ = delay.began(isMoving: true, at: .at(0))
        #expect(delay.isRecent(at: .at(5)) && !delay.isRecent(at: .at(5.1)))
    }
}
