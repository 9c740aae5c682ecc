import Control
import Hardware
import Quantities
import Store
import Tracking
import TrackingOptions
import Upload

struct TrackerReport {
    private let devices: TrackerDevices
    private let uploads: UploadHandle
    private let supervision: Supervision
    private let writer: QueueWriter
    private let tables: QueueTables

    init(
        devices: TrackerDevices, uploads: UploadHandle, supervision: Supervision, writer: QueueWriter,
        tables: QueueTables
    ) {
        (self.devices, self.uploads, self.supervision) = (devices, uploads, supervision)
        (self.writer, self.tables) = (writer, tables)
    }

    /// `stopAt` is when the timer of a stop expires; nil if it is not armed. If `forServer` is true, the status leaves out why
    /// uploads fail and what is wrong with the disk: all targets receive the answer, and these reasons contain paths and the
    /// addresses of other servers. It also leaves out the tracker's name, and what the mode hides from servers.
    func status(
        of engine: EngineStatus, _ summary: DriveSummary, stopAt: Instant?, device: String?, forServer: Bool,
        at now: Instant
    ) -> Status {
        let queue = tables.status(forServer: forServer)
        return Status(
            engine, why: supervision.lastChange, stopAt: stopAt, errors: devices.motionSensor?.errorCount,
            charge_mAh_per_day: chargePerDay(summary, at: now), queue: queue,
            turns: Status.Loop(longest: supervision.turns.longest, long: supervision.turns.longCount),
            device: forServer ? nil : device,
            faults: [supervision.start.safeMode?.description].compactMap(\.self)
                + devices.all.compactMap { $0.fault?.description }
                + queue.targets.filter { uploads.fault($0.name)?.needsOwner == true }.compactMap(\.namedFault),
            withholding: forServer ? engine.mode : .move, at: now)
    }

    /// The charge since the program's start, extrapolated to a day; nil in the first ten minutes, and if the board's
    /// file has no currents.
    private func chargePerDay(_ summary: DriveSummary, at now: Instant) -> Double? {
        let span = now - supervision.start.time
        let charge = devices.currents.charge(over: span, receiverOn: summary.receiverTime(at: now))
        guard charge > 0, span >= .seconds(600) else { return nil }
        return charge * 86_400 / span.inSeconds
    }

    func metricValues(of engine: EngineStatus, _ summary: DriveSummary, isUp: Bool, at now: Instant) -> MetricValues {
        MetricValues(
            isUp: isUp, version: supervision.start.version, wakeUps: supervision.turns.count,
            longestTurn: supervision.turns.longest, longTurns: supervision.turns.longCount,
            busErrors: devices.motionSensor?.errorCount, faults: devices.all.count { $0.fault != nil },
            supply: engine.supplyVoltage(at: now), isMoving: engine.isMoving, isTracking: engine.suspension == nil,
            summary: summary, moving: summary.movingTime(at: now), odometer: engine.odometer,
            isReceiverOn: engine.receiverOnSince != nil, receiverOn: summary.receiverTime(at: now),
            firstFixes: engine.firstFixes, lastFix: engine.lastFix?.time, commits: writer.commitCount,
            recordsInMemory: writer.unwrittenCount, targets: tables.metrics)
    }
}
