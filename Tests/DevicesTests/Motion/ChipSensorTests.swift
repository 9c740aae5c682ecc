import Devices
import Hardware
import Motion
import Quantities
import TestSupport
import Testing
import Tracking

@Suite("An accelerometer on its bus")
struct ChipSensorTests {
    private let bench: SensorBench

    init() throws { bench = try SensorBench() }

    @Test("An accelerometer rests without transfers or wake-ups until it is set up again after 15 minutes.")
    func rest() {
        #expect(bench.run(.seconds(1)) == [.motionSensor(isThere: true)])
        let transfers = bench.bus.transfers.count
        #expect(bench.sensor.wait.interest != nil)
        #expect(bench.sensor.wait.deadline.map { $0 - bench.now > .seconds(890) } == true)
        #expect(bench.run(.seconds(600)).isEmpty)
        #expect(bench.bus.transfers.count == transfers)
        #expect(bench.run(.seconds(400)).isEmpty)
        #expect(bench.bus.transfers.count > transfers)
    }

    @Test("A shaken accelerometer wakes the sensor by a line, and the sensor reports motion within four seconds.")
    func wake() throws {
        bench.run(.seconds(1))
        let began = bench.now
        let events = bench.shake(.seconds(6))
        let moving = try #require(events.first { $0.event.isMotion })
        #expect(moving.at - began < .seconds(5))
    }

    @Test("The sensor rests again after a single knock, and wakes the next time.")
    func knock() {
        bench.run(.seconds(1))
        bench.shake(.milliseconds(200))
        bench.run(.seconds(30))
        let transfers = bench.bus.transfers.count
        bench.run(.seconds(60))
        #expect(bench.bus.transfers.count == transfers)
        #expect(bench.shake(.seconds(6)).contains { $0.event.isMotion })
    }

    @Test("The sensor streams verdicts in batches while streaming is requested.")
    func stream() {
        bench.run(.seconds(1))
        bench.sensor.stream(true, at: bench.now)
        let transfers = bench.bus.transfers.count
        let events = bench.shake(.seconds(60))
        #expect((55...60).contains(events.count { $0.event.verdict != nil }))
        #expect(bench.bus.transfers.count - transfers < 5 * 60)
        bench.sensor.stream(false, at: bench.now)
        bench.run(.seconds(30))
        #expect(bench.sensor.wait.interest != nil)
    }

    @Test("An accelerometer that stops answering is lost after three tries, reported once, and found again.")
    func gone() {
        bench.run(.seconds(1))
        bench.sensor.stream(true, at: bench.now)
        bench.shake(.seconds(5))
        bench.bus.attach(nil, at: 0x18)
        #expect(bench.run(.seconds(30)).filter { $0.isPresence } == [.motionSensor(isThere: false)])
        #expect(bench.sensor.fault?.description.contains("no chip answers") == true)
        bench.bus.attach(bench.chip, at: 0x18)
        #expect(bench.run(.seconds(70)).filter { $0.isPresence } == [.motionSensor(isThere: true)])
        #expect(bench.sensor.fault == nil)
        #expect(bench.shake(.seconds(5)).contains { $0.event.isMotion })
    }

    @Test("The sensor tolerates a transfer that fails from time to time.")
    func bearable() {
        bench.run(.seconds(1))
        bench.sensor.stream(true, at: bench.now)
        for _ in 0..<10 {
            bench.shake(.seconds(2))
            bench.bus.fail()
        }
        #expect(!bench.shake(.seconds(2)).contains { $0.event.isPresence })
        #expect(bench.sensor.fault == nil)
    }

    @Test("An accelerometer that repeats one sample for ten seconds is set up again, and is lost after two attempts.")
    func frozen() throws {
        bench.run(.seconds(1))
        bench.sensor.stream(true, at: bench.now)
        bench.shake(.seconds(5))
        let began = bench.now
        bench.chip.isFrozen = true
        let gone = try #require(bench.shake(.seconds(40)).first { $0.event.isPresence })
        #expect(gone.event == .motionSensor(isThere: false))
        #expect((.seconds(28) ... .seconds(36)).contains(gone.at - began))
    }

    @Test("An accelerometer that repeats a sample for a while is not reported lost if the next set-up succeeds.")
    func quiet() {
        bench.run(.seconds(1))
        bench.sensor.stream(true, at: bench.now)
        bench.shake(.seconds(5))
        for _ in 0..<5 {
            bench.chip.isFrozen = true
            #expect(!bench.shake(.seconds(15)).contains { $0.event.isPresence })
            bench.chip.isFrozen = false
            bench.shake(.seconds(2))
        }
    }

    @Test("The sensor counts failed transfers.")
    func errors() {
        bench.run(.seconds(1))
        #expect(bench.sensor.errorCount == 0)
        bench.sensor.stream(true, at: bench.now)
        bench.shake(.seconds(2))
        bench.bus.fail()
        bench.shake(.seconds(2))
        #expect(bench.sensor.errorCount == 1)
    }

    @Test("An accelerometer that loses its supply while streaming is set up again within five seconds.")
    func brownOut() {
        bench.run(.seconds(1))
        bench.sensor.stream(true, at: bench.now)
        bench.shake(.seconds(5))
        bench.chip.losePower()
        #expect(bench.shake(.seconds(5)).contains { $0.event == .motionSensor(isThere: false) })
        #expect(bench.shake(.seconds(10)).contains { $0.event.isMotion })
    }

    @Test("A chip of another model is refused, and the fault names both identities.")
    func foreign() {
        bench.chip.disguise(as: 0x44)
        #expect(bench.run(.seconds(1)) == [.motionSensor(isThere: false)])
        #expect(bench.sensor.fault?.description.contains("0x44") == true)
        #expect(bench.sensor.fault?.description.contains("0x33") == true)
    }

    @Test("An accelerometer with a busy line is polled once a second until the line is free.")
    func heldLine() throws {
        let bench = try SensorBench { $0.occupy(SensorBench.line, by: "gpio-keys") }
        #expect(bench.run(.seconds(1)) == [.motionSensor(isThere: true)])
        #expect(bench.sensor.fault?.description.contains("gpio-keys") == true)
        #expect(bench.shake(.seconds(8)).contains { $0.event.isMotion })
        bench.lines.occupy(SensorBench.line, by: nil)
        bench.run(.seconds(200))
        #expect(bench.sensor.fault == nil)
        #expect(bench.sensor.wait.interest != nil)
    }

    @Test("An accelerometer without a line is polled once a second.")
    func polled() throws {
        let bench = try SensorBench(hasLine: false)
        bench.run(.seconds(1))
        #expect(bench.sensor.fault == nil)
        let transfers = bench.bus.transfers.count
        bench.run(.seconds(20))
        #expect((18...42).contains(bench.bus.transfers.count - transfers))
        #expect(bench.shake(.seconds(8)).contains { $0.event.isMotion })
    }

    @Test("An accelerometer wakes by its line after a failed transfer at rest.", arguments: 1...8)
    func failedRearm(transfer: Int) {
        bench.run(.seconds(1))
        bench.run(.seconds(890))
        bench.bus.fail(transfer - 1)
        bench.run(.seconds(30))
        #expect(bench.shake(.seconds(8)).contains { $0.event.isMotion })
    }

    @Test("An accelerometer without a line that loses its supply at rest is set up again within 15 minutes.")
    func brownOutWhilePolled() throws {
        let bench = try SensorBench(hasLine: false)
        bench.run(.seconds(1))
        bench.chip.losePower()
        bench.run(.seconds(901))
        #expect(bench.shake(.seconds(8)).contains { $0.event.isMotion })
    }

    @Test("An accelerometer whose line is lost at rest is polled once a second.")
    func lostLine() {
        bench.run(.seconds(1))
        bench.isWiredWrong = true
        bench.lines.failure = { .refused($0, operation: "be read", cause: "No such device") }
        bench.lines.pull(SensorBench.line, isHigh: true)
        bench.run(.seconds(1))
        #expect(bench.sensor.wait.interest == nil)
        #expect(bench.sensor.wait.deadline.map { $0 - bench.now <= ChipSensor.restPoll } == true)
    }

    @Test("An accelerometer that is stuck repeatedly is set up again with growing pauses.")
    func frozenForLong() {
        bench.run(.seconds(1))
        bench.sensor.stream(true, at: bench.now)
        bench.shake(.seconds(60))
        bench.chip.isFrozen = true
        let losses = bench.shake(.seconds(600)).filter { $0.event == .motionSensor(isThere: false) }
        // The sensor reports the first loss after 30 s of repeated samples, and each later loss after 10 s. The pauses
        // between its attempts are 1, 2, 4, … 60 s.
        #expect((8...16).contains(losses.count))
    }

    @Test("Motion is reported within seconds although the interrupt line is not connected, and a fault names the line.")
    func deadWire() {
        bench.isWiredWrong = true
        bench.run(.seconds(5))
        #expect(bench.sensor.fault?.description.contains("GPIO pinctrl-lab GPIO17: the line does not follow") == true)
        #expect(bench.sensor.wait.interest == nil)
        #expect(bench.sensor.armWakeUp(at: bench.now) != nil)
        #expect(bench.shake(.seconds(8)).contains { $0.event.isMotion })
        #expect(bench.sensor.fault != nil)
    }

    @Test("An interrupt line that is connected later is used from the next set-up of the chip on.")
    func repairedWire() {
        bench.isWiredWrong = true
        bench.run(.seconds(5))
        bench.isWiredWrong = false
        bench.run(.seconds(901))
        #expect(bench.sensor.fault == nil)
        #expect(bench.sensor.wait.interest != nil)
    }

    @Test("Motion that the chip reports while its line was idle shows that the wire has broken.")
    func brokenWire() {
        bench.run(.seconds(5))
        #expect(bench.sensor.fault == nil)
        bench.isWiredWrong = true
        #expect(!bench.shake(.seconds(60)).contains { $0.event.isMotion })
        bench.run(.seconds(900))
        #expect(bench.sensor.fault?.description.contains("the line does not follow") == true)
        #expect(bench.shake(.seconds(8)).contains { $0.event.isMotion })
    }

    @Test("The line of a resting chip follows its pin, for every model.", arguments: Accelerometers.names)
    func wireTest(model: String) throws {
        let bench = try SensorBench(model: model)
        bench.run(.seconds(20))
        #expect(bench.sensor.fault == nil)
        #expect(bench.sensor.wait.interest != nil)
        let broken = try SensorBench(model: model)
        broken.isWiredWrong = true
        broken.run(.seconds(20))
        #expect(broken.sensor.fault?.description.contains("the line does not follow") == true)
    }

    @Test("A line that is active without motion is a fault.")
    func wrongLine() {
        bench.isWiredWrong = true
        bench.lines.pull(SensorBench.line, isHigh: true)
        bench.run(.seconds(5))
        #expect(bench.sensor.fault?.description.contains("active") == true)
    }
}

@Suite("An accelerometer that wakes a halted board")
struct ChipSensorWakeUpTests {
    private let bench: SensorBench

    init() throws { bench = try SensorBench() }

    @Test("A chip that streams is armed before a halt, and does not stream again until the halt has failed.")
    func streaming() {
        bench.run(.seconds(1))
        bench.sensor.stream(true, at: bench.now)
        bench.shake(.seconds(5))
        bench.run(.seconds(20))
        #expect(bench.sensor.armWakeUp(at: bench.now) == nil)
        let transfers = bench.bus.transfers.count
        bench.run(.seconds(200))
        #expect(bench.bus.transfers.count == transfers)
        #expect(bench.isArmed)
        #expect(bench.run(.seconds(120)).contains { $0.verdict != nil })
    }

    @Test("Motion after the chip was armed wakes the sensor, although the board is about to be halted.")
    func motionWhileArmed() {
        bench.run(.seconds(1))
        bench.sensor.stream(true, at: bench.now)
        bench.run(.seconds(20))
        #expect(bench.sensor.armWakeUp(at: bench.now) == nil)
        #expect(bench.shake(.seconds(6)).contains { $0.event.isMotion })
    }

    @Test("A chip that detected motion in the last seconds is not armed.")
    func motion() {
        bench.run(.seconds(1))
        bench.shake(.seconds(3))
        #expect(bench.sensor.armWakeUp(at: bench.now)?.description.contains("motion in the last seconds") == true)
        bench.run(.seconds(30))
        #expect(bench.sensor.armWakeUp(at: bench.now) == nil)
    }

    @Test("Arming fails for a chip that does not store its settings or does not answer.")
    func unreliable() {
        bench.run(.seconds(1))
        bench.chip.isWriteProtected = true
        #expect(bench.sensor.armWakeUp(at: bench.now) == nil)
        bench.chip.losePower()
        bench.chip.isWriteProtected = true
        #expect(
            bench.sensor.armWakeUp(at: bench.now)?.description.contains("do not contain what was written") == true)
        bench.bus.attach(nil, at: 0x18)
        #expect(bench.sensor.armWakeUp(at: bench.now)?.description.contains("no chip answers") == true)
    }

    @Test("Arming fails for a chip with a line that is busy or always active.")
    func line() throws {
        let held = try SensorBench { $0.occupy(SensorBench.line, by: "gpio-keys") }
        held.run(.seconds(1))
        #expect(held.sensor.armWakeUp(at: held.now)?.description.contains("gpio-keys") == true)
        bench.run(.seconds(1))
        bench.isWiredWrong = true
        bench.lines.pull(SensorBench.line, isHigh: true)
        #expect(bench.sensor.armWakeUp(at: bench.now)?.description.contains("the interrupt line is active") == true)
    }

    @Test("A single failed transfer does not prevent the arming.")
    func failedTransfer() {
        bench.run(.seconds(1))
        bench.bus.fail(3)
        #expect(bench.sensor.armWakeUp(at: bench.now) == nil)
    }

    @Test("At the end of the program, a chip that was streaming is armed.")
    func end() {
        bench.run(.seconds(1))
        bench.sensor.stream(true, at: bench.now)
        bench.shake(.seconds(3))
        bench.run(.seconds(2))
        bench.sensor.close(at: bench.now, by: bench.now + .seconds(1))
        #expect(bench.isArmed)
    }
}

/// An LIS3DH with a bus and a line, and a loop that calls the sensor after each wait.
private final class SensorBench {
    static let line = LineReference(chip: "pinctrl-lab", line: .name("GPIO17"))

    let bus = FakeBus()
    let chip: FakeChip
    let lines = SimulatedLines()
    let sensor: ChipSensor
    var isWiredWrong = false
    private(set) var now = Instant(seconds: 100)
    private var feeds = 0

    init(
        model: String = "LIS3DH", hasLine: Bool = true, _ prepare: (SimulatedLines) -> Void = { _ in }
    ) throws {
        chip = try #require(FakeChip(model: model))
        bus.attach(chip, at: 0x18)
        prepare(lines)
        sensor = ChipSensor(
            try #require(Accelerometers.named(model)), on: bus.device(at: 0x18), wakingBy: hasLine ? Self.line : nil,
            of: lines,
            threshold: Acceleration(0.5))
        bus.afterTransfer = { [unowned self] in followPin() }
    }

    private func followPin() { if !isWiredWrong { lines.pull(Self.line, isHigh: chip.isPinHigh) } }

    /// Whether motion would activate the line now, without any transfer.
    var isArmed: Bool {
        guard !chip.isInterruptActive else { return false }
        for _ in 0..<10 { feed(0) }
        guard !chip.isInterruptActive else { return false }
        for _ in 0..<10 { feed(2) }
        return chip.isInterruptActive
    }

    /// Lets time pass with the vehicle at rest; returns the sensor's events.
    @discardableResult
    func run(_ span: Duration) -> [Event] { live(span, amplitude: 0).map(\.event) }

    /// Lets time pass while the vehicle is shaken at 5 Hz; returns the sensor's events.
    @discardableResult
    func shake(_ span: Duration) -> [(at: Instant, event: Event)] { live(span, amplitude: 2) }

    private func live(_ span: Duration, amplitude: Double) -> [(at: Instant, event: Event)] {
        var events: [(at: Instant, event: Event)] = []
        let end = now + span
        while now < end {
            feed(amplitude)
            let wait = sensor.wait
            let isReady = if case .read(let descriptor)? = wait.interest { isReadable(descriptor) } else { false }
            if isReady || wait.deadline.map({ $0 <= now }) ?? false {
                events += sensor.advance(at: now).map { (now, $0) }
            }
            now = now + .milliseconds(40)
            lines.now = now
        }
        return events
    }

    private func feed(_ amplitude: Double) {
        feeds += 1
        let phase = Double(feeds % 5) / 5
        // The last digits of a real chip's samples always change.
        let noise = Double(feeds * 7919 % 101) / 101 * 0.1 - 0.05
        let shaken = amplitude * (phase < 0.5 ? 1 : -1) + noise
        chip.feed(AccelerationSample(x: 0, y: shaken / 4, z: 9.81 + shaken))
        followPin()
    }
}

extension Event {
    fileprivate var verdict: MotionVerdict? { if case .motion(let verdict) = self { verdict } else { nil } }
    fileprivate var isMotion: Bool { verdict?.isMoving ?? false }
    fileprivate var isPresence: Bool { if case .motionSensor = self { true } else { false } }
}
