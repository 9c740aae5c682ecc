import TrackingOptions
import Hardware
import Logging
import Peers
import Quantities
import Store
import Testing
import Tracking

@testable import Control
@testable import TrackerDaemon

@Suite("The end of the tracker")
struct TrackerStopTests {
    private let journal = Journal()

    @Test("The tracker closes its devices in the reverse order of their start.")
    func order() throws {
        try run()
        let closed = journal.entries.filter { $0.hasPrefix("close") }
        #expect(
            closed == [
                "close battery", "close ignition", "close halter", "close scanner", "close sensor", "close receiver",
                "close light", "close saver",
            ])
    }

    @Test("The tracker closes its devices after the last record is on disk and the receiver has stopped.")
    func afterTheLastRecord() throws {
        try run()
        let stop = try #require(journal.entries.lastIndex(of: "stop receiver"))
        let first = try #require(journal.entries.firstIndex { $0.hasPrefix("close") })
        #expect(stop < first)
    }

    @Test("All devices share one second for closing, so devices after a slow device have the same deadline.")
    func bound() throws {
        journal.closingTime["halter"] = .seconds(5)
        let began = try run()
        #expect(journal.closings.count == 8)
        #expect(Set(journal.closings.map { $0.deadline }) == [began + .seconds(1)])
        let late = journal.closings.filter { $0.moment > $0.deadline }.count
        #expect(late == 5)
    }

    /// Runs a tracker with a device of each kind; returns the moment when it begins to end.
    @discardableResult
    private func run() throws -> Instant {
        let scratch = try Scratch()
        let stub = { (name: String) in StubDevice(name, journal) }
        var devices = TrackerDevices(receiver: stub("receiver"), motionSensor: stub("sensor"))
        devices.scanner = stub("scanner")
        devices.halter = stub("halter")
        devices.inputs = [stub("ignition"), stub("battery")]
        devices.light = stub("light")
        devices.saver = stub("saver")
        let clock = JournalClock(journal)
        let tracker = try Tracker(
            setup: EngineConfiguration(options: Profile.vehicle.options),
            queue: RecordQueue(path: scratch.path + "/t.sqlite"),
            devices: devices, clock: clock, log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
            uploads: UploadHandle())
        let now = clock.now()
        try tracker.run(until: now)
        return now
    }
}

/// The requests to the devices; `closingTime` is how long each takes to close.
private final class Journal {
    var now = Instant(seconds: 50)
    var closingTime: [String: Duration] = [:]
    var entries: [String] = []
    var closings: [(moment: Instant, deadline: Instant)] = []
}

private final class StubDevice: Receiver, MotionSensor, BeaconScanner, Halter, IndicatorLight, PowerSaver {
    let name: String
    let errorCount = 0
    let wait = Wait()
    private let journal: Journal

    init(_ name: String, _ journal: Journal) {
        self.name = name
        self.journal = journal
    }

    func start(at now: Instant) { journal.entries.append("start \(name)") }
    func stop(at now: Instant) { journal.entries.append("stop \(name)") }
    func advance(at now: Instant) -> [Event] { [] }
    func stream(_ isStreaming: Bool, at now: Instant) {}
    func armWakeUp(at now: Instant) -> (any Fault)? { nil }
    func scan(_ duty: ScanDuty, at now: Instant) {}
    func halt(wakeAfter: Duration?, at now: Instant) {}
    func show(isLit: Bool) {}
    func rest(_ isParked: Bool) {}

    func close(at now: Instant, by deadline: Instant) {
        journal.entries.append("close \(name)")
        journal.closings.append((now, deadline))
        journal.now = journal.now + (journal.closingTime[name] ?? .zero)
    }
}

private final class JournalClock: LoopClock {
    let bootID = "boot"
    private let journal: Journal

    init(_ journal: Journal) { self.journal = journal }

    func now() -> Instant { journal.now }
    func wallTime() -> (time: Timestamp, isTrusted: Bool) { (Timestamp(milliseconds: 1_767_225_600_000), true) }
    func realTime(until moment: Instant) -> Duration { .zero }
}
