import Hardware
import Quantities
import Store
import Tracking
import Upload

/// The values of all metrics at one instant.
struct MetricValues: Sendable {
    /// The values of one target.
    struct Target: Sendable {
        let name: String
        /// The number of waiting records; nil while trackerd cannot read the database.
        let waiting: Int?
        let oldest: Timestamp?
        let setAside: Int?
        let uploads: UploadCounts
        let isWorking: Bool
    }

    var isUp = true
    var version = ""
    var wakeUps = 0
    var longestTurn = Duration.zero
    var longTurns = 0
    var busErrors: Int?
    var faults = 0
    var supply: Volts?
    var isMoving = false
    var isTracking = true
    var summary = DriveSummary()
    var moving = Duration.zero
    var odometer = Metres.zero
    var isReceiverOn = false
    var receiverOn = Duration.zero
    var firstFixes = FirstFixes()
    var lastFix: Timestamp?
    var commits = 0
    var recordsInMemory = 0
    var targets: [Target] = []
}

extension Tracker {
    /// Collects the values of all metrics.
    func metricValues(isUp: Bool, at now: Instant) -> MetricValues {
        MetricValues(
            isUp: isUp, version: version, wakeUps: wakeUps, longestTurn: turns.longest, longTurns: turns.longCount,
            busErrors: devices.motionSensor?.errorCount,
            faults: devices.all.count { $0.fault != nil }, supply: engine.supplyVoltage(at: now),
            isMoving: engine.isMoving, isTracking: engine.suspension == nil, summary: summary,
            moving: summary.movingTime(at: now), odometer: engine.odometer,
            isReceiverOn: engine.receiverOnSince != nil, receiverOn: summary.receiverTime(at: now),
            firstFixes: engine.firstFixes, lastFix: engine.lastFix?.time, commits: performer.commitCount,
            recordsInMemory: performer.unwrittenCount, targets: metricTargets)
    }

    private var metricTargets: [MetricValues.Target] {
        queueTargets().map { target in
            let table = target.waiting == nil ? nil : try? setAsideTable()
            return MetricValues.Target(
                name: target.name, waiting: target.waiting,
                oldest: target.waiting == 0 ? nil : (try? table?.oldestWaiting(for: target.name)) ?? nil,
                setAside: target.waiting == nil ? nil : target.set_aside, uploads: uploads.counts(target.name),
                isWorking: target.fault == nil)
        }
    }
}
