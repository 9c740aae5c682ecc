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

/// A tracker on a board whose system clock showed `Self.system` at its boot.
@Suite("The creation times of records")
struct CreationTimeTests {
    /// The UTC time of the boot by the system clock, which no time server has set.
    private static let system = Timestamp(milliseconds: 1_000_000)
    /// The true UTC time of the boot.
    private static let boot = Timestamp(year: 2026, month: 1, day: 1)

    private let scratch: Scratch
    private let tracker: Tracker

    init() throws {
        scratch = try Scratch()
        tracker = try Tracker(
            setup: EngineConfiguration(options: Profile.vehicle.options),
            queue: RecordQueue(path: scratch.path + "/t.sqlite"),
            devices: .init(receiver: MuteReceiver(), motionSensor: nil), clock: BoardClock(),
            log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, uploads: UploadHandle())
        tracker.runner.handle(.wallClock(Self.system, isTrusted: false), at: .boot)
        tracker.runner.handle(.started, at: .boot)
    }

    /// Writes a record at this second; returns the record's creation time as the time since `boot`.
    private func created(at second: Double, since boot: Timestamp = Self.boot) throws -> Duration {
        let now = Instant(seconds: second)
        let records = tracker.runner.handle(.command(.move), at: now) + tracker.runner.handle(.command(.stay), at: now)
        return try #require(records.last).created - boot
    }

    private func fix(at second: Double, wrongBy span: Duration = .zero) {
        let fix = Fix(
            mode: .threeDimensional, time: Self.boot + Duration(inSeconds: second) + span,
            coordinate: Coordinate(latitude: 52.5, longitude: 13.4), accuracy: Metres(3), speed: .zero, satellites: 9)
        tracker.runner.handle(.fix(fix), at: Instant(seconds: second))
    }

    private func setSystemClock(to boot: Timestamp, isTrusted: Bool, at second: Double) {
        let time = boot + Duration(inSeconds: second)
        tracker.runner.handle(.wallClock(time, isTrusted: isTrusted), at: Instant(seconds: second))
    }

    @Test("Before the time is known, records have the system clock's time as their creation time.")
    func unknown() throws {
        #expect(try created(at: 50, since: Self.system) == .seconds(50))
    }

    @Test("After a fix has set the time, creation times follow the fix, whatever the system clock shows.")
    func afterFix() throws {
        for second in 10...12 { fix(at: Double(second)) }
        #expect(try created(at: 50) == .seconds(50))
        setSystemClock(to: Self.system + .seconds(777), isTrusted: false, at: 60)
        #expect(try created(at: 70) == .seconds(70))
    }

    @Test("After fixes with dates that were years wrong, records have the right creation times again.")
    func wrongYear() throws {
        let error = Duration.seconds(4 * 365 * 86_400)
        for second in 10...12 { fix(at: Double(second), wrongBy: error) }
        #expect(try created(at: 20) == .seconds(20) + error)
        for second in 30...120 { fix(at: Double(second)) }
        #expect(try created(at: 130) == .seconds(130))
    }

    @Test("While the latest fix is fresh, creation times follow the fix, and not a time server.")
    func oneClock() throws {
        for second in 10...12 { fix(at: Double(second)) }
        // The time server differs by less than the tolerance. If records had the times of two clocks, they would be out of order.
        setSystemClock(to: Self.boot - .seconds(5), isTrusted: true, at: 60)
        #expect(try created(at: 70) == .seconds(70))
    }

    @Test("The time remains known after the time server is lost, until the server is back with another time.")
    func serverGoesAway() throws {
        setSystemClock(to: Self.boot, isTrusted: true, at: 10)
        setSystemClock(to: Self.system, isTrusted: false, at: 20)
        #expect(try created(at: 50) == .seconds(50))
        setSystemClock(to: Self.boot + .seconds(2), isTrusted: true, at: 60)
        setSystemClock(to: Self.system, isTrusted: false, at: 70)
        #expect(try created(at: 80) == .seconds(82))
    }
}

private final class MuteReceiver: Receiver {
    let name = "receiver"
    let wait = Wait()

    func start(at now: Instant) {}
    func stop(at now: Instant) {}
    func advance(at now: Instant) -> [Event] { [] }
}

/// A clock that the loop does not read, because the test passes every event itself.
private final class BoardClock: LoopClock {
    let bootID = "first"

    func now() -> Instant { .boot }
    func wallTime() -> (time: Timestamp, isTrusted: Bool) { (Timestamp(milliseconds: 0), false) }
    func realTime(until moment: Instant) -> Duration { .zero }
}
