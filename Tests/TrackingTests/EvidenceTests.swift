import Calendar
import Motion
import Quantities
import Testing
import TrackingOptions

@testable import Tracking

@Suite("Evidence against evidence")
struct EvidenceTests {
    private var world = World()

    private mutating func parkWithoutAccelerometer() {
        _ = world.tell(.motionSensor(isThere: false), at: 0)
        _ = world.tell(.started, at: 0)
        for second in 0...1 { _ = world.tell(.fix(Samples.fix(Double(second))), at: Double(second)) }
    }

    private mutating func configureDriver() {
        world = World {
            $0.drivingEvents = true
            $0.beacons = true
        }
        var setup = world.engine.configuration
        setup.markedBeacons = [MarkedBeacon(Samples.beacon(), name: "Ada", role: .driver)]
        world.engine = Engine(setup)
    }

    private func tows(in effects: [Effect]) -> Int {
        effects.count { if case .driving(let event)? = $0.record?.content { event.kind == .tow } else { false } }
    }

    private mutating func drive(from start: Int, seconds: Int, speed: Double, east: inout Double) -> [Effect] {
        (start..<(start + seconds)).flatMap { second in
            east += speed
            return world.tell(.fix(Samples.fix(Double(second), east: east, speed: speed)), at: Double(second))
        }
    }

    @Test(
        "A silence that ends where it began is a stop that the last fix dates; one that ends elsewhere is a tunnel.",
        arguments: [
            (300, 0.0, true), (420, 180, true), (1500, 240, true), (300, 400, true), (300, 520, false),
            (300, 900, false), (1500, 1200, false),
        ])
    mutating func silence(seconds: Int, way: Double, isStop: Bool) throws {
        parkWithoutAccelerometer()
        var east = 0.0
        _ = world.tell(.timer(.check), at: 100)
        _ = drive(from: 101, seconds: 60, speed: 8, east: &east)
        #expect(world.engine.isMoving)
        east += way
        let effects = drive(from: 161 + seconds, seconds: 20, speed: 6, east: &east)
        let changes = effects.compactMap(\.record).filter { $0.kind == .motionchange }
        #expect(changes.map(\.isMoving) == (isStop ? [false, true] : []))
        if isStop { #expect(changes.first?.time == Samples.start + .seconds(160)) }
        #expect(world.engine.isMoving && world.engine.state.logbook.trips.count == (isStop ? 2 : 1))
    }

    @Test("With the ignition off, a silence ends a trip after the stop time-out, and the last fix dates the stop.")
    mutating func ignitionOff() throws {
        parkWithoutAccelerometer()
        _ = world.tell(.ignition(isOn: true), at: 90)
        var east = 0.0
        _ = drive(from: 101, seconds: 60, speed: 8, east: &east)
        let armed = world.tell(.ignition(isOn: false), at: 170)
        let options = world.engine.status.resolvedOptions.options
        let due = Instant.at(160) + options.stopDetectionDelay + options.stopTimeout
        #expect(armed.contains(.arm(.silence, at: due)))
        let records = world.tell(.timer(.silence), at: (due - .boot).inSeconds).compactMap(\.record)
        let stop = try #require(records.first { $0.kind == .motionchange })
        #expect(!stop.isMoving && stop.time == Samples.start + .seconds(160))
    }

    @Test("After a restart on the way, the silence counts from the start of the program.", arguments: [nil, false])
    mutating func restart(ignition: Bool?) {
        parkWithoutAccelerometer()
        _ = world.tell(.command(.move), at: 90)
        world.engine = Engine(world.engine.configuration, restoring: world.engine.state)
        if let ignition { _ = world.tell(.ignition(isOn: ignition), at: 9000) }
        _ = world.tell(.motionSensor(isThere: false), at: 9000)
        let armed = world.tell(.started, at: 9001).compactMap { effect -> Instant? in
            if case .arm(.silence, let moment) = effect { moment } else { nil }
        }
        #expect(!armed.isEmpty && armed.allSatisfy { $0 >= .at(9001 + 60) })
        #expect(!world.tell(.timer(.silence), at: 9002).contains(.state(isMoving: false)))
    }

    @Test(
        "A parked vehicle whose fixes wander over a border crosses it once, when it drives off.", arguments: [3.0, -3])
    mutating func border(inside: Double) throws {
        var setup = world.engine.configuration
        setup.regions = [try Samples.circle("depot", east: inside - 100)]
        world.engine = Engine(setup)
        parkWithoutAccelerometer()
        var transitions: [Record] = []
        for check in 1...40 {
            let second = Double(check) * 31
            _ = world.tell(.timer(.check), at: second)
            for (step, wander) in [-14.0, 13, 9].enumerated() {
                let fix = Samples.fix(
                    second + Double(step), east: check.isMultiple(of: 2) ? wander : -wander, accuracy: 8)
                transitions += world.tell(.fix(fix), at: second + Double(step)).compactMap(\.record)
                    .filter { $0.kind == .transition }
            }
        }
        #expect(transitions.count <= 1 && !world.engine.isMoving)
        #expect(world.engine.status.regionsInside.count == (inside > 0 ? 1 : 0))
        _ = world.tell(.timer(.check), at: 1300)
        var east = 0.0
        let left = drive(from: 1301, seconds: 30, speed: 10, east: &east).compactMap(\.record)
        #expect(left.count { $0.kind == .transition } == (inside > 0 ? 1 : 0))
    }

    @Test(
        "Without an ignition line, a drive without the driver's beacon in its first minute is a tow.",
        arguments: [(false, true, true), (true, true, false), (false, false, false)])
    mutating func driver(isHeard: Bool, isConfigured: Bool, isTow: Bool) throws {
        world = World {
            $0.drivingEvents = true
            $0.beacons = true
        }
        var setup = world.engine.configuration
        if isConfigured { setup.markedBeacons = [MarkedBeacon(Samples.beacon(), name: "Ada", role: .driver)] }
        world.engine = Engine(setup)
        world.park()
        var records = world.drive(from: 100, seconds: 20).compactMap(\.record)
        if isHeard { _ = world.tell(.beacon(Samples.sighting()), at: 121) }
        records += world.drive(from: 121, seconds: 100).compactMap(\.record)
        let tows = records.filter { if case .driving(let event) = $0.content { event.kind == .tow } else { false } }
        #expect(tows.count == (isTow ? 1 : 0))
        #expect(tows.allSatisfy { $0.position != nil && $0.time <= Samples.start + .seconds(165) })
    }

    @Test("A tow ends a private time, and the position stays public until the ignition is on.")
    mutating func theft() throws {
        world = World {
            $0.drivingEvents = true
            $0.privateTimes = Crontab("5-59 0 * * *")
        }
        _ = world.tell(.wallClock(Samples.start, isTrusted: true), at: 0)
        world.park()
        _ = world.tell(.ignition(isOn: true), at: 10)
        _ = world.drive(from: 20, seconds: 30)
        _ = world.tell(.ignition(isOn: false), at: 51)
        _ = world.tell(.command(.stay), at: 60)
        _ = world.tell(.timer(.privacy), at: 300)
        #expect(world.engine.isPrivate)
        let stolen = world.drive(from: 400, seconds: 60).compactMap(\.record)
        let tow = try #require(
            stolen.firstIndex { if case .driving(let event) = $0.content { event.kind == .tow } else { false } })
        #expect(stolen[tow].position != nil && !world.engine.isPrivate)
        #expect(stolen[tow...].contains { $0.kind == .location && $0.position != nil })
        let parked = world.stand(from: 460, seconds: 400).compactMap(\.record)
        #expect(parked.contains { $0.kind == .motionchange && $0.position != nil })
        _ = world.tell(.ignition(isOn: true), at: 900)
        #expect(world.engine.isPrivate)
    }

    @Test("The beacon of the driver makes private again what a tow has revealed.")
    mutating func driverReturns() {
        configureDriver()
        world.park()
        _ = world.tell(.command(.privacy(isOn: true)), at: 90)
        let stolen = world.drive(from: 100, seconds: 90).compactMap(\.record)
        #expect(!world.engine.isPrivate && stolen.contains { $0.kind == .location && $0.position != nil })
        _ = world.tell(.beacon(Samples.sighting()), at: 191)
        #expect(world.engine.isPrivate)
    }

    @Test(
        "With an ignition line and a driver's beacon, a vehicle that is carried is stolen only if the beacon is not aboard.",
        arguments: [false, true], [false, true])
    mutating func carried(isAboard: Bool, hasAccelerometer: Bool) {
        configureDriver()
        if hasAccelerometer { world.park() } else { parkWithoutAccelerometer() }
        _ = world.tell(.ignition(isOn: true), at: 10)
        _ = world.drive(from: 20, seconds: 30)
        _ = world.tell(.ignition(isOn: false), at: 51)
        _ = world.tell(.command(.stay), at: 60)
        _ = world.tell(.timer(.check), at: 300)
        var east = world.east
        var records = drive(from: 301, seconds: 20, speed: 8, east: &east).compactMap(\.record)
        if isAboard { _ = world.tell(.beacon(Samples.sighting()), at: 322) }
        records += drive(from: 323, seconds: 80, speed: 8, east: &east).compactMap(\.record)
        let tows = records.filter { if case .driving(let event) = $0.content { event.kind == .tow } else { false } }
        #expect(tows.count == (isAboard ? 0 : 1) && tows.allSatisfy { $0.position != nil })
    }

    @Test(
        "Without an ignition line, a vehicle that is pushed away without the driver's beacon is towed, at walking pace too."
    )
    mutating func pushed() {
        configureDriver()
        parkWithoutAccelerometer()
        _ = world.tell(.command(.move), at: 10)
        _ = world.tell(.beacon(Samples.sighting()), at: 11)
        var east = 0.0
        _ = drive(from: 12, seconds: 20, speed: 8, east: &east)
        _ = drive(from: 32, seconds: 20, speed: 0, east: &east)
        _ = world.tell(.command(.stay), at: 60)
        _ = world.tell(.timer(.check), at: 300)
        let records = drive(from: 301, seconds: 100, speed: 1.3, east: &east).compactMap(\.record)
        #expect(records.contains { if case .driving(let event) = $0.content { event.kind == .tow } else { false } })
    }

    @Test("After a tow without an ignition line, a drive uphill with the driver's beacon is no tow.")
    mutating func afterTow() {
        configureDriver()
        world.park()
        #expect(tows(in: world.drive(from: 100, seconds: 90)) == 1)
        _ = world.stand(from: 190, seconds: 300)
        #expect(!world.engine.isMoving)
        for second in 500...505 {
            _ = world.tell(.motion(Samples.verdict(0, 0, 9.8, isMoving: false)), at: Double(second))
        }
        var effects = world.drive(from: 600, seconds: 10)
        effects += world.tell(.beacon(Samples.sighting()), at: 611)
        for second in 612...640 {
            effects += world.tell(.motion(Samples.verdict(0, 1.4, 9.7, isMoving: true)), at: Double(second))
        }
        effects += world.drive(from: 641, seconds: 60)
        #expect(world.engine.isMoving && tows(in: effects) == 0)
    }

    @Test("A vehicle that is jacked up and let down is towed once, although the motion caused a false start.")
    mutating func jack() {
        configureDriver()
        world.park()
        _ = world.tell(.ignition(isOn: true), at: 10)
        _ = world.drive(from: 20, seconds: 30)
        _ = world.tell(.ignition(isOn: false), at: 51)
        _ = world.tell(.command(.stay), at: 60)
        var effects: [Effect] = []
        func windows(_ seconds: ClosedRange<Int>, sine: Double, isMoving: Bool = false) -> [(Double, Event)] {
            seconds.map { (Double($0), .motion(Samples.verdict(0, 9.8 * sine, 9.8, isMoving: isMoving))) }
        }
        for (second, event) in windows(100...110, sine: 0) + windows(300...309, sine: 0.12, isMoving: true) {
            effects += world.tell(event, at: second)
        }
        #expect(world.engine.isMoving && tows(in: effects) == 1)
        for second in 310...380 {
            effects += world.tell(.fix(Samples.fix(Double(second), east: world.east)), at: Double(second))
        }
        effects += world.tell(.timer(.falseStart), at: 381)
        #expect(!world.engine.isMoving)
        for (second, event) in windows(390...400, sine: 0.12) + windows(401...420, sine: 0) {
            effects += world.tell(event, at: second)
        }
        #expect(tows(in: effects) == 1)
    }

    @Test("A vehicle that stands far away with the ignition off is towed, although no scan can hear the driver.")
    mutating func standsElsewhere() {
        configureDriver()
        parkWithoutAccelerometer()
        _ = world.tell(.ignition(isOn: true), at: 10)
        _ = world.drive(from: 20, seconds: 30)
        _ = world.tell(.ignition(isOn: false), at: 51)
        _ = world.tell(.command(.stay), at: 60)
        var effects: [Effect] = []
        for second in 301...480 {
            if second.isMultiple(of: 40) { effects += world.tell(.timer(.check), at: Double(second)) }
            effects += world.tell(.fix(Samples.fix(Double(second), east: 50_000)), at: Double(second))
        }
        #expect(!world.engine.isMoving && tows(in: effects) == 1)
    }

    @Test("A restart on a ferry does not forget that the driver is aboard.")
    mutating func restartAboard() {
        configureDriver()
        parkWithoutAccelerometer()
        _ = world.tell(.ignition(isOn: true), at: 10)
        _ = world.drive(from: 20, seconds: 30)
        _ = world.tell(.ignition(isOn: false), at: 51)
        _ = world.tell(.command(.stay), at: 60)
        _ = world.tell(.timer(.check), at: 300)
        var east = world.east
        var effects = drive(from: 301, seconds: 20, speed: 8, east: &east)
        effects += world.tell(.beacon(Samples.sighting()), at: 322)
        world.engine = Engine(world.engine.configuration, restoring: world.engine.state)
        _ = world.tell(.ignition(isOn: false), at: 330)
        _ = world.tell(.motionSensor(isThere: false), at: 330)
        _ = world.tell(.started, at: 330)
        effects += drive(from: 331, seconds: 200, speed: 8, east: &east)
        #expect(world.engine.isMoving && tows(in: effects) == 0)
    }

    @Test("A stop crosses the border before it, unless the schedule has suspended tracking.", arguments: [false, true])
    mutating func arrivalAtBorder(isSuspended: Bool) throws {
        world = World { if isSuspended { $0.trackingSchedule = Crontab("0-2 0 * * *") } }
        _ = world.tell(.wallClock(Samples.start, isTrusted: true), at: 0)
        var setup = world.engine.configuration
        setup.regions = [try Samples.circle("depot", east: 20)]
        world.engine = Engine(setup)
        _ = world.tell(.motionSensor(isThere: false), at: 0)
        _ = world.tell(.command(.move), at: 90)
        var east = -500.0
        var records = drive(from: 101, seconds: 41, speed: 10, east: &east).compactMap(\.record)
        for second in 142...179 {
            let fix = Samples.fix(Double(second), east: second == 142 ? -84 : -66, speed: 0, accuracy: 5)
            records += world.tell(.fix(fix), at: Double(second)).compactMap(\.record)
        }
        records += world.tell(isSuspended ? .timer(.schedule) : .command(.stay), at: 181).compactMap(\.record)
        #expect(!world.engine.isMoving)
        #expect(records.count { $0.kind == .transition } == (isSuspended ? 0 : 1))
    }

    @Test(
        "After a second of motion, two fixes at walking pace begin a doubtful trip, if they are as far apart.",
        arguments: [(2.0, true, true), (0.3, true, false), (2, false, false)])
    mutating func walkingPace(step: Double, isFelt: Bool, isStart: Bool) {
        world.park()
        let shock = world.tell(.motion(MotionVerdict(isMoving: false, isActive: isFelt)), at: 100)
        #expect(shock.contains(.receiver(isOn: true)) == isFelt)
        if !isFelt { _ = world.tell(.timer(.update), at: 100) }
        var effects: [Effect] = []
        for second in 101...103 {
            let fix = Samples.fix(Double(second), east: 3 + Double(second - 101) * step, speed: 2)
            effects += world.tell(.fix(fix), at: Double(second))
        }
        #expect(world.engine.isMoving == isStart && effects.contains(.state(isMoving: true)) == isStart)
        guard isStart else { return }
        effects = (104...240).flatMap { world.tell(.fix(Samples.fix(Double($0), east: 6)), at: Double($0)) }
        effects += world.tell(.timer(.falseStart), at: 241)
        #expect(!world.engine.isMoving)
    }

    @Test(
        "A second of vibration far above the parked level turns the receiver on, unless motion must last.",
        arguments: [(0.03, 0.1, true), (0.03, 0.07, false), (0.07, 0.1, false), (0.07, 0.2, true)])
    mutating func unusual(parked: Double, deviation: Double, isChecked: Bool) {
        for delay in [Duration.zero, .seconds(5)] {
            world = World { $0.motionTriggerDelay = delay }
            world.park()
            func window(_ value: Double) -> Event {
                .motion(MotionVerdict(isMoving: false, isActive: false, deviation: Acceleration(value)))
            }
            for second in 10...80 {
                #expect(!world.tell(window(parked), at: Double(second)).contains(.receiver(isOn: true)))
            }
            let effects = world.tell(window(deviation), at: 81)
            #expect(effects.contains(.receiver(isOn: true)) == (isChecked && delay == .zero))
        }
    }

    @Test("Without a sky, a shock turns the receiver on for half a minute, and is no failed search.")
    mutating func shockWithoutSky() {
        world.park()
        #expect(
            world.tell(.motion(MotionVerdict(isMoving: false, isActive: true)), at: 100).contains(.receiver(isOn: true))
        )
        #expect(world.tell(.timer(.fixTimeout), at: 130).contains(.receiver(isOn: false)))
        let again = world.tell(.motion(MotionVerdict(isMoving: false, isActive: true)), at: 131)
        #expect(!again.contains(.receiver(isOn: true)))
    }

    @Test("Doors that slam for an hour turn the receiver on for a tenth of the time at most.", arguments: [7, 20])
    mutating func doors(interval: Int) {
        world.park()
        var checks = 0
        for second in stride(from: 100, to: 3700, by: interval) {
            let effects = world.tell(.motion(MotionVerdict(isMoving: false, isActive: true)), at: Double(second))
            guard effects.contains(.receiver(isOn: true)) else { continue }
            checks += 1
            _ = world.tell(.fix(Samples.fix(Double(second) + 1)), at: Double(second) + 1)
        }
        #expect((20...40).contains(checks) && !world.engine.isMoving)
    }

    @Test(
        "A queue that advances at walking pace is no stop, with an accelerometer and without.",
        arguments: [false, true])
    mutating func queue(hasAccelerometer: Bool) {
        if hasAccelerometer { world.park() } else { parkWithoutAccelerometer() }
        _ = world.tell(.command(.move), at: 90)
        var (east, second) = (0.0, 160)
        var effects = drive(from: 100, seconds: 60, speed: 10, east: &east)
        for _ in 0..<12 {
            for _ in 0..<120 {
                if hasAccelerometer {
                    effects += world.tell(.motion(MotionVerdict(isMoving: false)), at: Double(second))
                }
                effects += world.tell(.fix(Samples.fix(Double(second), east: east, speed: 0)), at: Double(second))
                effects += world.tell(.timer(.stillness), at: Double(second) + 0.9)
                second += 1
            }
            effects += drive(from: second, seconds: 13, speed: 1.2, east: &east)
            second += 13
        }
        #expect(world.engine.isMoving && !effects.contains(.state(isMoving: false)))
    }

    @Test(
        "Fixes of a logger up to a minute apart make one trip without refusals, and the receiver is not lost.",
        arguments: [13, 30, 60])
    mutating func sparse(interval: Int) {
        parkWithoutAccelerometer()
        var effects: [Effect] = []
        var (east, second) = (0.0, 60)
        for step in 0..<40 {
            if step > 3 { east += Double(interval) * 14 }
            if !world.engine.isMoving { effects += world.tell(.timer(.check), at: Double(second)) }
            second += interval
            effects += world.tell(.fix(Samples.fix(Double(second), east: east, speed: nil)), at: Double(second))
            effects += world.tell(.timer(.health), at: Double(second) + 1)
        }
        #expect(world.engine.isMoving && world.engine.state.logbook.trips.count == 1)
        #expect(effects.count { if case .refused = $0 { true } else { false } } <= 2)
        #expect(effects.compactMap(\.record).count { $0.kind == .providerchange } <= 2)
        #expect((world.engine.odometer.value - east).magnitude < 0.06 * east)
    }
}
