import Motion
import Quantities
import Testing
import TrackingOptions

@testable import Tracking

@Suite("A parked vehicle")
struct ParkedVehicleTests {
    private static let still = Event.motion(MotionVerdict(isMoving: false))
    private static let shaken = Event.motion(MotionVerdict(isMoving: true))

    @Test("Each desiredStoppedUpdateInterval, the receiver is powered for one record.")
    func updates() {
        var world = World { $0.desiredStoppedUpdateInterval = .seconds(600) }
        world.park()
        for due in [600.0, 1200] {
            let effects = world.tell(.timer(.update), at: due)
            #expect(effects.contains(.receiver(isOn: true)) && effects.contains(.arm(.update, at: .at(due + 600))))
            let answer = world.tell(.fix(Samples.fix(due + 5)), at: due + 5)
            #expect(answer.compactMap(\.record).map(\.kind) == [.location])
            #expect(answer.last { $0.isSwitch } == .receiver(isOn: false))
            #expect(world.tell(.fix(Samples.fix(due + 6)), at: due + 6).compactMap(\.record).isEmpty)
        }
    }

    @Test("A parked update without a good fix records the best fix; without any fix, it reports the missing fix.")
    func poorUpdates() {
        var world = World { $0.desiredStoppedUpdateInterval = .seconds(600) }
        world.park()
        _ = world.tell(.timer(.update), at: 600)
        #expect(world.tell(.fix(Samples.fix(610, accuracy: 60)), at: 610).compactMap(\.record).isEmpty)
        #expect(world.tell(.fix(Samples.fix(611, accuracy: 90)), at: 611).compactMap(\.record).isEmpty)
        let poor = world.tell(.timer(.fixTimeout), at: 720)
        #expect(poor.compactMap(\.record).map(\.position?.accuracy) == [Metres(60)])
        #expect(poor.contains(.receiver(isOn: false)))
        _ = world.tell(.timer(.update), at: 1200)
        let none = world.tell(.timer(.fixTimeout), at: 1320)
        #expect(none.compactMap(\.record).map(\.content) == [.providerchange(ProviderChange(.noFix))])
        #expect(none.contains(.receiver(isOn: false)))
    }

    @Test("A position check continues when the options change.")
    func changedOptions() {
        var world = World()
        _ = world.tell(.started, at: 0)
        let change = OptionLayer(
            .custom, name: "test", [OptionAssignment("heartbeatInterval", .duration(.seconds(60)), source: "test")])
        let changed = world.tell(.options(.custom, [change]), at: 50)
        #expect(changed.last { $0.isSwitch } == .receiver(isOn: true) || !changed.contains { $0.isSwitch })
        #expect(changed.last(ofTimer: .fixTimeout) == .arm(.fixTimeout, at: .at(170)))
        #expect(world.tell(.timer(.fixTimeout), at: 170).contains(.receiver(isOn: false)))
    }

    @Test("A departure found by a position check for motion is dated when that motion began.")
    func longAfterTheLastLook() throws {
        var world = World { $0.useStoppedGeofence = true }
        world.park()
        for second in 10_000..<10_020 { _ = world.tell(Self.shaken, at: Double(second)) }
        var effects: [Effect] = []
        for second in 10_020..<10_030 {
            let east = Double(second - 10_000) * 15
            effects += world.tell(.fix(Samples.fix(Double(second), east: east, speed: 15)), at: Double(second))
        }
        let departure = try #require(effects.compactMap(\.record).first { $0.kind == .motionchange })
        #expect((9_990.0...10_010).contains((departure.time - Samples.start).inSeconds))
    }

    @Test("No other timer ends a position check before fixTimeout.")
    func earlyTimer() {
        var world = World()
        _ = world.tell(.started, at: 0)
        #expect(!world.tell(.timer(.fixTimeout), at: 60).contains(.receiver(isOn: false)))
        #expect(world.tell(.timer(.fixTimeout), at: 120).contains(.receiver(isOn: false)))
    }

    @Test("A parked vehicle records a fix at most once per fastestStoppedUpdateInterval, and by default never.")
    func fixesOfOthers() {
        var world = World { $0.fastestStoppedUpdateInterval = .seconds(60) }
        world.park()
        let recorded = (2...200).filter { second in
            let effects = world.tell(.fix(Samples.fix(Double(second))), at: Double(second))
            return effects.contains { $0.record?.kind == .location }
        }
        #expect(recorded.count == 3)
        #expect(zip(recorded, recorded.dropFirst()).allSatisfy { $1 - $0 == 60 })

        var other = World()
        other.park()
        for second in 2...200 {
            #expect(other.tell(.fix(Samples.fix(Double(second))), at: Double(second)).compactMap(\.record).isEmpty)
        }
    }

    @Test("A ping is recorded every heartbeatInterval, without the receiver.")
    func heartbeat() {
        var world = World { $0.heartbeatInterval = .seconds(900) }
        _ = world.tell(.motionSensor(isThere: true), at: 0)
        #expect(world.tell(.started, at: 0).contains(.arm(.heartbeat, at: .at(900))))
        for second in 0...1 { _ = world.tell(.fix(Samples.fix(Double(second))), at: Double(second)) }
        let effects = world.tell(.timer(.heartbeat), at: 900)
        #expect(effects.compactMap(\.record).map(\.kind) == [.ping])
        #expect(effects.compactMap(\.record).map(\.position?.coordinate) == [Samples.home])
        #expect(effects.contains(.arm(.heartbeat, at: .at(1800))))
        #expect(!effects.contains { $0.isSwitch })
    }

    @Test("A wake-up inside the stopped geofence does not start a trip.")
    func insideGeofence() {
        var world = fenced()
        #expect(world.tell(Self.shaken, at: 100).contains(.receiver(isOn: true)))
        for second in 101...104 {
            _ = world.tell(Self.shaken, at: Double(second))
            _ = world.tell(.fix(Samples.fix(Double(second), east: 40, speed: 1)), at: Double(second))
        }
        #expect(!world.engine.isMoving)
        let effects = world.tell(.fix(Samples.fix(120, east: 41)), at: 120)
        #expect(effects.contains(.receiver(isOn: false)))
        #expect(!world.engine.isMoving)
    }

    @Test("Leaving the stopped geofence starts a trip.")
    func outsideGeofence() {
        var world = fenced()
        _ = world.tell(Self.shaken, at: 100)
        for second in 101...102 {
            _ = world.tell(.fix(Samples.fix(Double(second), east: 112, speed: nil)), at: Double(second))
        }
        #expect(world.engine.isMoving)
    }

    @Test(
        "Lasting motion starts a trip if no fix comes for fixTimeout, even if earlier position checks found a fix.",
        arguments: [true, false])
    func motionWithoutFix(hasLooked: Bool) {
        var world = World { $0.useStoppedGeofence = true }
        if hasLooked { world.park() } else { _ = world.tell(.motionSensor(isThere: true), at: 0) }
        for second in 100..<220 { _ = world.tell(Self.shaken, at: Double(second)) }
        #expect(!world.engine.isMoving)
        #expect(world.tell(.timer(.fixTimeout), at: 220).contains(.state(isMoving: true)))
    }

    @Test("Motion that has ended starts no trip, and the receiver is switched off again.")
    func ceasedMotion() {
        var world = fenced()
        _ = world.tell(Self.shaken, at: 100)
        _ = world.tell(Self.still, at: 103)
        let effects = world.tell(.timer(.fixTimeout), at: 220)
        #expect(effects.contains(.receiver(isOn: false)))
        #expect(!world.engine.isMoving)
    }

    @Test(
        "A receiver that warms up for motion is switched off after fixTimeout, though no end of the motion is reported."
    )
    func endlessWarmUp() {
        var world = World { $0.motionTriggerDelay = .seconds(10) }
        world.park()
        let effects = world.tell(Self.shaken, at: 100)
        #expect(effects.contains(.receiver(isOn: true)))
        // The accelerometer streams, because a chip that only wakes the program would not report whether the motion lasts.
        #expect(effects.contains(.motionSensor(isStreaming: true)))
        #expect(effects.contains(.arm(.fixTimeout, at: .at(220))))
        let rest = world.tell(.timer(.fixTimeout), at: 220)
        #expect(rest.contains(.receiver(isOn: false)) && rest.contains(.motionSensor(isStreaming: false)))
    }

    private func fenced() -> World {
        var world = World {
            $0.useStoppedGeofence = true
            $0.stoppedGeofenceRadius = Metres(100)
        }
        world.park()
        return world
    }
}

extension Effect {
    var isSwitch: Bool {
        if case .receiver = self { true } else { false }
    }
}

extension [Effect] {
    fileprivate func last(ofTimer kind: TimerKind) -> Effect? {
        last { effect in
            switch effect {
            case .arm(kind, _), .cancel(kind): true
            default: false
            }
        }
    }
}
