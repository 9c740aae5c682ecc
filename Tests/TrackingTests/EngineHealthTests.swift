import TrackingOptions
import Motion
import Quantities
import Testing

@testable import Tracking

@Suite("A receiver that fails during a trip")
struct EngineHealthTests {
    @Test("A failing receiver is reported and power-cycled, and its return is reported.")
    func lost() {
        var world = driving()
        let lost = world.tell(.timer(.health), at: 150)
        #expect(lost.compactMap(\.record).map(\.content) == [.providerchange(ProviderChange(.silent))])
        #expect(lost.contains(.arm(.health, at: .at(210))))
        #expect(world.tell(.timer(.health), at: 210).contains(.receiver(isOn: false)))
        #expect(world.tell(.timer(.health), at: 215).contains(.receiver(isOn: true)))
        let back = world.tell(.fix(Samples.fix(230, east: 300, speed: 10)), at: 230)
        #expect(back.compactMap(\.record).first?.content == .providerchange(ProviderChange(.available)))
    }

    @Test("A frozen receiver is reported, and its repetitions are not used as fixes.")
    func frozen() {
        var world = driving()
        var records: [Record] = []
        for second in 120...140 {
            let effects = world.tell(.fix(Samples.fix(119.5, east: 200, speed: 10)), at: Double(second))
            #expect(effects.contains(.refused(second < 130 ? .notNewer : .frozen)))
            records += effects.compactMap(\.record)
        }
        #expect(records.map(\.content) == [.providerchange(ProviderChange(.frozen))])
    }

    @Test("A receiver whose supply was cut remains off if the vehicle stops before the power cycle ends.")
    func stopDuringCut() {
        var world = driving()
        _ = world.tell(.timer(.health), at: 150)
        _ = world.tell(.timer(.health), at: 210)
        _ = world.tell(.command(.stay), at: 212)
        let effects = world.tell(.timer(.health), at: 215)
        #expect(!effects.contains(.receiver(isOn: true)))
        #expect(effects.lastIndex(of: .cancel(.health)) != nil)
        #expect(world.tell(.timer(.health), at: 400).isEmpty)
        #expect(world.tell(.command(.move), at: 500).contains(.receiver(isOn: true)))
    }

    @Test("A receiver that cannot be switched is reported once, and again when it can be switched.")
    func unswitchable() {
        var world = driving()
        let states: [ProviderChange.State] = [false, false, true, true].flatMap { canBeSet in
            world.tell(.receiverLines(canBeSet: canBeSet), at: 150).compactMap(\.record).compactMap {
                guard case .providerchange(let change) = $0.content else { return nil }
                return change.state
            }
        }
        #expect(states == [.unswitchable, .available])
    }

    @Test("A search for a fix is not started twice by a stale timer.")
    func staleTimer() {
        var world = World()
        world.park()
        #expect(world.tell(.command(.move), at: 100).contains(.arm(.fixTimeout, at: .at(220))))
        #expect(world.tell(.timer(.acquire), at: 150).isEmpty)
        #expect(world.tell(.timer(.fixTimeout), at: 220).contains(.receiver(isOn: false)))
    }

    private func driving() -> World {
        var world = World()
        world.park()
        world.drive(from: 100, seconds: 20)
        return world
    }
}
