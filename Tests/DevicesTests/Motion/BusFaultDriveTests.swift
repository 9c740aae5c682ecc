import Devices
import Hardware
import Motion
import Quantities
import Recordings
import TestSupport
import Testing
import Tracking
import TrackingOptions

@Suite("A drive during which a transfer to the accelerometer fails")
struct BusFaultDriveTests {
    /// Each model is tested with an interrupt line, the LIS3DH also without one.
    private static let chips = FakeSilicons.rows.map { ($0.model, true) } + [("LIS3DH", false)]

    @Test(
        "Whichever transfer fails, the drive is the same trip, with the same start and the same stop.", arguments: chips
    )
    func trip(model: String, hasLine: Bool) throws {
        let whole = try ChipDrive(model, hasLine: hasLine).outcome()
        #expect(whole.departures.count == 1 && whole.arrivals.count == 1 && whole.errors == 0)
        // Only the LIS3DH, which the documentation recommends, is tested at many transfers: the contract of the chips tests
        // all transfers of an operation with every model.
        let isThorough = model == "LIS3DH"
        for number in sample(of: whole.transfers, count: isThorough ? 24 : 4) {
            for fault in [FakeBus.Fault.refused, .lost] {
                let place = "\(model): transfer \(number) of \(whole.transfers) (\(fault))"
                let outcome = try ChipDrive(model, hasLine: hasLine, failing: number, fault).outcome()
                #expect(outcome.errors == 1, "\(place)")
                #expect(outcome.fault == nil, "\(place)")
                #expect(outcome.isSameTrip(as: whole), "\(place): \(outcome), not \(whole)")
            }
        }
    }

    /// Returns the numbers of about `count` transfers of the drive, counted from 0.
    ///
    /// Half of these transfers are among the first 60, which set up the chip and wake the tracker.
    private func sample(of transfers: Int, count: Int) -> [Int] {
        let early = Array(stride(from: 0, to: min(60, transfers), by: max(1, 120 / count)))
        return early + stride(from: 60, to: transfers, by: max(1, (transfers - 60) * 2 / count))
    }
}

/// A drive with an accelerometer on a bus: the chip, its sensor and the engine in virtual time.
private final class ChipDrive {
    struct Outcome {
        var departures: [Instant] = []
        var arrivals: [Instant] = []
        var places: [Coordinate] = []
        var odometer = Metres.zero
        var transfers = 0
        var errors = 0
        var fault: String?

        /// The times may differ by up to 5 s: after an error at rest the sensor judges samples for eight seconds, and if that
        /// time ends in the first second of the drive, the chip wakes the tracker later. The recorded place of the start is
        /// the same to within 30 m.
        func isSameTrip(as other: Outcome) -> Bool {
            let times = zip(departures + arrivals, other.departures + other.arrivals)
            return departures.count == other.departures.count && arrivals.count == other.arrivals.count
                && times.allSatisfy { ($0 - $1).magnitude <= .seconds(5) } && places.count == other.places.count
                && zip(places, other.places).allSatisfy { $0.distance(to: $1) < Metres(30) }
                && (odometer - other.odometer).magnitude < Metres(30)
        }
    }

    private static let line = LineReference(chip: "pinctrl-lab", line: .name("GPIO17"))
    private static let address: UInt8 = 0x18
    private static let drive = Scenario(seed: 4).park(for: .seconds(40)).drive(Metres(600)).park(for: .seconds(140))
        .recording

    private let bus = FakeBus()
    private let chip: FakeChip
    private let lines = SimulatedLines()
    private let sensor: ChipSensor
    private let receiver: DriveReceiver
    private var engine: Engine
    private var timers = TimerQueue()
    private var buffer = EffectBuffer()
    private var result = Outcome()

    /// Makes a drive in which the transfer with this number fails, counted from 0.
    init(_ model: String, hasLine: Bool, failing number: Int? = nil, _ fault: FakeBus.Fault = .refused) throws {
        chip = try #require(FakeChip(model: model))
        bus.attach(chip, at: Self.address)
        if let number { bus.fail(number, fault) }
        sensor = ChipSensor(
            try #require(Accelerometers.named(model)), on: bus.device(at: Self.address),
            wakingBy: hasLine ? Self.line : nil, of: lines, threshold: Acceleration(0.5))
        receiver = DriveReceiver(Timeline([Self.drive], gap: .zero))
        var options = Profile.vehicle.options
        options.stopTimeout = .seconds(60)
        engine = Engine(EngineConfiguration(options: options))
        bus.afterTransfer = { [unowned self] in followPin() }
    }

    private func followPin() { lines.pull(Self.line, isHigh: chip.isPinHigh) }

    func outcome() throws -> Outcome {
        handle(.wallClock(SimulatedDate.epoch, isTrusted: true), at: .boot)
        handle(.started, at: .boot)
        for sample in Self.drive.samples {
            let now = Instant.boot + sample.time
            lines.now = now
            chip.feed(sample.value)
            followPin()
            serveSensor(at: now)
            while let timer = timers.pop(through: now) { handle(.timer(timer.kind), at: now) }
            // The receiver reports at whole seconds.
            if sample.time.nanoseconds % 1_000_000_000 == 0 {
                for event in receiver.advance(at: now) { handle(event, at: now) }
            }
        }
        result.odometer = engine.odometer
        result.transfers = bus.transfers.count
        result.errors = sensor.errorCount
        result.fault = sensor.fault?.description
        return result
    }

    private func serveSensor(at now: Instant) {
        let wait = sensor.wait
        // The active interrupt stands for unread edges, because an early call of `advance` has no effect.
        let isReady = wait.interest != nil && chip.isInterruptActive
        guard isReady || wait.deadline.map({ $0 <= now }) ?? false else { return }
        for event in sensor.advance(at: now) { handle(event, at: now) }
    }

    private func handle(_ event: Event, at now: Instant) {
        buffer.removeAll()
        engine.handle(event, at: now, into: &buffer)
        for effect in buffer.effects { perform(effect, at: now) }
    }

    private func perform(_ effect: Effect, at now: Instant) {
        switch effect {
        case .arm(let kind, let moment): timers.arm(kind, at: moment)
        case .cancel(let kind): timers.cancel(kind)
        case .receiver(isOn: true): receiver.start(at: now)
        case .receiver(isOn: false): receiver.stop(at: now)
        case .motionSensor(let isStreaming): sensor.stream(isStreaming, at: now)
        case .state(isMoving: true): result.departures.append(now)
        case .state(isMoving: false): result.arrivals.append(now)
        case .record(let record) where record.kind == .motionchange:
            result.places += [record.position?.coordinate].compactMap(\.self)
        case .record, .decided, .refused, .correctTimestamps, .scan, .uploads, .deliver, .queueRules, .fetchRegions,
            .light, .halt,
            .recover:
            break
        }
    }
}
