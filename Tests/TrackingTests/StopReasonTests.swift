import Motion
import Quantities
import Testing
import TrackingOptions

@testable import Tracking

@Suite("The reasons of a stop")
struct StopReasonTests {
    @Test(
        "Without an accelerometer, half an hour without a fix confirms a stop, and less if the ignition is off.",
        arguments: [(nil, 1800.0), (true, 1800), (false, 130)])
    func silence(ignition: Bool?, seconds: Double) throws {
        var options = TrackingOptions()
        (options.stopDetectionDelay, options.stopTimeout) = (.seconds(10), .seconds(120))
        var rule = SilenceRule(options, from: .at(0))
        rule.fix(at: .at(100))
        rule.receiverRested(at: .at(200))
        #expect(rule.end(ignition: ignition) == .at(100 + seconds))
    }

    @Test(
        "A silence is a stop if it is long enough and ends near where it began, or if the ignition is off.",
        arguments: [
            (129.0, 0.0, nil, false), (130, 0, nil, true), (130, 150, nil, false), (1000, 250, nil, true),
            (1000, 300, nil, false), (1000, 300, false, true), (1000, 0, true, false),
        ] as [(Double, Double, Bool?, Bool)])
    func stopInSilence(seconds: Double, east: Double, ignition: Bool?, isStop: Bool) throws {
        var options = TrackingOptions()
        (options.stopDetectionDelay, options.stopTimeout) = (.seconds(10), .seconds(120))
        let rule = SilenceRule(options, from: .at(0))
        let (before, fix) = (try Samples.accepted(0), try Samples.accepted(seconds, east: east))
        #expect(rule.isStop(from: before, to: fix, ignition: ignition, at: .at(seconds)) == isStop)
    }

    @Test(
        "The ignition confirms a stop if the options allow it.",
        arguments: [(true, true, false), (false, true, true), (false, false, false)])
    func ignition(isOn: Bool, isAsked: Bool, isConfirmed: Bool) {
        var world = World { $0.stopOnIgnitionOff = isAsked }
        world.park()
        world.drive(from: 100, seconds: 60)
        let effects = world.tell(.ignition(isOn: isOn), at: 160)
        #expect(effects.contains(.state(isMoving: false)) == isConfirmed)
    }

    @Test("The ignition confirms a stop at the vehicle's place and at that moment, and the trip ends.")
    func ignitionOff() throws {
        var world = World { $0.stopOnIgnitionOff = true }
        world.park()
        _ = world.tell(.ignition(isOn: true), at: 99)
        world.drive(from: 100, seconds: 60)
        let effects = world.tell(.ignition(isOn: false), at: 160)
        let stop = try #require(effects.compactMap(\.record).first { $0.kind == .motionchange })
        #expect(stop.time == Samples.start + .seconds(160))
        let end = try #require(Samples.home).moved(east: Metres(600), north: .zero)
        #expect(try #require(stop.position?.coordinate).distance(to: end) < Metres(1))
        #expect(effects.compactMap(\.record).contains { $0.kind == .trip && $0.isStop })
    }

    @Test("By default the ignition confirms no stop, because a queue at a barrier is no stop.")
    func ignitionIgnored() {
        var world = World()
        world.park()
        _ = world.tell(.ignition(isOn: true), at: 99)
        world.drive(from: 100, seconds: 60)
        #expect(world.tell(.ignition(isOn: false), at: 160).map { $0.record?.content } == [.power(.ignitionOff)])
        #expect(world.engine.isMoving)
    }

    @Test("Stillness confirms a stop only after stopDetectionDelay and stopTimeout together.")
    func detectionDelay() {
        var world = World { ($0.stopDetectionDelay, $0.stopTimeout) = (.seconds(60), .seconds(180)) }
        world.park()
        world.drive(from: 100, seconds: 10)
        _ = world.tell(.fix(Samples.fix(111, east: world.east, speed: 3)), at: 111)
        #expect(world.tell(.motion(MotionVerdict(isMoving: false)), at: 200).contains(.arm(.stillness, at: .at(440))))
        #expect(world.tell(.timer(.stillness), at: 439).isEmpty)
        // No fix has arrived since the stillness began, so the engine checks the position first.
        #expect(world.tell(.timer(.stillness), at: 440).contains(.arm(.fixTimeout, at: .at(560))))
        #expect(world.tell(.timer(.fixTimeout), at: 560).contains(.state(isMoving: false)))
    }

    @Test(
        "A confirmed stop records up to arrivalPoints fixes near it.",
        arguments: [(0, 1), (1, 1), (3, 3), (5, 5)])
    func arrivalPoints(wanted: Int, kept: Int) {
        var world = World {
            $0.arrivalPoints = wanted
            $0.distanceFilter = Metres(100)
        }
        world.park()
        world.drive(from: 100, seconds: 60)
        let records = world.stand(from: 160, seconds: 181).compactMap(\.record)
        let points = records.filter { $0.kind == .location }
        #expect(points.count == kept)
        #expect(points.map(\.time) == points.map(\.time).sorted())
        #expect(points.allSatisfy { $0.time >= Samples.start + .seconds(160) })
        #expect(records.last { $0.kind != .trip }?.kind == .motionchange)
    }
}
