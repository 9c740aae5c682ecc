import Quantities
import Testing
import TrackingOptions

@testable import Tracking

@Suite("A new installation")
struct NewInstallationTests {
    @Test("The first good fix of a new installation is recorded as a stop, once.")
    func first() {
        var world = World()
        let records = start(&world)
        #expect(records.map(\.kind) == [.motionchange])
        #expect(records.allSatisfy { !$0.isMoving && $0.trip == nil && $0.isWithheld == nil })
        #expect(records.map(\.position?.coordinate) == [Samples.home])
        var again = Engine(Profile.vehicle.options, restoring: world.engine.state)
        var later = again.handle(.started, at: .boot)
        for second in 100...110 { later += again.handle(.fix(Samples.fix(Double(second))), at: .at(Double(second))) }
        #expect(!later.compactMap(\.record).contains { $0.kind == .motionchange })
    }

    @Test("A new installation records the first good fix, and no poor fix before it.")
    func vague() {
        var world = World { $0.accuracyLimit = Metres(1000) }
        _ = world.tell(.started, at: 0)
        var effects: [Effect] = []
        for second in 0...3 {
            effects += world.tell(.fix(Samples.fix(Double(second), accuracy: 500)), at: Double(second))
        }
        #expect(effects.compactMap(\.record).isEmpty)
        for second in 40...43 { effects += world.tell(.fix(Samples.fix(Double(second))), at: Double(second)) }
        #expect(effects.compactMap(\.record).map(\.kind) == [.motionchange])
    }

    @Test(
        "In quiet and manual mode the first place of a new installation stays on the device.",
        arguments: [MonitoringMode.quiet, .manual])
    func withheld(mode: MonitoringMode) {
        var world = World { $0.monitoring = mode }
        #expect(start(&world).map(\.isWithheld) == [true])
    }

    private func start(_ world: inout World) -> [Record] {
        _ = world.tell(.motionSensor(isThere: true), at: 0)
        var effects = world.tell(.started, at: 0)
        for second in 0...20 { effects += world.tell(.fix(Samples.fix(Double(second))), at: Double(second)) }
        return effects.compactMap(\.record).filter { $0.kind != .power }
    }
}
