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

    @Test("is found, and rests without a transfer and without a wake-up until it is set up anew after 15 minutes")
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

    @Test("wakes by its line when it is shaken, and tells of motion within four seconds")
    func wake() throws {
        bench.run(.seconds(1))
        let began = bench.now
        let events = bench.shake(.seconds(6))
        let moving = try #require(events.first { $0.event.isMotion })
        #expect(moving.at - began < .seconds(5))
    }

    @Test("goes back to rest when a knock was all there was, and wakes again the next time")
    func knock() {
        bench.run(.seconds(1))
        bench.shake(.milliseconds(200))
        bench.run(.seconds(30))
        let transfers = bench.bus.transfers.count
        bench.run(.seconds(60))
        #expect(bench.bus.transfers.count == transfers)
        #expect(bench.shake(.seconds(6)).contains { $0.event.isMotion })
    }

    @Test("streams verdicts for as long as they are wanted, a batch at a time")
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

    @Test("that stops answering is gone after three tries, is told of once, and comes back by itself")
    func gone() {
        bench.run(.seconds(1))
        bench.sensor.stream(true, at: bench.now)
        bench.shake(.seconds(5))
        bench.bus.attach(nil, at: 0x18)
        #expect(bench.run(.seconds(30)).filter { $0.isPresence } == [.motionSensor(isThere: false)])
        #expect(bench.sensor.complaint?.contains("no chip answers") == true)
        bench.bus.attach(bench.chip, at: 0x18)
        #expect(bench.run(.seconds(70)).filter { $0.isPresence } == [.motionSensor(isThere: true)])
        #expect(bench.sensor.complaint == nil)
        #expect(bench.shake(.seconds(5)).contains { $0.event.isMotion })
    }

    @Test("bears a transfer that fails now and then")
    func bearable() {
        bench.run(.seconds(1))
        bench.sensor.stream(true, at: bench.now)
        for _ in 0..<10 {
            bench.shake(.seconds(2))
            bench.bus.fail()
        }
        #expect(!bench.shake(.seconds(2)).contains { $0.event.isPresence })
        #expect(bench.sensor.complaint == nil)
    }

    @Test("that repeats itself for ten seconds is set up anew, and is gone when that has not helped twice")
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

    @Test("that repeats itself by chance, as quiet as it is, is not told of")
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

    @Test("counts the transfers that failed")
    func errors() {
        bench.run(.seconds(1))
        #expect(bench.sensor.errorCount == 0)
        bench.sensor.stream(true, at: bench.now)
        bench.shake(.seconds(2))
        bench.bus.fail()
        bench.shake(.seconds(2))
        #expect(bench.sensor.errorCount == 1)
    }

    @Test("that has lost its supply on the way is set up anew within five seconds")
    func brownOut() {
        bench.run(.seconds(1))
        bench.sensor.stream(true, at: bench.now)
        bench.shake(.seconds(5))
        bench.chip.losePower()
        #expect(bench.shake(.seconds(5)).contains { $0.event == .motionSensor(isThere: false) })
        #expect(bench.shake(.seconds(10)).contains { $0.event.isMotion })
    }

    @Test("of another make is refused, with both identities in the complaint")
    func foreign() {
        bench.chip.disguise(as: 0x44)
        #expect(bench.run(.seconds(1)) == [.motionSensor(isThere: false)])
        #expect(bench.sensor.complaint?.contains("0x44") == true)
        #expect(bench.sensor.complaint?.contains("0x33") == true)
    }

    @Test("whose line is held by somebody else is asked once a second, and its line is taken when it is free")
    func heldLine() throws {
        let bench = try SensorBench { $0.occupy(SensorBench.line, by: "gpio-keys") }
        #expect(bench.run(.seconds(1)) == [.motionSensor(isThere: true)])
        #expect(bench.sensor.complaint?.contains("gpio-keys") == true)
        #expect(bench.shake(.seconds(8)).contains { $0.event.isMotion })
        bench.lines.occupy(SensorBench.line, by: nil)
        bench.run(.seconds(200))
        #expect(bench.sensor.complaint == nil)
        #expect(bench.sensor.wait.interest != nil)
    }

    @Test("without a line is asked once a second")
    func polled() throws {
        let bench = try SensorBench(hasLine: false)
        bench.run(.seconds(1))
        #expect(bench.sensor.complaint == nil)
        let transfers = bench.bus.transfers.count
        bench.run(.seconds(20))
        #expect((18...42).contains(bench.bus.transfers.count - transfers))
        #expect(bench.shake(.seconds(8)).contains { $0.event.isMotion })
    }

    @Test("wakes by its line though a transfer failed when it was set up anew at rest", arguments: 1...8)
    func failedRearm(transfer: Int) {
        bench.run(.seconds(1))
        bench.run(.seconds(890))
        bench.bus.fail(transfer - 1)
        bench.run(.seconds(30))
        #expect(bench.shake(.seconds(8)).contains { $0.event.isMotion })
    }

    @Test("without a line is set up anew too when it has lost its supply at rest, within 15 minutes")
    func brownOutWhilePolled() throws {
        let bench = try SensorBench(hasLine: false)
        bench.run(.seconds(1))
        bench.chip.losePower()
        bench.run(.seconds(901))
        #expect(bench.shake(.seconds(8)).contains { $0.event.isMotion })
    }

    @Test("whose line is lost at rest is asked once a second instead")
    func lostLine() {
        bench.run(.seconds(1))
        bench.isWiredWrong = true
        bench.lines.failure = { .refused($0, operation: "be read", cause: "No such device") }
        bench.lines.pull(SensorBench.line, isHigh: true)
        bench.run(.seconds(1))
        #expect(bench.sensor.wait.interest == nil)
        #expect(bench.sensor.wait.deadline.map { $0 - bench.now <= ChipSensor.restPoll } == true)
    }

    @Test("that hangs again and again is set up anew more and more rarely")
    func frozenForLong() {
        bench.run(.seconds(1))
        bench.sensor.stream(true, at: bench.now)
        bench.shake(.seconds(60))
        bench.chip.isFrozen = true
        let losses = bench.shake(.seconds(600)).filter { $0.event == .motionSensor(isThere: false) }
        // 30 s of repetition, then 10 s again and again, with 1, 2, 4, … 60 s of pause between them.
        #expect((8...16).contains(losses.count))
    }

    @Test("whose line is active though it felt nothing says so")
    func wrongLine() {
        bench.isWiredWrong = true
        bench.lines.pull(SensorBench.line, isHigh: true)
        bench.run(.seconds(5))
        #expect(bench.sensor.complaint?.contains("active") == true)
    }
}

/// A LIS3DH on a bus and a line, and a loop that calls the sensor when it wants to be called.
private final class SensorBench {
    static let line = LineReference(chip: "pinctrl-lab", line: .name("GPIO17"))

    let bus = FakeBus()
    let chip: FakeChip
    let lines = SimulatedLines()
    let sensor: ChipSensor
    var isWiredWrong = false
    private(set) var now = Instant(seconds: 100)
    private var feeds = 0

    init(hasLine: Bool = true, _ prepare: (SimulatedLines) -> Void = { _ in }) throws {
        chip = try #require(FakeChip(model: "LIS3DH"))
        bus.attach(chip, at: 0x18)
        prepare(lines)
        sensor = ChipSensor(
            try #require(Accelerometers.named("LIS3DH")), on: bus.device(at: 0x18), wakingBy: hasLine ? Self.line : nil,
            of: lines,
            threshold: Acceleration(0.5))
    }

    /// Lets time pass with the vehicle at rest; gives what the sensor told.
    @discardableResult
    func run(_ span: Duration) -> [Event] { live(span, amplitude: 0).map(\.event) }

    /// Lets time pass with the vehicle shaken at 5 Hz.
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
        // The last digits of a real chip are never still.
        let noise = Double(feeds * 7919 % 101) / 101 * 0.1 - 0.05
        let shaken = amplitude * (phase < 0.5 ? 1 : -1) + noise
        chip.feed(AccelerationSample(x: 0, y: shaken / 4, z: 9.81 + shaken))
        if !isWiredWrong { lines.pull(Self.line, isHigh: chip.isInterruptActive) }
    }
}

extension Event {
    fileprivate var verdict: MotionVerdict? { if case .motion(let verdict) = self { verdict } else { nil } }
    fileprivate var isMotion: Bool { verdict?.isMoving ?? false }
    fileprivate var isPresence: Bool { if case .motionSensor = self { true } else { false } }
}
