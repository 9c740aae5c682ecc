import Compatibility
import Motion
import Quantities
import Testing
import TrackingOptions

@testable import Tracking

@Suite("The engine")
struct EngineTests {
    private var world = World()

    @Test("At its start the engine searches for the vehicle's position, and then switches the receiver off.")
    mutating func firstLook() {
        #expect(world.tell(.started, at: 0).contains(.receiver(isOn: true)))
        #expect(world.tell(.fix(Samples.fix(1)), at: 1) == [.refused(.unconfirmed)])
        #expect(world.tell(.fix(Samples.fix(2)), at: 2).contains(.receiver(isOn: false)))
        #expect(world.engine.state.logbook.parked?.coordinate == Samples.home)
    }

    @Test("A position check without a fix is given up, and motion still starts a trip afterwards.")
    mutating func noFix() {
        _ = world.tell(.motionSensor(isThere: true), at: 0)
        #expect(world.tell(.started, at: 0).contains(.arm(.fixTimeout, at: .at(120))))
        #expect(world.tell(.timer(.fixTimeout), at: 120).contains(.receiver(isOn: false)))
        #expect(world.tell(.motion(MotionVerdict(isMoving: true)), at: 130).contains(.state(isMoving: true)))
    }

    @Test("The anchor is on disk before the receiver is switched on.")
    mutating func departure() throws {
        world.park()
        let effects = world.tell(.motion(MotionVerdict(isMoving: true)), at: 100)
        let record = try #require(effects.firstIndex { $0.record?.kind == .motionchange })
        let receiver = try #require(effects.firstIndex(of: .receiver(isOn: true)))
        #expect(record < receiver)
        let anchor = try #require(effects[record].record)
        #expect(anchor.isMoving && anchor.trip == 1)
        #expect(anchor.position?.coordinate == Samples.home)
        #expect(anchor.time == Samples.start + .seconds(100))
    }

    @Test("The engine departs by ignition and by command.", arguments: [Event.ignition(isOn: true), .command(.move)])
    mutating func reasons(event: Event) {
        world.park()
        #expect(world.tell(event, at: 50).contains(.state(isMoving: true)))
    }

    @Test("Motion counts only when it has lasted motionTriggerDelay, while the receiver warms up.")
    mutating func triggerDelay() {
        world = World { $0.motionTriggerDelay = .seconds(5) }
        world.park()
        #expect(world.tell(.motion(MotionVerdict(isMoving: true)), at: 100).contains(.receiver(isOn: true)))
        for second in 101..<105 {
            #expect(world.tell(.motion(MotionVerdict(isMoving: true)), at: Double(second)).isEmpty)
        }
        #expect(world.tell(.motion(MotionVerdict(isMoving: true)), at: 105).contains(.state(isMoving: true)))
    }

    @Test("Fixes with speed do not override motionTriggerDelay.")
    mutating func triggerDelayWithFixes() {
        world = World { $0.motionTriggerDelay = .seconds(30) }
        world.park()
        var moved: [Int] = []
        for second in 100...132 {
            var effects = world.tell(.motion(MotionVerdict(isMoving: true)), at: Double(second))
            let fix = Samples.fix(Double(second) + 0.5, east: Double(second - 100) * 9, speed: 9)
            effects += world.tell(.fix(fix), at: Double(second) + 0.5)
            if effects.contains(.state(isMoving: true)) { moved.append(second) }
        }
        #expect(moved == [130])
    }

    @Test("A position check finds a vehicle that has driven off in motion shorter than motionTriggerDelay.")
    mutating func triggerDelayWithoutMotion() {
        world = World { $0.motionTriggerDelay = .seconds(30) }
        world.park()
        for second in 100...110 {
            _ = world.tell(.motion(MotionVerdict(isMoving: true)), at: Double(second))
            let fix = Samples.fix(Double(second) + 0.5, east: Double(second - 100) * 9, speed: 9)
            _ = world.tell(.fix(fix), at: Double(second) + 0.5)
        }
        #expect(world.tell(.motion(MotionVerdict(isMoving: false)), at: 111).contains { !$0.isSwitch })
        for second in 112...113 {
            let fix = Samples.fix(Double(second), east: Double(second - 100) * 9, speed: 9)
            _ = world.tell(.fix(fix), at: Double(second))
        }
        #expect(world.engine.isMoving)
    }

    @Test("The departure is dated at the onset of the motion, not at the verdict.")
    mutating func onset() throws {
        world.park()
        let verdict = MotionVerdict(isMoving: true, onset: .at(97))
        let anchor = try #require(world.tell(.motion(verdict), at: 100).compactMap(\.record).first)
        #expect(anchor.time == Samples.start + .seconds(97))
    }

    @Test("A stop is not confirmed while the last fix shows speed, and is confirmed as soon as a fix shows none.")
    mutating func lastFixMoves() {
        world.park()
        world.drive(from: 100, seconds: 60)
        _ = world.stand(from: 160, seconds: 179)
        _ = world.tell(.fix(Samples.fix(339.5, east: world.east, speed: 2.8)), at: 339.5)
        #expect(world.tell(.timer(.stillness), at: 340) == [.arm(.stillness, at: .at(350))])
        #expect(world.engine.isMoving)
        #expect(world.tell(.fix(Samples.fix(341, east: world.east)), at: 341).contains(.arm(.stillness, at: .at(341))))
        #expect(world.tell(.timer(.stillness), at: 341).contains(.state(isMoving: false)))
    }

    @Test("A stop is not confirmed within ten minutes of a fast last fix.")
    mutating func fastLastFix() {
        world.park()
        world.drive(from: 100, seconds: 60)
        _ = world.tell(.motion(MotionVerdict(isMoving: false)), at: 160)
        #expect(world.tell(.timer(.stillness), at: 340) == [.arm(.stillness, at: .at(759.5))])
        _ = world.tell(.timer(.stillness), at: 759.5)
        #expect(world.tell(.timer(.fixTimeout), at: 900).contains(.state(isMoving: false)))
    }

    @Test("A burst of motion shorter than motionTriggerDelay is forgotten, and the receiver is switched off again.")
    mutating func shortBurst() {
        world = World { $0.motionTriggerDelay = .seconds(5) }
        world.park()
        _ = world.tell(.motion(MotionVerdict(isMoving: true)), at: 100)
        let effects = world.tell(.motion(MotionVerdict(isMoving: false)), at: 103)
        #expect(effects.contains(.receiver(isOn: false)))
        #expect(!world.engine.isMoving)
    }

    @Test("The place and time of arrival are on disk before the receiver is switched off.")
    mutating func arrival() throws {
        world.park()
        world.drive(from: 100, seconds: 60)
        let effects = world.stand(from: 160, seconds: 181)
        let record = try #require(effects.lastIndex { $0.record?.kind == .motionchange })
        let receiver = try #require(effects.lastIndex(of: .receiver(isOn: false)))
        #expect(record < receiver)
        let stop = try #require(effects[record].record)
        #expect(!stop.isMoving)
        #expect(stop.time == Samples.start + .seconds(160))
        let position = try #require(stop.position?.coordinate)
        let expected = try #require(Samples.home).moved(east: Metres(600), north: .zero)
        #expect(position.distance(to: expected) < Metres(1))
        #expect((stop.odometer.value - 600).magnitude < 2)
    }

    @Test("A smooth motorway is not a stop.")
    mutating func motorway() {
        world.park()
        world.drive(from: 100, seconds: 900, vibrates: false)
        #expect(world.engine.isMoving)
    }

    @Test("A red light is not a stop, and vibration alone is not a drive.")
    mutating func redLightAndIdling() {
        world.park()
        world.drive(from: 100, seconds: 60)
        _ = world.stand(from: 160, seconds: 100)
        #expect(world.engine.isMoving)
        _ = world.stand(from: 260, seconds: 110, vibrates: true)
        #expect(!world.engine.isMoving)
    }

    @Test("An idling engine is no departure, but a position check that finds the vehicle elsewhere shows a departure.")
    mutating func idling() {
        world.park()
        world.drive(from: 100, seconds: 60)
        _ = world.stand(from: 160, seconds: 600, vibrates: true)
        #expect(!world.engine.isMoving)
        #expect(world.tell(.timer(.check), at: 790).contains(.receiver(isOn: true)))
        world.drive(from: 791, seconds: 3)
        #expect(world.engine.isMoving)
    }

    @Test("Motion starts a trip again after the idling engine was switched off.")
    mutating func engineOff() {
        world.park()
        world.drive(from: 100, seconds: 60)
        _ = world.stand(from: 160, seconds: 210, vibrates: true)
        for second in [400.0, 405] { _ = world.tell(.motion(MotionVerdict(isMoving: false)), at: second) }
        #expect(!world.tell(.motion(MotionVerdict(isMoving: true)), at: 406).contains(.state(isMoving: true)))
        _ = world.tell(.motion(MotionVerdict(isMoving: false)), at: 410)
        #expect(world.tell(.motion(MotionVerdict(isMoving: false)), at: 420).contains(.arm(.check, at: .at(22_020))))
        #expect(world.tell(.motion(MotionVerdict(isMoving: true)), at: 500).contains(.state(isMoving: true)))
    }

    @Test("A stop without a fix is confirmed after a position check, even if the check finds no fix.")
    mutating func garage() throws {
        world.park()
        world.drive(from: 100, seconds: 60)
        _ = world.tell(.fix(Samples.fix(161, east: world.east, speed: 3)), at: 161)
        _ = world.tell(.motion(MotionVerdict(isMoving: false)), at: 200)
        #expect(world.tell(.timer(.stillness), at: 380) == [.arm(.fixTimeout, at: .at(500))])
        let effects = world.tell(.timer(.fixTimeout), at: 500)
        let stop = try #require(effects.compactMap(\.record).last)
        #expect(stop.time == Samples.start + .seconds(200))
        #expect(effects.contains(.receiver(isOn: false)))
    }

    @Test("Without an accelerometer the position is checked repeatedly, and position or speed starts a trip.")
    mutating func looks() {
        _ = world.tell(.motionSensor(isThere: false), at: 0)
        _ = world.tell(.started, at: 0)
        _ = world.tell(.fix(Samples.fix(0)), at: 0)
        #expect(world.tell(.fix(Samples.fix(1)), at: 1).contains(.arm(.check, at: .at(31))))
        #expect(world.tell(.timer(.check), at: 31).contains(.receiver(isOn: true)))
        #expect(world.tell(.fix(Samples.fix(32, east: 30, speed: 8)), at: 32).isEmpty)
        #expect(world.tell(.fix(Samples.fix(33, east: 38, speed: 8)), at: 33).contains(.state(isMoving: true)))
    }

    @Test("A trip without a fix of its own does not report the previous trip again.")
    mutating func tripWithoutFix() throws {
        world.park()
        world.drive(from: 100, seconds: 60)
        _ = world.stand(from: 160, seconds: 300)
        let parked = world.engine.state.logbook.parked
        _ = world.tell(.motion(MotionVerdict(isMoving: true)), at: 4000)
        _ = world.tell(.motion(MotionVerdict(isMoving: false)), at: 4001)
        _ = world.tell(.timer(.stillness), at: 4181)
        let records = world.tell(.timer(.fixTimeout), at: 4301).compactMap(\.record)
        #expect(records.map(\.kind) == [.motionchange])
        #expect(records.first?.position?.coordinate == parked?.coordinate)
        #expect(records.first?.time == Samples.start + .seconds(4001))
    }

    @Test("If the parked place is unknown, a trip begins at the first fix.")
    mutating func firstBootOnTheRoad() throws {
        _ = world.tell(.motionSensor(isThere: false), at: 0)
        _ = world.tell(.started, at: 0)
        var records: [Record] = []
        for second in 1...4 {
            let fix = Samples.fix(Double(second), east: Double(second) * 20, speed: 20)
            records += world.tell(.fix(fix), at: Double(second)).compactMap(\.record)
        }
        #expect(records.first?.kind == .motionchange)
        #expect(records.first?.position != nil)
    }

    @Test("Without an accelerometer, a tunnel is not a stop, but half an hour without a fix is.")
    mutating func tunnelWithoutAccelerometer() {
        _ = world.tell(.motionSensor(isThere: false), at: 0)
        _ = world.tell(.started, at: 0)
        for second in 1...40 {
            let speed = second < 36 ? 20.0 : 0
            _ = world.tell(
                .fix(Samples.fix(Double(second), east: Double(min(second, 36)) * 20, speed: speed)), at: Double(second))
        }
        #expect(world.tell(.timer(.stillness), at: 216) == [])
        #expect(world.engine.isMoving)
        #expect(world.tell(.timer(.silence), at: 1000) == [.arm(.silence, at: .at(1840))])
        #expect(world.tell(.timer(.silence), at: 1840).contains(.state(isMoving: false)))
    }

    @Test("The accelerometer dates an arrival if it measured motion after the last fix.")
    mutating func barrierAndGarage() throws {
        world.park()
        world.drive(from: 100, seconds: 60)
        _ = world.stand(from: 160, seconds: 20)
        _ = world.tell(.motion(MotionVerdict(isMoving: true)), at: 200)
        _ = world.tell(.motion(MotionVerdict(isMoving: false)), at: 500)
        _ = world.tell(.timer(.stillness), at: 680)
        let stop = try #require(
            world.tell(.fix(Samples.fix(682, east: 640)), at: 682).compactMap(\.record).first {
                $0.kind == .motionchange
            })
        #expect(stop.time == Samples.start + .seconds(500))
    }

    @Test("A departure that only a position check found has the time of the last fix at the parked place.")
    mutating func lastSeenParked() throws {
        _ = world.tell(.motionSensor(isThere: false), at: 0)
        _ = world.tell(.started, at: 0)
        for second in 0...1 { _ = world.tell(.fix(Samples.fix(Double(second))), at: Double(second)) }
        _ = world.tell(.timer(.check), at: 31)
        _ = world.tell(.fix(Samples.fix(32, east: 200, speed: 12)), at: 32)
        let anchor = world.tell(.fix(Samples.fix(33, east: 212, speed: 12)), at: 33).compactMap(\.record).first
        #expect(anchor?.time == Samples.start + .seconds(1))
        #expect(anchor?.position?.coordinate == Samples.home)
    }

    @Test("The engine counts rejected fixes.")
    mutating func refusal() {
        world.park()
        #expect(world.tell(.fix(Fix(mode: .noFix)), at: 100) == [.refused(.noFix)])
    }

    @Test("The engine continues after a restart in the state in which it ended.")
    mutating func restart() {
        world.park()
        world.drive(from: 100, seconds: 60)
        let before = world.engine.state
        world.engine = Engine(TrackingOptions(), restoring: before)
        _ = world.tell(.wallClock(Samples.start + .seconds(170), isTrusted: true), at: 170)
        let effects = world.tell(.started, at: 170)
        #expect(effects.contains(.receiver(isOn: true)))
        #expect(effects.compactMap(\.record).map(\.kind) == [.power])
        #expect(world.engine.state == before)
        _ = world.tell(.command(.stay), at: 180)
        #expect(world.engine.state.logbook.trips.count == 1)
    }

    @Test("The engine records points while the vehicle drives, and none while it waits at a light.")
    mutating func sampling() {
        world = World {
            $0.distanceFilter = Metres(10)
            $0.turnFilter = .zero
        }
        world.park()
        let driven = world.drive(from: 100, seconds: 60).compactMap(\.record).filter { $0.kind == .location }
        // At 10 m/s, the filter of 10 m becomes 20 m, so a point is recorded every 2 s or 3 s.
        #expect((20...31).contains(driven.count))
        let waited = world.stand(from: 160, seconds: 60).compactMap(\.record)
        #expect(waited.count <= 1)
    }
}

extension EngineConfiguration {
    /// Makes a configuration with options and with one layer per mode.
    ///
    /// Options that a mode sets belong to the profile, so a switch of the mode replaces these options. The other
    /// options belong to the configuration file, and a switch leaves them unchanged.
    init(_ options: TrackingOptions, modes: [MonitoringMode: OptionLayer]) {
        let replaced = Set(modes.values.flatMap(\.assignments).map(\.key))
        let all = TrackingOption.all.map { OptionAssignment($0.key, $0.value(in: options), source: "given") }
        self.init(
            layers: OptionLayers([
                OptionLayer(.profile, name: "given", all.filter { replaced.contains($0.key) }),
                OptionLayer(.file, name: "given", all.filter { !replaced.contains($0.key) }),
            ]), modes: modes)
    }
}

/// An engine in a simulated vehicle.
struct World {
    var engine: Engine
    private(set) var east = 0.0

    init(power: PowerPolicy = PowerPolicy(), _ change: (inout TrackingOptions) -> Void = { _ in }) {
        var options = Profile.vehicle.options
        change(&options)
        var setup = EngineConfiguration(options, modes: OptionLayer.ownTracksModes)
        setup.power = power
        engine = Engine(setup)
        _ = tell(.wallClock(Samples.start, isTrusted: true), at: 0)
    }

    mutating func tell(_ event: Event, at seconds: Double) -> [Effect] { engine.handle(event, at: .at(seconds)) }

    /// Starts the engine with an accelerometer; the vehicle is parked at home.
    mutating func park() {
        _ = tell(.motionSensor(isThere: true), at: 0)
        _ = tell(.started, at: 0)
        _ = tell(.fix(Samples.fix(0)), at: 0)
        _ = tell(.fix(Samples.fix(1)), at: 1)
    }

    /// Drives eastwards at 10 m/s.
    @discardableResult
    mutating func drive(from start: Int, seconds: Int, vibrates: Bool = true) -> [Effect] {
        var effects: [Effect] = []
        for second in start..<(start + seconds) {
            effects += tell(.motion(MotionVerdict(isMoving: vibrates || second == start)), at: Double(second))
            east += 10
            effects += tell(.fix(Samples.fix(Double(second) + 0.5, east: east, speed: 10)), at: Double(second) + 0.5)
        }
        return effects
    }

    /// Lets the vehicle stand at its position, and fires the stillness timer every second.
    @discardableResult
    mutating func stand(from start: Int, seconds: Int, vibrates: Bool = false) -> [Effect] {
        var effects: [Effect] = []
        for second in start..<(start + seconds) {
            effects += tell(.fix(Samples.fix(Double(second), east: east, speed: 0)), at: Double(second))
            effects += tell(.motion(MotionVerdict(isMoving: vibrates)), at: Double(second))
            effects += tell(.timer(.stillness), at: Double(second) + 0.9)
        }
        return effects
    }
}

extension Effect {
    var record: Record? {
        if case .record(let record) = self { record } else { nil }
    }
}
