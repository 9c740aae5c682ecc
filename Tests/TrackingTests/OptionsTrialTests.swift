import Quantities
import Testing
import TrackingOptions

@testable import Tracking

@Suite("The options of a server on trial")
struct OptionsTrialTests {
    private var world = World { $0.distanceFilter = Metres(50) }

    private func layer(_ metres: Double) -> [OptionLayer] {
        let assignment = OptionAssignment("distanceFilter", .length(Metres(metres)), source: "server")
        return [OptionLayer(.remote, name: "all", [assignment])]
    }

    private var distance: Metres { world.engine.status.resolvedOptions.options.distanceFilter }

    @Test("A server's options apply at once, and remain after the server has received a record.")
    mutating func confirmed() {
        world.park()
        let effects = world.tell(.remoteOptions(layer(5), target: "home"), at: 100)
        #expect(distance == Metres(5))
        #expect(effects.contains(.arm(.trial, at: .at(1000))))
        #expect(world.tell(.delivered(target: "home"), at: 110).contains(.cancel(.trial)))
        _ = world.tell(.timer(.trial), at: 1000)
        #expect(distance == Metres(5) && world.engine.status.optionsTrial == nil)
    }

    @Test("Without a record at the server within 15 minutes, the former options apply again, and a record states this.")
    mutating func rolledBack() {
        world.park()
        _ = world.tell(.options(.remote, layer(20)), at: 90)
        _ = world.tell(.remoteOptions(layer(5), target: "home"), at: 100)
        // A record at another server proves nothing about the server that sent the options.
        _ = world.tell(.delivered(target: "work"), at: 200)
        let effects = world.tell(.timer(.trial), at: 1000)
        #expect(distance == Metres(20))
        let change = OptionsChange(origin: "remote", keys: ["distanceFilter"])
        #expect(effects.compactMap(\.record?.content) == [.optionschange(change)])
    }

    @Test("If two orders in a row remain unproven, the options from before the first order apply again.")
    mutating func second() {
        world.park()
        _ = world.tell(.remoteOptions(layer(5), target: "home"), at: 100)
        _ = world.tell(.remoteOptions(layer(6), target: "home"), at: 500)
        _ = world.tell(.timer(.trial), at: 1400)
        #expect(distance == Metres(50))
    }

    @Test("A trial of options survives a restart, and its 15 minutes begin again.")
    mutating func restart() throws {
        world.park()
        _ = world.tell(.remoteOptions(layer(5), target: "home"), at: 100)
        var engine = Engine(world.engine.configuration, restoring: world.engine.state)
        var effects = EffectBuffer()
        engine.handle(.started, at: .at(30), into: &effects)
        #expect(engine.status.resolvedOptions.options.distanceFilter == Metres(5))
        #expect(effects.effects.contains(.arm(.trial, at: .at(930))))
        engine.handle(.timer(.trial), at: .at(930), into: &effects)
        #expect(engine.status.resolvedOptions.options.distanceFilter == Metres(50))
    }

    @Test("A trial of options in a stored state that is found late ends after 15 minutes too.")
    mutating func late() throws {
        world.park()
        _ = world.tell(.remoteOptions(layer(5), target: "home"), at: 100)
        var engine = Engine(world.engine.configuration)
        var effects = EffectBuffer()
        engine.handle(.started, at: .at(30), into: &effects)
        engine.handle(.resumed(world.engine.state), at: .at(60), into: &effects)
        #expect(engine.status.resolvedOptions.options.distanceFilter == Metres(5))
        #expect(effects.effects.contains(.arm(.trial, at: .at(960))))
        engine.handle(.timer(.trial), at: .at(960), into: &effects)
        #expect(engine.status.resolvedOptions.options.distanceFilter == Metres(50))
    }
}
