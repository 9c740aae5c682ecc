import Foundation
import Quantities
import Testing
import TrackingOptions

@testable import Tracking

@Suite("Ignition and supply in the records")
struct IgnitionTests {
    @Test("Each change of the ignition is a record, and each record states the ignition.")
    func changes() {
        var world = World()
        world.park()
        let on = world.tell(.ignition(isOn: true), at: 10).compactMap(\.record)
        #expect(on.first?.content == .power(.ignitionOn))
        #expect(on.allSatisfy { $0.ignition == true } && on.count > 1)
        let off = world.tell(.ignition(isOn: false), at: 20).compactMap(\.record)
        #expect(off.first?.content == .power(.ignitionOff) && off.first?.ignition == false)
    }

    @Test("The ignition's level at the start causes a record only if it differs from the last level.")
    func start() {
        var world = World()
        #expect(world.tell(.ignition(isOn: false), at: 1).compactMap(\.record).isEmpty)
        _ = world.tell(.ignition(isOn: true), at: 2)
        var again = Engine(EngineConfiguration(options: Profile.vehicle.options), restoring: world.engine.state)
        #expect(!again.handle(.ignition(isOn: true), at: .at(1)).contains { $0.record?.content == .power(.ignitionOn) })
        #expect(again.handle(.ignition(isOn: false), at: .at(2)).first?.record?.content == .power(.ignitionOff))
    }

    @Test("While tracking is off, the ignition leaves no record.")
    func suspended() {
        var world = World()
        world.park()
        _ = world.tell(.command(.tracking(isOn: false)), at: 5)
        #expect(world.tell(.ignition(isOn: true), at: 10).compactMap(\.record).isEmpty)
    }

    @Test("A board without an ignition line states no ignition.")
    func none() {
        var world = World()
        #expect(world.tell(.started, at: 0).compactMap(\.record).allSatisfy { $0.ignition == nil && $0.supply == nil })
    }

    @Test("Each record states the battery's voltage for five minutes after the measurement.")
    func voltage() {
        var world = World()
        world.park()
        _ = world.tell(.supply(Volts(12.6)), at: 100)
        let fresh = world.tell(.command(.move), at: 400).compactMap(\.record)
        #expect(!fresh.isEmpty && fresh.allSatisfy { $0.supply == Volts(12.6) })
        let stale = world.tell(.command(.stay), at: 401).compactMap(\.record)
        #expect(!stale.isEmpty && stale.allSatisfy { $0.supply == nil })
    }
}

@Suite("The record of the start")
struct StartRecordTests {
    private static func engine(boot: String, restoring state: EngineState = EngineState()) -> Engine {
        var setup = EngineConfiguration(options: Profile.vehicle.options)
        setup.program = ProgramFacts(version: "1.2", board: "pi4", bootID: boot)
        return Engine(setup, restoring: state)
    }

    @Test(
        "The record of the start states version, board and the number of boots; a restart in the same boot does not count."
    )
    func boots() {
        var state = EngineState()
        var counts: [Int] = []
        for boot in ["a", "a", "b", "c"] {
            var engine = Self.engine(boot: boot, restoring: state)
            guard
                case .power(.started, let start?)? = engine.handle(.started, at: .at(0)).compactMap(\.record).first?
                    .content
            else {
                Issue.record("no start")
                return
            }
            #expect(start.version == "1.2" && start.board == "pi4")
            counts.append(start.boots)
            state = engine.state
        }
        #expect(counts == [1, 1, 2, 3])
    }

    @Test("A record of the start that an earlier version wrote can still be read.")
    func old() throws {
        let text = #"{"power":{"_0":"started"}}"#
        #expect(try JSONDecoder().decode(Record.Content.self, from: Data(text.utf8)) == .power(.started))
        let new = Record.Content.power(.started, start: StartReport(version: nil, board: "pi4", boots: 3))
        #expect(try JSONDecoder().decode(Record.Content.self, from: JSONEncoder().encode(new)) == new)
    }
}

@Suite("The health of the tracker")
struct HealthTests {
    private static func world(isTrusted: Bool = true) -> Engine {
        var setup = EngineConfiguration(options: Profile.vehicle.options)
        setup.expectsMotionSensor = true
        var engine = Engine(setup)
        if isTrusted { _ = engine.handle(.wallClock(Samples.start, isTrusted: true), at: .at(0)) }
        _ = engine.handle(.motionSensor(isThere: true), at: .at(0))
        return engine
    }

    private static func changes(_ effects: [Effect]) -> [HealthReport] {
        effects.compactMap { effect in
            if case .health(let report)? = effect.record?.content { report } else { nil }
        }
    }

    @Test("The loss of an accelerometer causes a record, and so does its return.")
    func accelerometer() {
        var engine = Self.world()
        let lost = engine.handle(.motionSensor(isThere: false), at: .at(10))
        #expect(Self.changes(lost) == [HealthReport(.accelerometerLost)])
        #expect(
            Self.changes(engine.handle(.motionSensor(isThere: true), at: .at(900))) == [
                HealthReport(.accelerometerBack)
            ])
    }

    @Test("A board without an accelerometer does not report a lost accelerometer.")
    func without() {
        var world = World()
        #expect(Self.changes(world.tell(.motionSensor(isThere: false), at: 0)).isEmpty)
    }

    @Test("A loose wire causes at most one record in ten minutes, and the last condition is recorded.")
    func loose() {
        var engine = Self.world()
        var count = 0
        for second in 10..<400 {
            count += Self.changes(engine.handle(.motionSensor(isThere: second % 2 == 0), at: .at(Double(second)))).count
        }
        #expect(count == 1)
        // The only record so far reports the loss of the accelerometer. The engine records the return after ten minutes.
        _ = engine.handle(.motionSensor(isThere: true), at: .at(400))
        #expect(Self.changes(engine.handle(.timer(.condition), at: .at(611))) == [HealthReport(.accelerometerBack)])
    }

    @Test("Twenty failed transfers within ten minutes cause a record, and an hour without one causes another.")
    func bus() {
        var engine = Self.world()
        #expect(Self.changes(engine.handle(.transferErrors(1), at: .at(100))).isEmpty)
        let faulty = engine.handle(.transferErrors(20), at: .at(200))
        #expect(Self.changes(faulty).map(\.change) == [.busErrors])
        #expect(Self.changes(faulty).first?.reason == "20 transfers failed within ten minutes")
        #expect(Self.changes(engine.handle(.timer(.condition), at: .at(3800))) == [HealthReport(.busBack)])
    }

    @Test(
        "Twenty transfers that fail at once cause a record, also if they are the first failures.", arguments: [0, 7000])
    func burst(start: Int) {
        var engine = Self.world()
        if start > 0 { _ = engine.handle(.transferErrors(1), at: .at(100)) }
        let count = start > 0 ? 21 : 20
        let faulty = engine.handle(.transferErrors(count), at: .at(Double(start) + 200))
        #expect(Self.changes(faulty).first?.reason == "20 transfers failed within ten minutes")
    }

    @Test("A few failed transfers cause no record.")
    func fewErrors() {
        var engine = Self.world()
        for hour in 1...48 {
            #expect(Self.changes(engine.handle(.transferErrors(hour), at: .at(Double(hour) * 1800))).isEmpty)
        }
    }

    @Test("A clock that is not set 15 minutes after the start causes a record, and so does its setting.")
    func clock() {
        var engine = Self.world(isTrusted: false)
        #expect(engine.handle(.started, at: .at(5)).contains(.arm(.condition, at: .at(905))))
        #expect(Self.changes(engine.handle(.timer(.condition), at: .at(905))) == [HealthReport(.clockNotSet)])
        let set = engine.handle(.wallClock(Samples.start, isTrusted: true), at: .at(2000))
        #expect(Self.changes(set) == [HealthReport(.clockSet)])
    }

    @Test("A disk that cannot be written causes a record, and so does a database that was set aside.")
    func storage() {
        var engine = Self.world()
        let full = engine.handle(.storage(fault: "the disk is full"), at: .at(10))
        #expect(Self.changes(full) == [HealthReport(.storageFailing, reason: "the disk is full")])
        #expect(Self.changes(engine.handle(.storage(fault: nil), at: .at(700))) == [HealthReport(.storageBack)])
        let aside = engine.handle(.health(HealthReport(.databaseSetAside, reason: "malformed")), at: .at(800))
        #expect(Self.changes(aside) == [HealthReport(.databaseSetAside, reason: "malformed")])
    }

    @Test("An exchanged database causes a record, and so do missing records of a damaged database.")
    func losses() {
        var engine = Self.world()
        let exchanged = HealthReport(.databaseExchanged)
        #expect(Self.changes(engine.handle(.health(exchanged), at: .at(10))) == [exchanged])
        let missing = HealthReport(.recordsMissing, reason: "copied records: 7, other records: 2")
        #expect(Self.changes(engine.handle(.health(missing), at: .at(20))) == [missing])
    }

    @Test("A simulated position is marked in its record, and is reported once.")
    func simulated() {
        var world = World()
        world.park()
        var fix = Samples.fix(50)
        fix.solution = .simulated
        var effects = world.tell(.command(.locate(LocationRequest())), at: 49) + world.tell(.fix(fix), at: 50)
        fix.time = Samples.start + .seconds(51)
        effects += world.tell(.fix(fix), at: 51)
        let reports = effects.filter { effect in
            if case .decided(let decision) = effect { decision.text.contains("simulates") } else { false }
        }
        #expect(reports.count == 1)
        #expect(effects.compactMap(\.record).contains { $0.position?.solution == .simulated })
    }
}
