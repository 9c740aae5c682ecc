import CLinux
import Configuration
import Hardware
import Logging
import Quantities
import Store
import Tracking

struct TrackerStart {
    let version: String
    let time: Instant
    let safeMode: SafeMode?
    /// Why the queue could not be opened; nil if it is open.
    let absence: StoreError?
}

/// Reports the condition of the tracker to systemd, to the log, and in the metrics.
final class Supervision {
    let start: TrackerStart
    private(set) var turns = TurnMeter()
    /// The last decision that changed the vehicle's state; nil if it has not changed since the start.
    private(set) var lastChange: String?

    private var service: ServiceManager
    private var faults = DeviceFaultLog()
    private var metricFile: MetricFile?
    private var pages: ProgramPages
    /// The number of transfer errors last reported to the engine.
    private var errors = 0
    /// The time of boot by the system clock, and whether this clock is trusted, as last reported to the engine.
    private var clock: (boot: Timestamp, isTrusted: Bool)?
    private let log: Logger

    /// The smallest reported change of the system clock against the time since boot.
    private static let clockTolerance = Duration.seconds(1)

    init(_ start: TrackerStart, service: ServiceManager, log: Logger) {
        (self.start, self.service, self.log) = (start, service, log)
        pages = ProgramPages(start: start.time)
    }

    var deadline: Instant? { .earliest(service.deadline, metricFile?.deadline) }

    var writesMetrics: Bool { metricFile != nil }

    /// `pace`: how much faster the loop's clock runs than real time.
    func writeMetrics(_ settings: MetricSettings?, pace: Double) {
        metricFile = settings.map { MetricFile($0, pace: pace, log: log) }
    }

    func ready(at now: Instant) {
        service.ready(at: now)
        pages = ProgramPages(start: now)
    }

    func stopping() { service.stopping() }

    // MARK: - A turn of the loop

    func beginTurn(at now: Instant) { turns.begin(at: now) }

    func note(handling part: String) { turns.note(part) }

    func endTurn(at now: Instant) {
        guard let turn = turns.end(at: now) else { return }
        log.debug(
            "long turn of the loop",
            metadata: [
                "ms": "\(turn.length.nanoseconds / 1_000_000)", "handled": "\(turn.work.joined(separator: ", "))",
            ])
    }

    func report(_ status: @autoclosure () -> String, _ uploads: UploadHandle, at now: Instant) {
        service.report(status: status())
        service.turn(at: now, uploads)
        if pages.isReleaseDue(at: now) { clinux_program_pages_release() }
    }

    // MARK: - What has changed

    func update(from device: any Device) { faults.update(from: device, log) }

    func takeFaultChange() -> Bool { faults.takeChange() }

    func note(_ effect: Effect, isMoving: Bool) {
        if effect.isOfNote { metricFile?.noteChange() }
        guard case .decided(let decision) = effect else { return }
        switch decision.subject {
        case .start where isMoving, .stop where !isMoving: lastChange = decision.text
        case .start, .stop, .receiver, .sensor, .beacon, .request, .region, .schedule, .privacy, .options, .power: break
        }
    }

    func hasChanged(errors count: Int) -> Bool {
        defer { errors = count }
        return errors != count
    }

    func hasChanged(boot: Timestamp, isTrusted: Bool) -> Bool {
        if let clock, clock.isTrusted == isTrusted, (clock.boot - boot).magnitude < Self.clockTolerance { return false }
        clock = (boot, isTrusted)
        return true
    }

    func noteUpload() { metricFile?.noteChange() }

    /// `isPassing` is true if the present state, such as a position check, is short.
    func writeMetricsIfDue(at now: Instant, isPassing: @autoclosure () -> Bool, _ values: () -> MetricValues) {
        if metricFile != nil { metricFile?.turn(at: now, isPassing: isPassing(), values: values) }
    }

    func writeMetrics(_ values: @autoclosure () -> MetricValues, at now: Instant) {
        if metricFile != nil { metricFile?.write(values(), at: now) }
    }
}

/// Measures how long the loop works between two waits; meanwhile, it serves no further device or client. The measurement costs
/// two readings of the clock per turn.
struct TurnMeter {
    struct LongTurn: Sendable, Hashable {
        let length: Duration
        /// What the loop has handled, in order.
        let work: [String]
    }

    /// The longest turn that is not reported: the database waits at most this long for another program
    /// (`Database.patience_ms`).
    static let limit = Duration.milliseconds(20)

    /// How often the loop has woken up.
    private(set) var count = 0
    private(set) var longest = Duration.zero
    private(set) var longCount = 0
    private var began = Instant.boot
    private var work: [String] = []

    /// Begins a turn when the wait has ended; `now` is `LoopClock.realNow`.
    mutating func begin(at now: Instant) {
        count += 1
        began = now
        work.removeAll(keepingCapacity: true)
    }

    mutating func note(_ part: String) { work.append(part) }

    mutating func end(at now: Instant) -> LongTurn? {
        let length = now - began
        longest = max(longest, length)
        guard length > Self.limit else { return nil }
        longCount += 1
        return LongTurn(length: length, work: work)
    }
}

/// Logs once when a device becomes faulty or has another fault, and once when it works again. A fault is only a warning,
/// because the tracker goes on without the device.
struct DeviceFaultLog {
    private var open: [String: any Fault] = [:]
    private var hasChanged = false

    mutating func update(from device: any Device, _ log: Logger) {
        for remark in device.takeRemarks() { log.notice("\(remark)") }
        switch (open[device.name], device.fault) {
        case (nil, nil): return
        case (let former?, let fault?) where former.isSame(as: fault): return
        case (_, let fault?): log.warning("\(fault)")
        case (_?, nil): log.notice("\(device.name): works again.")
        }
        open[device.name] = device.fault
        hasChanged = true
    }

    mutating func takeChange() -> Bool {
        defer { hasChanged = false }
        return hasChanged
    }
}

/// Decides when the daemon releases unchanged pages of the program and its libraries. The start reads most of them, and the
/// kernel would count them as memory of the daemon until the board runs short of it. After a release, the pages in use return.
struct ProgramPages {
    /// The time after the start by which the first upload has normally loaded its certificates.
    static let settlingTime = Duration.seconds(60)
    /// The time between two releases; a page returns in microseconds.
    static let interval = Duration.seconds(3600)

    private var due: Instant

    init(start: Instant) { due = start + Self.settlingTime }

    /// Returns whether a release is due. The loop asks at its turns, so a release never wakes the board.
    mutating func isReleaseDue(at now: Instant) -> Bool {
        guard now >= due else { return false }
        due = now + Self.interval
        return true
    }
}
