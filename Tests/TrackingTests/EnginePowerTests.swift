import Quantities
import Testing
import TrackingOptions

@testable import Tracking

@Suite("Saving power")
struct EnginePowerTests {
    private static let halting = PowerPolicy(haltAfter: .seconds(3600), wakeAfter: .seconds(86_400))
    private static let judging = PowerPolicy(lowVoltage: Volts(11.8))

    @Test(
        "A voltage that no vehicle has neither saves current nor halts the board.",
        arguments: [0, 2.5, 5.03064, 98, .nan])
    func impossible(voltage: Double) {
        var world = World(power: Self.judging)
        world.park()
        for second in stride(from: 0.0, to: 2000, by: 30) {
            #expect(world.tell(.supply(Volts(voltage)), at: second).isEmpty)
        }
    }

    @Test("The cells of an uninterruptible supply may have less voltage than a vehicle.")
    func cells() {
        #expect(PowerPolicy(lowVoltage: Volts(6.4)).plausible == Volts(3.2)...Volts(60))
        #expect(PowerPolicy(lowVoltage: Volts(11.8)).plausible == Volts(6)...Volts(60))
        #expect(PowerPolicy().plausible == Volts(6)...Volts(60))
    }

    @Test("A parked board delivers its shutdown for a minute after haltAfter, and is then halted.")
    func halt() {
        var world = World(power: Self.halting)
        world.park()
        let effects = world.tell(.timer(.halt), at: 3600)
        #expect(effects.compactMap(\.record?.content) == [.power(.shutdown)])
        #expect(effects.contains(.deliver) && effects.last == .arm(.halt, at: .at(3660)))
        #expect(!effects.contains { $0.isHalt })
        #expect(world.tell(.timer(.halt), at: 3660).last == .halt(wakeAfter: .seconds(86_400)))
    }

    @Test("A board that is used during the minute of deliveries is not halted.")
    func usedAgain() {
        var world = World(power: Self.halting)
        world.park()
        _ = world.tell(.timer(.halt), at: 3600)
        _ = world.tell(.command(.locate(LocationRequest())), at: 3630)
        #expect(!world.tell(.timer(.halt), at: 3660).contains { $0.isHalt })
    }

    @Test("A refused halt is reported and tried again, and a later shutdown is recorded.")
    func notReady() {
        var world = World(power: Self.halting)
        world.park()
        _ = world.tell(.timer(.halt), at: 3600) + world.tell(.timer(.halt), at: 3660)
        let refused = world.tell(.haltRefused(reason: "the chip streams"), at: 3660)
        #expect(refused.contains(.decided(Decision(.power, "not halted: the chip streams"))))
        #expect(
            refused.compactMap(\.record?.content) == [.health(HealthReport(.haltRefused, reason: "the chip streams"))])
        #expect(world.tell(.power(.shutdown), at: 3700).compactMap(\.record?.content) == [.power(.shutdown)])
    }

    @Test("The time until a halt is counted from the program's start and from each arrival.")
    func counting() {
        var world = World(power: Self.halting)
        _ = world.tell(.motionSensor(isThere: true), at: 0)
        #expect(world.tell(.started, at: 5).contains(.arm(.halt, at: .at(3605))))
        #expect(world.tell(.command(.move), at: 10).contains(.cancel(.halt)))
        #expect(world.tell(.command(.stay), at: 100).contains(.arm(.halt, at: .at(3700))))
    }

    @Test("A board is not halted with the ignition on, on a trip, or while a request for a location is open.")
    func busy() {
        var world = World(power: Self.halting)
        world.park()
        _ = world.tell(.ignition(isOn: true), at: 10) + world.tell(.command(.stay), at: 11)
        #expect(world.tell(.timer(.halt), at: 3611) == [.arm(.halt, at: .at(7211))])
        _ = world.tell(.ignition(isOn: false), at: 3700)
        _ = world.tell(.command(.locate(LocationRequest())), at: 3800)
        #expect(!world.tell(.timer(.halt), at: 3801).contains { $0.isHalt })
        _ = world.tell(.command(.move), at: 3900)
        #expect(world.tell(.timer(.halt), at: 3901).isEmpty)
    }

    @Test("Without haltAfter a board is never halted.")
    func never() {
        var world = World()
        world.park()
        #expect(world.tell(.timer(.halt), at: 1e6).isEmpty)
    }

    @Test("A low battery suspends beacons, position checks and uploads until the battery has recovered.")
    func low() {
        var world = World(power: Self.judging) { $0.desiredStoppedUpdateInterval = .seconds(600) }
        world.park()
        _ = world.tell(.supply(Volts(11)), at: 100)
        let effects = world.tell(.supply(Volts(11)), at: 160)
        #expect(effects.compactMap(\.record?.content).first == .power(.supplyLow))
        // The servers receive the record before uploads pause.
        #expect(effects.last == .deliver && effects.contains(.arm(.holdUploads, at: .at(220))))
        #expect(!effects.contains(.uploads(.finishing)))
        #expect(world.tell(.supply(Volts(11)), at: 190).isEmpty)
        #expect(
            world.tell(.timer(.holdUploads), at: 220) == [.uploads(.finishing), .arm(.holdUploads, at: .at(520))])
        #expect(world.engine.status.resolvedOptions.options.desiredStoppedUpdateInterval == .zero)
        #expect(!world.engine.status.resolvedOptions.options.beacons)
        _ = world.tell(.supply(Volts(12.4)), at: 230)
        let back = world.tell(.supply(Volts(12.4)), at: 290)
        #expect(back.contains(.uploads(.allowed)))
        #expect(back.compactMap(\.record?.content).first == .power(.supplyBack))
        #expect(world.engine.status.resolvedOptions.options.desiredStoppedUpdateInterval == .seconds(600))
    }

    @Test("Five minutes after the last measurement, a low battery no longer suspends anything.")
    func unmeasured() {
        var world = World(power: Self.judging) { $0.desiredStoppedUpdateInterval = .seconds(600) }
        world.park()
        for second in [100, 160, 190] { _ = world.tell(.supply(Volts(11)), at: Double(second)) }
        #expect(
            world.tell(.timer(.holdUploads), at: 220) == [.uploads(.finishing), .arm(.holdUploads, at: .at(520))])
        let end = world.tell(.timer(.holdUploads), at: 520)
        #expect(end.contains(.uploads(.allowed)))
        #expect(world.engine.status.resolvedOptions.options.desiredStoppedUpdateInterval == .seconds(600))
        // The monitor works again, and the battery is still low.
        _ = world.tell(.supply(Volts(11)), at: 600)
        #expect(world.tell(.supply(Volts(11)), at: 660).contains(.arm(.holdUploads, at: .at(720))))
    }

    @Test("A stored state that is found late does not end a low battery or the pause of uploads.")
    func resumedWhileLow() {
        var world = World(power: Self.judging)
        world.park()
        let former = world.engine.state
        for second in [100, 160] { _ = world.tell(.supply(Volts(11)), at: Double(second)) }
        _ = world.tell(.timer(.holdUploads), at: 220)
        _ = world.tell(.resumed(former), at: 225)
        _ = world.tell(.supply(Volts(12.4)), at: 230)
        let back = world.tell(.supply(Volts(12.4)), at: 290)
        #expect(back.contains(.uploads(.allowed)))
        #expect(back.compactMap(\.record?.content).first == .power(.supplyBack))
    }

    @Test("A battery that remains low halts a parked board, but never a board on a trip.")
    func exhausted() {
        var world = World(power: Self.judging)
        world.park()
        for second in [0, 60, 659] {
            #expect(!world.tell(.supply(Volts(11)), at: Double(second)).contains { $0.isHalt })
        }
        #expect(world.tell(.supply(Volts(11)), at: 660).contains { $0.isHalt })
        _ = world.tell(.command(.move), at: 700)
        #expect(world.tell(.supply(Volts(11)), at: 701).isEmpty)
    }

    @Test("A failed halt is tried again with growing pauses, and the shutdown is recorded once.")
    func refused() {
        var world = World(power: Self.judging)
        world.park()
        var halts: [Int] = []
        var shutdowns = 0
        for second in stride(from: 0, to: 86_400, by: 30) {
            let effects = world.tell(.supply(Volts(11)), at: Double(second))
            if effects.contains(where: \.isHalt) { halts.append(second) }
            shutdowns += effects.count { $0.record?.content == .power(.shutdown) }
        }
        #expect(zip(halts, halts.dropFirst()).map { $1 - $0 } == [600, 1200, 2400, 4800, 9600, 19_200, 38_400])
        #expect(shutdowns == 1)
    }

    @Test("A shutdown after a halt is recorded once, and a later shutdown with another cause is recorded too.")
    func end() {
        var world = World(power: Self.judging)
        world.park()
        for second in [0, 60] { _ = world.tell(.supply(Volts(11)), at: Double(second)) }
        #expect(world.tell(.supply(Volts(11)), at: 660).contains { $0.record?.content == .power(.shutdown) })
        #expect(world.tell(.power(.shutdown), at: 665).isEmpty)
        #expect(world.tell(.power(.shutdown), at: 1200).compactMap(\.record?.content) == [.power(.shutdown)])
        // The first halt has failed; the second succeeds.
        #expect(world.tell(.supply(Volts(11)), at: 1260).contains { $0.isHalt })
        #expect(world.tell(.power(.shutdown), at: 1265).compactMap(\.record?.content) == [.power(.shutdown)])
    }

    @Test("A supply failure is recorded, and no upload begins until the supply is back.")
    func failing() {
        var world = World()
        world.park()
        let lost = world.tell(.power(.supplyLost), at: 10)
        #expect(lost.compactMap(\.record?.content) == [.power(.supplyLost)])
        #expect(lost.last == .uploads(.suspended))
        #expect(world.tell(.power(.supplyBack), at: 11).last == .uploads(.allowed))
    }
}

@Suite("The tracking light")
struct EngineLightTests {
    @Test("The tracking light is on while tracking is on if the option is `always`.")
    func always() {
        var world = World { $0.indicator = .always }
        _ = world.tell(.started, at: 0)
        #expect(world.tell(.command(.tracking(isOn: false)), at: 1).last == .light(isLit: false))
        #expect(world.tell(.command(.tracking(isOn: true)), at: 2).last == .light(isLit: true))
    }

    @Test("The tracking light blinks for a fifth of a second at each record if the option is `updates`.")
    func updates() {
        var world = World { $0.indicator = .updates }
        let effects = world.tell(.started, at: 0)
        #expect(effects.suffix(2) == [.light(isLit: true), .arm(.light, at: .at(0.2))])
        #expect(world.tell(.timer(.light), at: 0.2) == [.light(isLit: false)])
    }

    @Test("The tracking light goes out when the option changes from `always` to `updates`, and a blink continues.")
    func fromAlwaysToUpdates() {
        var rule = IndicatorRule()
        #expect(rule.follow(.always, isTracking: true) == [.light(isLit: true)])
        #expect(rule.follow(.updates, isTracking: true) == [.light(isLit: false)])
        #expect(rule.recorded(at: .at(1)) == [.light(isLit: true), .arm(.light, at: .at(1.2))])
        #expect(rule.follow(.updates, isTracking: true).isEmpty)
        #expect(rule.timer(.updates) == [.light(isLit: false)])
    }

    @Test("The tracking light remains on when the option changes from `updates` to `always` during a blink.")
    func fromUpdatesToAlways() {
        var rule = IndicatorRule()
        _ = rule.recorded(at: .at(1))
        #expect(rule.follow(.always, isTracking: true).isEmpty)
        #expect(rule.timer(.always).isEmpty)
        #expect(rule.follow(.always, isTracking: false) == [.light(isLit: false)])
    }

    @Test("The tracking light is off by default.")
    func off() {
        var world = World()
        let effects = world.tell(.started, at: 0) + world.tell(.timer(.light), at: 1)
        #expect(!effects.contains { if case .light = $0 { true } else { false } })
    }
}

extension Effect {
    fileprivate var isHalt: Bool { if case .halt = self { true } else { false } }
}
