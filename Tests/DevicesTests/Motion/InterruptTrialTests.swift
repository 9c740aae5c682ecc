import Devices
import Hardware
import Motion
import Quantities
import TestSupport
import Testing
import Tracking

@Suite("Trying the interrupt of an accelerometer")
struct InterruptTrialTests {
    private static let line = LineReference(chip: "pinctrl-lab", line: .name("GPIO17"))
    private let bus = FakeBus()
    private let lines = SimulatedLines()
    private let chip: FakeChip
    private let trial: InterruptTrial

    init() throws {
        chip = try #require(FakeChip(model: "LIS3DH"))
        bus.attach(chip, at: 0x18)
        trial = InterruptTrial(
            try #require(Accelerometers.named("LIS3DH")), on: bus.device(at: 0x18), wakingBy: Self.line, of: lines,
            threshold: Acceleration(0.5))
        rest()
    }

    private func rest() { for _ in 0..<10 { chip.feed(AccelerationSample(x: 0, y: 0, z: 9.81)) } }
    private func shake() { for step in 0..<10 { chip.feed(AccelerationSample(x: 0, y: 0, z: step % 2 == 0 ? 6 : 13)) } }

    @Test("A shaken chip with a good wire is reported, each time.")
    func good() {
        #expect(trial.advance(at: Instant(seconds: 1)).isEmpty)
        rest()
        for second in 2...3 {
            shake()
            lines.pull(Self.line, isHigh: chip.isInterruptActive)
            #expect(trial.advance(at: Instant(seconds: Double(second))) == [.motion(MotionVerdict(isMoving: true))])
            lines.pull(Self.line, isHigh: chip.isInterruptActive)
        }
        #expect(trial.conclusion() == nil)
    }

    @Test("A broken wire is distinguished from a chip that was not shaken.")
    func broken() {
        _ = trial.advance(at: Instant(seconds: 1))
        rest()
        #expect(trial.conclusion() as? WireError == .still(model: "LIS3DH"))
        shake()
        #expect(trial.advance(at: Instant(seconds: 2)).isEmpty)
        #expect(trial.conclusion() as? WireError == .dead(model: "LIS3DH"))
    }

    @Test("A chip that does not answer ends the trial, which states this fault only once.")
    func absent() {
        bus.attach(nil, at: 0x18)
        #expect(trial.advance(at: Instant(seconds: 1)).isEmpty)
        #expect(trial.fault?.description.contains("no chip answers") == true)
        #expect(trial.wait == Wait())
        #expect(trial.conclusion() == nil)
    }
}
