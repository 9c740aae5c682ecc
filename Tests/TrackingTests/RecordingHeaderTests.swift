import Motion
import Quantities
import Testing

@testable import Tracking

@Suite("The lines of a recording")
struct RecordingHeaderTests {
    @Test(
        "A replay of a recording gets the same sensor reports as the engine got.",
        arguments: [
            Event.motion(MotionVerdict(isMoving: true)), .motionSensor(isThere: true), .ignition(isOn: true),
            .ignition(isOn: false), .beaconScanner(isListening: true), .supply(Volts(12.1)), .power(.supplyLost),
        ])
    func reports(event: Event) {
        let line = RecordedEvent(event, at: .seconds(3))
        #expect(line?.event == event && line?.t_s == 3)
    }

    @Test(
        "A recording has no line for an event that the replay itself causes.",
        arguments: [Event.started, .timer(.stillness), .command(.stay), .power(.started), .power(.shutdown)])
    func own(event: Event) {
        #expect(RecordedEvent(event, at: .zero) == nil)
    }

    @Test("The header states the ignition, or off if no ignition was reported.", arguments: [true, false, nil])
    func ignition(isOn: Bool?) {
        var world = World()
        world.park()
        if let isOn { _ = world.tell(.ignition(isOn: isOn), at: 10) }
        #expect(RecordingHeader(world.engine.status, at: .at(20)).isIgnitionOn == (isOn ?? false))
    }

    @Test("The header of a recording states the time, the accelerometer and the state of the engine.")
    func engine() {
        var world = World()
        let before = RecordingHeader(world.engine.status, at: .at(0))
        #expect(!before.hasMotionSensor)
        world.park()
        let header = RecordingHeader(world.engine.status, at: .at(20))
        #expect(header.hasMotionSensor && header.isTimeTrusted)
        #expect(header.time == Samples.start + .seconds(20))
        #expect(header.state == world.engine.state)
        #expect(header.recording == 1)
    }
}
