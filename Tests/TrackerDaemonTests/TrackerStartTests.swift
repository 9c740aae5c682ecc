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

@Suite("The start of the tracker")
struct TrackerStartTests {
    @Test("A board that starts parked is put into its parked state, although no arrival happened.")
    func parked() throws {
        let scratch = try Scratch()
        let saver = StubSaver()
        var devices = TrackerDevices(receiver: StubReceiver(), motionSensor: nil)
        devices.saver = saver
        let clock = StubClock()
        let tracker = try Tracker(
            setup: EngineConfiguration(options: Profile.vehicle.options),
            queue: RecordQueue(path: scratch.path + "/t.sqlite"),
            devices: devices, clock: clock, log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
            uploads: UploadHandle())
        try tracker.run(until: clock.now())
        #expect(saver.told == [true])
    }
}

private final class StubSaver: PowerSaver {
    let name = "saver"
    private(set) var told: [Bool] = []

    func rest(_ isParked: Bool) { told.append(isParked) }
}

private final class StubReceiver: Receiver {
    let name = "receiver"
    let wait = Wait()

    func start(at now: Instant) {}
    func stop(at now: Instant) {}
    func advance(at now: Instant) -> [Event] { [] }
}

private final class StubClock: LoopClock {
    let bootID = "boot"

    func now() -> Instant { Instant(seconds: 50) }
    func wallTime() -> (time: Timestamp, isTrusted: Bool) { (Timestamp(milliseconds: 1_767_225_600_000), true) }
    func realTime(until moment: Instant) -> Duration { .zero }
}
