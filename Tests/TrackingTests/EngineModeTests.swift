import Compatibility
import Motion
import Quantities
import Testing
import TrackingOptions

@testable import Tracking

@Suite("Monitoring modes")
struct EngineModeTests {
    @Test(
        "A mode that records only on request records no track point on any drive.",
        arguments: [MonitoringMode.quiet, .manual])
    func unasked(mode: MonitoringMode) {
        var world = World {
            $0.monitoring = mode
            $0.desiredMovingUpdateInterval = .seconds(10)
            $0.desiredStoppedUpdateInterval = .seconds(300)
            $0.fastestStoppedUpdateInterval = .seconds(10)
        }
        world.park()
        var effects = world.drive(from: 100, seconds: 60)
        effects += world.stand(from: 160, seconds: 300)
        #expect(!world.engine.isMoving)
        effects += world.tell(.timer(.update), at: 600)
        effects += world.tell(.fix(Samples.fix(601, east: 600)), at: 601)
        effects += world.tell(.timer(.fixTimeout), at: 720)
        #expect(!effects.compactMap(\.record).contains { $0.kind == .location })
    }

    @Test(
        "In the mode `significant`, servers receive at most one position in 5 minutes that nobody requested.",
        arguments: [200, 450, 900], [false, true])
    func significant(pause: Int, restarts: Bool) throws {
        let profile = try #require(Profile.named("significant"))
        var world = World { $0 = profile.options }
        world.park()
        var (records, second) = ([] as [Record], 100)
        for _ in 0..<8 {
            records += world.drive(from: second, seconds: 40).compactMap(\.record)
            records += world.stand(from: second + 40, seconds: 310 + pause).compactMap(\.record)
            second += 350 + pause
            if restarts {
                world.engine = Engine(world.engine.configuration, restoring: world.engine.state)
                let now = Samples.start + .seconds(second)
                _ = world.tell(.wallClock(now, isTrusted: true), at: Double(second))
                records += world.tell(.started, at: Double(second)).compactMap(\.record)
            }
        }
        let asked: [Record.Kind] = [.ping, .request, .trip, .power, .health]
        let unasked = records.filter { $0.position != nil && !asked.contains($0.kind) }
        let times = unasked.filter { $0.isWithheld != true }.map(\.time)
        #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 >= .seconds(300) })
        #expect((8...17).contains(times.count) && unasked.count > times.count)
    }

    @Test("A correction of the clock moves the time of the last position only if that clock has dated it.")
    func corrected() throws {
        let options = try #require(Profile.named("significant")).options
        func record(_ seconds: Double, isTrusted: Bool) throws -> Record {
            let place = try Samples.accepted(0).position
            var record = Record(
                .location, time: Samples.start + Duration(inSeconds: seconds), isTimeTrusted: isTrusted,
                position: place,
                isMoving: true, odometer: .zero, trip: 1)
            record.mode = .significant
            return record
        }
        var limit = SignificantLimit(restoring: Samples.start)
        limit.correct(by: .seconds(9000))
        #expect(limit.last == Samples.start)
        #expect(limit.withhold(try record(100, isTrusted: true), options).isWithheld == true)
        #expect(limit.withhold(try record(-2000, isTrusted: false), options).isWithheld == nil)
        #expect(limit.withhold(try record(-1900, isTrusted: false), options).isWithheld == true)
        limit.correct(by: .seconds(9000))
        #expect(limit.last == Samples.start + .seconds(7000))
        #expect(limit.withhold(try record(7100, isTrusted: true), options).isWithheld == true)
        #expect(limit.withhold(try record(7300, isTrusted: true), options).isWithheld == nil)
    }

    @Test("A clock that was behind at the start does not withhold the positions of the mode `significant`.")
    func clockBehind() throws {
        let profile = try #require(Profile.named("significant"))
        var world = World { $0 = profile.options }
        world.park()
        _ = world.drive(from: 100, seconds: 40)
        _ = world.stand(from: 140, seconds: 400)
        var restarted = World { $0 = profile.options }
        restarted.engine = Engine(world.engine.configuration, restoring: world.engine.state)
        _ = restarted.tell(.wallClock(Samples.start - .seconds(3000), isTrusted: false), at: 7200)
        _ = restarted.tell(.motionSensor(isThere: true), at: 7200)
        _ = restarted.tell(.started, at: 7200)
        let records = (restarted.drive(from: 7210, seconds: 60) + restarted.stand(from: 7270, seconds: 400)).compactMap(
            \.record)
        let sent = records.filter { $0.isWithheld != true && [.location, .motionchange].contains($0.kind) }
        #expect(sent.contains { !$0.isMoving && $0.kind == .motionchange } || sent.contains { $0.kind == .location })
    }

    @Test("A stop is recorded in every mode, whatever the filters are.", arguments: MonitoringMode.allCases)
    func stops(mode: MonitoringMode) {
        var world = World { $0.monitoring = mode }
        world.park()
        var effects = world.drive(from: 100, seconds: 60)
        effects += world.stand(from: 160, seconds: 300)
        let changes = effects.compactMap(\.record).filter { $0.kind == .motionchange }
        #expect(changes.map(\.isMoving) == [true, false])
    }

    private static let requestTable: [(MonitoringMode, isRemote: Bool, isAnswered: Bool)] = [
        (.quiet, false, true), (.quiet, true, false), (.manual, false, true), (.manual, true, false),
        (.significant, true, true), (.move, true, true), (.move, false, true),
    ]

    @Test("Manual and quiet mode ignore remote requests, but no other requests.", arguments: requestTable)
    func answers(mode: MonitoringMode, isRemote: Bool, isAnswered: Bool) {
        var world = World { $0.monitoring = mode }
        world.park()
        let asked = world.tell(.command(.locate(LocationRequest(isRemote: isRemote))), at: 100)
        #expect(asked.contains(.receiver(isOn: true)) == isAnswered)
        #expect(asked.contains(.arm(.request, at: .at(220))) == isAnswered)
        let answer = world.tell(.fix(Samples.fix(110)), at: 110)
        #expect(answer.compactMap(\.record).map(\.kind) == (isAnswered ? [.request] : []))
        #expect(answer.contains(.receiver(isOn: false)) == isAnswered)
    }

    @Test("Quiet mode powers the receiver only for a request.")
    func quiet() {
        var world = World {
            $0.monitoring = .quiet
            $0.motionTriggerDelay = .seconds(3)
            $0.desiredStoppedUpdateInterval = .seconds(60)
        }
        #expect(!poweredByEverything(&world))
        #expect(world.tell(.command(.locate(LocationRequest())), at: 5000).contains(.receiver(isOn: true)))
    }

    @Test("With desiredAccuracy none, the receiver is never powered, not even for a request.")
    func none() {
        var world = World {
            $0.desiredAccuracy = .none
            $0.motionTriggerDelay = .seconds(3)
            $0.desiredStoppedUpdateInterval = .seconds(60)
        }
        #expect(!poweredByEverything(&world))
        #expect(!world.tell(.command(.locate(LocationRequest())), at: 5000).contains(.receiver(isOn: true)))
    }

    @Test("With desiredAccuracy none, fixes that come for another reason are used.")
    func listens() {
        var world = World { $0.desiredAccuracy = .none }
        world.park()
        #expect(world.engine.state.logbook.parked?.coordinate == Samples.home)
        let driven = world.drive(from: 100, seconds: 60).compactMap(\.record)
        #expect(driven.contains { $0.kind == .location })
        _ = world.tell(.command(.locate(LocationRequest())), at: 165)
        #expect(
            world.tell(.fix(Samples.fix(166, east: 600)), at: 166).compactMap(\.record).contains { $0.kind == .request }
        )
    }

    /// Causes the events that may power the receiver; returns whether one of them did.
    private func poweredByEverything(_ world: inout World) -> Bool {
        _ = world.tell(.motionSensor(isThere: false), at: 0)
        var effects = world.tell(.started, at: 0)
        effects += world.tell(.timer(.check), at: 30) + world.tell(.timer(.update), at: 60)
        effects += world.tell(.motionSensor(isThere: true), at: 70)
        for second in 100...110 { effects += world.tell(.motion(MotionVerdict(isMoving: true)), at: Double(second)) }
        effects += world.tell(.timer(.acquire), at: 200) + world.tell(.command(.stay), at: 300)
        effects += world.tell(.command(.move), at: 400) + world.tell(.command(.stay), at: 500)
        effects += world.tell(.ignition(isOn: true), at: 600) + world.tell(.command(.stay), at: 700)
        return effects.contains(.receiver(isOn: true))
    }
}
