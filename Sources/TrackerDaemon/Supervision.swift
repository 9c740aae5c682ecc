import Configuration
import Hardware
import Logging
import Quantities
import Store
import Tracking

/// What the tracker reports about its own work: to systemd, to the log, and in the metrics.
final class Supervision {
    let version: String
    /// When the program started.
    let began: Instant
    /// Why the tracker does not use some parts; nil if it uses all parts.
    let safeMode: SafeMode?
    /// Why the tracker could not open the queue at the start; nil if the tracker opened it.
    let absence: StoreError?
    /// The number of times that the loop has woken up.
    private(set) var wakeUps = 0
    /// The lengths of the loop's turns.
    private(set) var turns = TurnMeter()
    /// The reason for the vehicle's state; nil if it has not changed since the program started.
    private(set) var lastChange: String?

    private var service: ServiceManager
    private var faults = FaultLog()
    private var metricFile: MetricFile?
    private var pages: ProgramPages
    /// The number of failed transfers that was last reported to the engine.
    private var errors = 0
    /// The time of boot according to the system clock, and the trust in this clock, as last reported to the engine.
    private var clock: (boot: Timestamp, isTrusted: Bool)?
    private let log: Logger

    /// The smallest drift of the system clock that the tracker reports to the engine.
    ///
    /// The time since boot is the reference for the drift.
    private static let clockTolerance = Duration.seconds(1)

    init(
        version: String, began: Instant, safeMode: SafeMode?, absence: StoreError?, service: ServiceManager, log: Logger
    ) {
        (self.version, self.began, self.safeMode) = (version, began, safeMode)
        (self.absence, self.service, self.log) = (absence, service, log)
        pages = ProgramPages(start: began)
    }

    /// When the loop must run at the latest, to report.
    var deadline: Instant? { [service.deadline, metricFile?.deadline].compactMap { $0 }.min() }

    var writesMetrics: Bool { metricFile != nil }

    /// Writes the metrics with these settings from now on; the loop's clock runs faster than real time by the factor `pace`.
    func writeMetrics(_ settings: MetricSettings?, pace: Double) {
        metricFile = settings.map { MetricFile($0, pace: pace, log: log) }
    }

    /// Reports that the program is ready.
    func ready(at now: Instant) {
        service.ready(at: now)
        pages = ProgramPages(start: now)
    }

    /// Reports that the program is about to end.
    func stopping() { service.stopping() }

    // MARK: - A turn of the loop

    /// Begins a turn, at a moment of `LoopClock.realNow`.
    func beginTurn(at now: Instant) {
        wakeUps += 1
        turns.begin(at: now)
    }

    /// Notes what the loop handles in this turn.
    func note(handling part: String) { turns.note(part) }

    /// Ends a turn, at a moment of `LoopClock.realNow`; logs a long turn.
    func endTurn(at now: Instant) {
        guard let turn = turns.end(at: now) else { return }
        log.debug(
            "long turn of the loop",
            metadata: [
                "ms": "\(turn.length.nanoseconds / 1_000_000)", "handled": "\(turn.work.joined(separator: ", "))",
            ])
    }

    /// Reports to systemd what the program does, and that its loop runs; releases pages of the program that it has read.
    func report(_ status: String, _ uploads: UploadHandle, at now: Instant) {
        service.report(status: status)
        service.turn(at: now, uploads)
        if pages.isReleaseDue(at: now) { ProgramPages.release() }
    }

    // MARK: - What has changed

    /// Logs a change of the fault of a device.
    func update(from device: any Device) { faults.update(from: device, log) }

    /// Returns whether a fault began, changed or ended since the last call.
    func takeFaultChange() -> Bool { faults.takeChange() }

    /// Notes an effect that the performer has carried out.
    func note(_ effect: Effect, isMoving: Bool) {
        if effect.isOfNote { metricFile?.noteChange() }
        guard case .decided(let decision) = effect else { return }
        switch decision.subject {
        case .start where isMoving, .stop where !isMoving: lastChange = decision.text
        case .start, .stop, .receiver, .sensor, .beacon, .request, .region, .schedule, .privacy, .options, .power: break
        }
    }

    /// Stores a number of failed transfers; returns whether it has changed.
    func hasChanged(errors count: Int) -> Bool {
        defer { errors = count }
        return errors != count
    }

    /// Stores the time of boot according to the system clock and the trust in this clock, if one of them has changed; returns
    /// whether it has.
    func hasChanged(boot: Timestamp, isTrusted: Bool) -> Bool {
        if let clock, clock.isTrusted == isTrusted, (clock.boot - boot).magnitude < Self.clockTolerance { return false }
        clock = (boot, isTrusted)
        return true
    }

    /// Notes that the values of the uploads may have changed.
    func noteUpload() { metricFile?.noteChange() }

    /// Writes the metrics if they are due; `isPassing`: whether the present state is short.
    func writeMetricsIfDue(at now: Instant, isPassing: Bool, _ values: () -> MetricValues) {
        metricFile?.turn(at: now, isPassing: isPassing, values: values)
    }

    func writeMetrics(_ values: @autoclosure () -> MetricValues, at now: Instant) {
        if metricFile != nil { metricFile?.write(values(), at: now) }
    }
}
