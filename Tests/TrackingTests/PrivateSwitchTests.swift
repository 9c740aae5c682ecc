import Foundation
import Quantities
import Testing
import TrackingOptions

@testable import Tracking

@Suite("The private switch")
struct PrivateSwitchTests {
    private var world = World { $0.desiredMovingUpdateInterval = .seconds(5) }

    init() {
        setUp(hasSwitch: true)
        world.park()
    }

    /// Starts the engine again with its state, on a board with or without a switch.
    private mutating func setUp(hasSwitch: Bool) {
        var configuration = world.engine.configuration
        configuration.hasPrivateSwitch = hasSwitch
        world.engine = Engine(configuration, restoring: world.engine.state)
        _ = world.tell(.wallClock(Samples.start, isTrusted: true), at: 0)
    }

    private static func changes(in records: [Record]) -> [HealthChange] {
        records.compactMap { if case .health(let report) = $0.content { report.change } else { nil } }
    }

    @Test("While the private switch is on, a drive leaves no position and no trip, but the odometer continues.")
    mutating func drive() throws {
        let public_ = world.drive(from: 100, seconds: 30).compactMap(\.record)
        #expect(public_.contains { $0.kind == .location && $0.trip == 1 })
        let on = world.tell(.privateSwitch(isOn: true), at: 130)
        #expect(on.compactMap(\.record).map(\.kind) == [.trip, .health])
        #expect(on.contains(.decided(Decision(.privacy, "private from now on: private switch"))))
        #expect(
            world.engine.status.privacyReasons == [.privateSwitch]
                && world.engine.status.privacyEnd(at: .at(130)) == nil)
        let odometer = world.engine.odometer
        let hidden = (131..<160).flatMap {
            world.tell(.fix(Samples.fix(Double($0), east: Double($0 - 100) * 10)), at: Double($0))
        }
        #expect(hidden.compactMap(\.record).isEmpty)
        #expect(world.engine.odometer - odometer > Metres(250))

        let off = world.tell(.privateSwitch(isOn: false), at: 160)
        #expect(Self.changes(in: off.compactMap(\.record)) == [.privacyEnded])
        #expect(off.contains(.decided(Decision(.privacy, "no longer private: private switch ended"))))
        let after = (161..<190).flatMap {
            world.tell(.fix(Samples.fix(Double($0), east: Double($0 - 100) * 10)), at: Double($0))
        }
        let records = after.compactMap(\.record)
        #expect(records.first?.kind == .trip && records.first?.trip == 2)
        #expect(records.contains { $0.kind == .location })
    }

    @Test(
        "The command `private off` does not end the time of the switch, and the switch does not end the time of a command."
    )
    mutating func reasons() {
        _ = world.tell(.privateSwitch(isOn: true), at: 100)
        #expect(world.tell(.command(.privacy(isOn: true)), at: 101).compactMap(\.record).isEmpty)
        #expect(world.engine.status.privacyReasons == [.command, .privateSwitch])
        #expect(world.tell(.command(.privacy(isOn: false)), at: 102).compactMap(\.record).isEmpty)
        #expect(world.engine.status.privacyReasons == [.privateSwitch])
        _ = world.tell(.command(.privacy(isOn: true)), at: 103)
        #expect(world.tell(.privateSwitch(isOn: false), at: 104).compactMap(\.record).isEmpty)
        #expect(world.engine.status.privacyReasons == [.command])
        let end = world.tell(.command(.privacy(isOn: false)), at: 105).compactMap(\.record)
        #expect(Self.changes(in: end) == [.privacyEnded] && end.last?.kind == .motionchange)
        #expect(!world.engine.isPrivate)
    }

    @Test("After a restart, the last position of the switch applies until the line is read.", arguments: [true, false])
    mutating func restart(isOn: Bool) throws {
        _ = world.tell(.privateSwitch(isOn: isOn), at: 100)
        let disk = try JSONEncoder().encode(world.engine.state)
        world.engine = Engine(
            world.engine.configuration, restoring: try JSONDecoder().decode(EngineState.self, from: disk))
        _ = world.tell(.wallClock(Samples.start + .seconds(200), isTrusted: true), at: 0)
        _ = world.tell(.started, at: 0)
        let fix = world.tell(.fix(Samples.fix(205)), at: 5).compactMap(\.record)
        #expect(world.engine.isPrivate == isOn && fix.allSatisfy { ($0.position == nil) == isOn })
        #expect(world.tell(.privateSwitch(isOn: isOn), at: 6).compactMap(\.record).isEmpty)
        #expect(
            Self.changes(in: world.tell(.privateSwitch(isOn: !isOn), at: 7).compactMap(\.record))
                == [isOn ? .privacyEnded : .privacyBegan])
    }

    @Test("A board from which the switch was removed does not remain private.")
    mutating func removed() {
        _ = world.tell(.privateSwitch(isOn: true), at: 100)
        setUp(hasSwitch: false)
        #expect(Self.changes(in: world.tell(.started, at: 1).compactMap(\.record)) == [.privacyEnded])
        #expect(!world.engine.isPrivate)
        #expect(world.tell(.fix(Samples.fix(205)), at: 5).compactMap(\.record).allSatisfy { $0.position != nil })
    }

    @Test("A stored state that is found late does not override the switch that was read since the start.")
    mutating func foundLate() {
        var former = world.engine
        _ = former.handle(.privateSwitch(isOn: true), at: .at(90))
        _ = world.tell(.privateSwitch(isOn: false), at: 100)
        _ = world.tell(.resumed(former.state), at: 101)
        #expect(!world.engine.isPrivate)
        setUp(hasSwitch: true)
        var unread = Engine(world.engine.configuration)
        _ = unread.handle(.started, at: .at(1))
        _ = unread.handle(.resumed(former.state), at: .at(2))
        #expect(unread.status.privacyReasons == [.privateSwitch])
    }
}
