import Quantities
import Testing
import TrackingOptions

@testable import Tracking

@Suite("Keeping a parked board awake by command")
struct StayAwakeTests {
    private static let halting = PowerPolicy(haltAfter: .seconds(3600), lowVoltage: Volts(11.8))
    private static let fourHours = Duration.seconds(14_400)

    private func parked(
        restoring state: EngineState = EngineState(), boot: String? = "a",
        clock: UTCTime = UTCTime(Samples.start, isTrusted: true),
        at second: Double = 0
    ) -> World {
        var world = World()
        var setup = EngineConfiguration(options: Profile.vehicle.options)
        setup.power = Self.halting
        setup.program = ProgramFacts(bootID: boot)
        world.engine = Engine(setup, restoring: state)
        _ = world.tell(.wallClock(clock.time, isTrusted: clock.isTrusted), at: second)
        _ = world.tell(.motionSensor(isThere: true), at: second) + world.tell(.started, at: second)
        park(&world, at: second)
        return world
    }

    /// Drives and arrives in one moment, so that the receiver is off afterwards.
    private func park(_ world: inout World, at second: Double) {
        _ = world.tell(.command(.move), at: second) + world.tell(.command(.stay), at: second)
    }

    /// Returns the state on disk of a board that a command keeps awake from second 100 until second 14 500.
    private func stateAwake(boot: String? = "a", clock: UTCTime = UTCTime(Samples.start, isTrusted: true))
        -> EngineState
    {
        var world = parked(boot: boot, clock: clock)
        _ = world.tell(.command(.stayAwake(Self.fourHours)), at: 100)
        return world.engine.state
    }

    @Test("A board that a command keeps awake is not halted after haltAfter, and is halted when the time is over.")
    func deadline() {
        var world = parked()
        let until = Samples.start + .seconds(14_500)
        #expect(
            world.tell(.command(.stayAwake(Self.fourHours)), at: 100).map(\.text) == [
                "a command keeps the board awake until \(until)"
            ])
        #expect(world.engine.status.awakeUntil(at: .at(200)) == until)
        let postponed = world.tell(.timer(.halt), at: 3600)
        #expect(postponed.compactMap(\.record).isEmpty && postponed.last == .arm(.halt, at: .at(14_500)))
        #expect(postponed.map(\.text).contains("not halted: a command keeps the board awake until \(until)"))
        // At the end, the usual minute of deliveries begins, because the vehicle has been parked for long enough.
        let over = world.tell(.timer(.halt), at: 14_500)
        #expect(over.compactMap(\.record?.content) == [.power(.shutdown)])
        #expect(over.contains(.deliver) && over.last == .arm(.halt, at: .at(14_560)))
        #expect(world.engine.status.awakeUntil(at: .at(14_500)) == nil)
        #expect(world.tell(.timer(.halt), at: 14_560).contains(.halt(wakeAfter: nil)))
    }

    @Test("A time to stay awake that ends before haltAfter has passed changes nothing.")
    func early() {
        var world = parked()
        #expect(!world.tell(.command(.stayAwake(.seconds(600))), at: 100).contains { $0.isArmed })
        #expect(world.tell(.timer(.halt), at: 3600).compactMap(\.record?.content) == [.power(.shutdown)])
    }

    @Test("When a command ends the time to stay awake, a board that would have been halted is halted at once.")
    func off() {
        var world = parked()
        _ = world.tell(.command(.stayAwake(Self.fourHours)), at: 100)
        #expect(!world.tell(.command(.stayAwake(nil)), at: 200).contains { $0.isArmed })
        _ = world.tell(.command(.stayAwake(Self.fourHours)), at: 300) + world.tell(.timer(.halt), at: 3600)
        #expect(world.tell(.command(.stayAwake(nil)), at: 4000).contains(.arm(.halt, at: .at(4000))))
        #expect(world.engine.status.awakeUntil(at: .at(4000)) == nil)
        #expect(world.tell(.timer(.halt), at: 4000).contains(.deliver))
        #expect(world.tell(.timer(.halt), at: 4060).contains(.halt(wakeAfter: nil)))
    }

    @Test("A later command replaces the time to stay awake, also by a shorter one.")
    func replaced() {
        var world = parked()
        _ = world.tell(.command(.stayAwake(Self.fourHours)), at: 100) + world.tell(.timer(.halt), at: 3600)
        #expect(world.tell(.command(.stayAwake(.seconds(60))), at: 3700).contains(.arm(.halt, at: .at(3700))))
        #expect(world.tell(.timer(.halt), at: 3700).last == .arm(.halt, at: .at(3760)))
    }

    @Test("A command in the minute of deliveries before a halt keeps the board awake.")
    func whileDelivering() {
        var world = parked()
        _ = world.tell(.timer(.halt), at: 3600)
        _ = world.tell(.command(.stayAwake(Self.fourHours)), at: 3630)
        #expect(world.tell(.timer(.halt), at: 3660).last == .arm(.halt, at: .at(18_030)))
    }

    @Test("A low battery halts a board that a command keeps awake.")
    func lowBattery() {
        var world = parked()
        _ = world.tell(.command(.stayAwake(Self.fourHours)), at: 0)
        for second in [0, 60, 659] { _ = world.tell(.supply(Volts(11)), at: Double(second)) }
        #expect(world.tell(.supply(Volts(11)), at: 660).contains(.halt(wakeAfter: nil)))
    }

    @Test("A trip does not end the time to stay awake.")
    func trip() {
        var world = parked()
        _ = world.tell(.command(.stayAwake(Self.fourHours)), at: 100)
        _ = world.tell(.command(.move), at: 200) + world.tell(.command(.stay), at: 300)
        #expect(world.tell(.timer(.halt), at: 3900).last == .arm(.halt, at: .at(14_500)))
    }

    @Test("A board stays awake for at most a day, and a board that is never halted has no such time.")
    func limits() {
        var world = parked()
        _ = world.tell(.command(.stayAwake(.seconds(1e9))), at: 0)
        #expect(world.engine.status.awakeUntil(at: .at(0)) == Samples.start + .seconds(86_400))
        var other = World()
        other.park()
        #expect(
            !other.engine.status.haltsParkedBoard && other.tell(.command(.stayAwake(Self.fourHours)), at: 5).isEmpty)
        #expect(other.engine.status.awakeUntil(at: .at(5)) == nil)
    }

    @Test("A jump of the clock neither shortens nor extends the time to stay awake.", arguments: [-1e8, 1e8])
    func jump(seconds: Double) {
        var world = parked(clock: UTCTime(Samples.start, isTrusted: false))
        _ = world.tell(.command(.stayAwake(Self.fourHours)), at: 100)
        let corrected = Samples.start + Duration(inSeconds: seconds)
        _ = world.tell(.wallClock(corrected, isTrusted: true), at: 200) + world.tell(.timer(.light), at: 201)
        #expect(world.engine.status.awakeUntil(at: .at(201)) == corrected + .seconds(14_300))
        #expect(world.tell(.timer(.halt), at: 3600).last == .arm(.halt, at: .at(14_500)))
        #expect(world.tell(.timer(.halt), at: 14_500).contains(.deliver))
    }

    @Test("After a restart of the program, the time to stay awake ends at the same moment, even if the clock is wrong.")
    func restart() {
        let clock = UTCTime(Samples.start + .seconds(1e8), isTrusted: true)
        var world = parked(restoring: stateAwake(), clock: clock, at: 1000)
        #expect(world.tell(.timer(.halt), at: 4600).last == .arm(.halt, at: .at(14_500)))
    }

    @Test(
        "After a power cut, the date ends the time to stay awake, which never lasts longer than requested.",
        arguments: [(10_000.0, 4500.0), (14_500, 0), (1e8, 0), (-1e8, 14_400)])
    func powerCut(later: Double, rest: Double) {
        for boot in ["b", nil] {
            let state = stateAwake(boot: boot == nil ? nil : "a")
            let clock = UTCTime(Samples.start + Duration(inSeconds: later), isTrusted: true)
            var world = parked(restoring: state, boot: boot, clock: clock)
            #expect(
                world.engine.status.awakeUntil(at: .at(0)) == (rest > 0 ? clock.time + Duration(inSeconds: rest) : nil))
            let halt = world.tell(.timer(.halt), at: 3600)
            #expect(halt.last == .arm(.halt, at: .at(rest > 0 ? rest : 3660)))
        }
    }

    @Test(
        "After a power cut, a board without a clock stays awake until its date is trusted and shows that the time is over."
    )
    func lateDate() {
        var world = parked(
            restoring: stateAwake(), boot: "b", clock: UTCTime(Timestamp(milliseconds: 0), isTrusted: false))
        #expect(world.tell(.timer(.halt), at: 3600).last == .arm(.halt, at: .at(14_400)))
        _ = world.tell(.wallClock(Samples.start + .seconds(20_000), isTrusted: true), at: 4000)
        #expect(world.tell(.supply(Volts(12.5)), at: 4001).contains(.arm(.halt, at: .at(4001))))
        #expect(world.tell(.timer(.halt), at: 4001).contains(.deliver))
    }

    @Test("Without a trusted date, a board stays awake after a power cut for as long as requested, and no longer.")
    func undated() {
        let far = UTCTime(Samples.start - .seconds(1e8), isTrusted: false)
        var world = parked(restoring: stateAwake(), boot: "b", clock: far)
        #expect(world.tell(.timer(.halt), at: 3600).last == .arm(.halt, at: .at(14_400)))
        #expect(world.tell(.timer(.halt), at: 14_400).contains(.deliver))
    }

    @Test("A stored time to stay awake that is found late applies, unless a command has set another.")
    func late() {
        let former = stateAwake()
        var world = parked()
        _ = world.tell(.resumed(former), at: 1000)
        park(&world, at: 1000)
        #expect(world.tell(.timer(.halt), at: 4600).last == .arm(.halt, at: .at(14_500)))
        var other = parked()
        _ = other.tell(.command(.stayAwake(.seconds(7200))), at: 20) + other.tell(.resumed(former), at: 150)
        park(&other, at: 150)
        #expect(other.tell(.timer(.halt), at: 3750).last == .arm(.halt, at: .at(7220)))
    }
}

extension Effect {
    fileprivate var isArmed: Bool { if case .arm = self { true } else { false } }
    fileprivate var text: String { if case .decided(let decision) = self { decision.text } else { "" } }
}
