import Hardware
import Logging
import Peers
import Quantities
import Store
import Testing
import Tracking
import TrackingOptions

@testable import Control
@testable import TrackerDaemon

@Suite("Halting a parked board")
struct HaltTests {
    @Test("The accelerometer that wakes a board is armed before the board is halted.")
    func armed() throws {
        let bench = HaltBench()
        try bench.run()
        #expect(bench.orders == ["arm", "halt"])
        #expect(bench.health.isEmpty)
    }

    @Test("A board is not halted without a ready wake-up; trackerd writes a record and a decision, and tries again.")
    func unarmed() throws {
        let bench = HaltBench()
        bench.armFaults = 1
        try bench.run(for: .seconds(5000))
        #expect(bench.orders == ["arm", "arm", "halt"])
        #expect(bench.health == [.haltRefused])
        #expect(bench.decisions.contains("not halted: accelerometer LIS3DH: the line is active"))
    }

    @Test(
        "A board that a command keeps awake is neither prepared nor halted until the time of the command is over.",
        arguments: [(4900, []), (5200, ["arm", "halt"])])
    func keptAwake(seconds: Int, orders: [String]) throws {
        let bench = HaltBench()
        bench.awake = .seconds(5000)
        try bench.run(for: .seconds(seconds))
        #expect(bench.orders == orders)
        #expect(bench.health.isEmpty)
        #expect(bench.decisions.contains { $0.hasPrefix("not halted: a command keeps the board awake until ") })
    }

    @Test("A board that motion should wake is not halted without an accelerometer.")
    func absent() throws {
        let bench = HaltBench()
        bench.hasSensor = false
        try bench.run()
        #expect(bench.orders.isEmpty)
        #expect(bench.health == [.haltRefused])
    }

    @Test("A board that its clock wakes needs no accelerometer, and an alarm that cannot be set is reported.")
    func clock() throws {
        let bench = HaltBench()
        bench.isWokenByMotion = false
        bench.isHalterFaulty = true
        try bench.run()
        #expect(bench.orders == ["halt"])
        #expect(bench.health == [.haltRefused])
    }

    @Test("Failed transfers of the accelerometer become a record.")
    func transfers() throws {
        let bench = HaltBench()
        bench.errorsPerCall = 1
        try bench.run(for: .seconds(60))
        #expect(bench.health == [.busErrors])
    }
}

/// A parked tracker that halts its board after an hour.
///
/// Its accelerometer, and the part that halts the board, record their calls.
private final class HaltBench {
    var isWokenByMotion = true
    var hasSensor = true
    /// How many of the next attempts to arm the accelerometer fail.
    var armFaults = 0
    var isHalterFaulty = false
    /// How long a command at the start keeps the board awake; nil for no command.
    var awake: Duration?
    var errorsPerCall = 0
    fileprivate(set) var orders: [String] = []
    private(set) var health: [HealthChange] = []
    private(set) var decisions: [String] = []

    func run(for span: Duration = .seconds(3700)) throws {
        let scratch = try Scratch()
        let clock = SecondClock()
        var devices = TrackerDevices(receiver: IdleReceiver(), motionSensor: hasSensor ? NotingSensor(self) : nil)
        devices.halter = NotingHalter(self)
        devices.isWokenByMotion = isWokenByMotion
        var setup = EngineConfiguration(options: Profile.vehicle.options)
        setup.power = PowerPolicy(haltAfter: .seconds(3600))
        let tracker = try Tracker(
            setup: setup, queue: RecordQueue(path: scratch.path + "/t.sqlite"), devices: devices, clock: clock,
            log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, uploads: UploadHandle())
        tracker.runner.observe { [unowned self] effect, stored, _ in
            if case .health(let report)? = stored?.record.content { health.append(report.change) }
            if case .decided(let decision) = effect { decisions.append(decision.text) }
        }
        try tracker.run(until: clock.moment + span)
    }
}

private struct BrokenWireError: Fault {
    let subject = "accelerometer LIS3DH"
    let cause = "the line is active"
    let remedy: String? = nil
}

private final class NotingSensor: MotionSensor {
    let name = "accelerometer"
    private(set) var errorCount = 0
    private unowned let bench: HaltBench
    private var isAnnounced = false
    private var next = Instant.boot

    init(_ bench: HaltBench) { self.bench = bench }

    var wait: Wait { Wait(deadline: next) }

    func stream(_ isStreaming: Bool, at now: Instant) {}

    func advance(at now: Instant) -> [Event] {
        errorCount += bench.errorsPerCall
        next = now + .seconds(1)
        defer { isAnnounced = true }
        let command = bench.awake.map { Event.command(.stayAwake($0)) }
        return isAnnounced ? [] : [.motionSensor(isThere: true)] + [command].compactMap(\.self)
    }

    func armWakeUp(at now: Instant) -> (any Fault)? {
        bench.orders.append("arm")
        bench.armFaults -= 1
        return bench.armFaults >= 0 ? BrokenWireError() : nil
    }
}

private final class NotingHalter: Halter {
    let name = "halt"
    let wait = Wait()
    private(set) var fault: (any Fault)?
    private unowned let bench: HaltBench

    init(_ bench: HaltBench) { self.bench = bench }

    func advance(at now: Instant) -> [Event] { [] }

    func halt(wakeAfter: Duration?, at now: Instant) {
        bench.orders.append("halt")
        if bench.isHalterFaulty { fault = BrokenWireError() }
    }
}

/// A receiver that reports a fix every second while it is on.
private final class IdleReceiver: Receiver {
    let name = "receiver"
    private var next: Instant?

    var wait: Wait { Wait(deadline: next) }

    func start(at now: Instant) { next = now + .seconds(1) }
    func stop(at now: Instant) { next = nil }

    func advance(at now: Instant) -> [Event] {
        guard let due = next, due <= now else { return [] }
        next = now + .seconds(1)
        let time = Timestamp(milliseconds: 1_767_225_600_000) + (now - .boot)
        let place = Coordinate(latitude: 52.374, longitude: 4.89)
        return [.fix(Fix(mode: .threeDimensional, time: time, coordinate: place, accuracy: Metres(4), satellites: 9))]
    }
}

/// A clock that advances by half a second with each reading, so the loop runs without waiting.
private final class SecondClock: LoopClock {
    let bootID = "boot"
    var moment = Instant(seconds: 50)

    func now() -> Instant {
        defer { moment = moment + .milliseconds(500) }
        return moment
    }

    func wallTime() -> (time: Timestamp, isTrusted: Bool) {
        (Timestamp(milliseconds: 1_767_225_600_000) + (moment - .boot), true)
    }

    func realTime(until moment: Instant) -> Duration { .zero }
}
