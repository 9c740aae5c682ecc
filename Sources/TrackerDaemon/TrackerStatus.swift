import Control
import Delivery
import Hardware
import Quantities
import Store
import Tracking
import TrackingOptions

extension Tracker {
    /// Returns the tracker's status.
    ///
    /// - `forServer`: if true, the status leaves out why uploads fail and what is wrong with the disk. All targets
    ///   receive the answer to a server, but these reasons contain addresses of other servers and paths of files. In the
    ///   modes that withhold the position, the status also leaves out the position.
    func status(at now: Instant, forServer: Bool = false) -> Status {
        let targets = queueTargets(withFaults: !forServer)
        let queue = Status.Queue(
            in_memory: performer.unwrittenCount, fault: forServer ? nil : performer.diskFault,
            damaged_files: forServer ? nil : damagedFiles, targets: targets, removed: removed)
        return Status(
            engine, why: supervision.lastChange, stopAt: performer.due(.stillness),
            errors: devices.motionSensor?.errorCount,
            charge_mAh_per_day: chargePerDay(at: now), queue: queue,
            turns: Status.Loop(longest: supervision.turns.longest, long: supervision.turns.longCount),
            device: forServer ? nil : program.device,
            faults: [supervision.safeMode?.description].compactMap { $0 }
                + devices.all.compactMap { $0.fault?.description }
                + targets.filter { uploads.fault($0.name)?.needsOwner == true }.compactMap(\.namedFault),
            withholding: forServer ? engine.mode : .move, at: now)
    }

    /// Returns the charge that the board has drawn since the start of the program, extrapolated to a day.
    ///
    /// Returns nil in the first ten minutes, and if the board's file contains no currents.
    private func chargePerDay(at now: Instant) -> Double? {
        let span = now - began
        let charge = devices.currents.charge(over: span, receiverOn: summary.receiverTime(at: now))
        guard charge > 0, span >= .seconds(600) else { return nil }
        return charge * 86_400 / span.inSeconds
    }

    /// The numbers of removed records; nil if there are none, or if the database cannot be read.
    private var removed: ControlQueue.Removed? {
        (try? tables.queueIfAny()?.figures()).flatMap { ControlQueue.Removed($0.removed) }
    }

    /// The names of the replaced database files that still exist; nil if there are none.
    private var damagedFiles: [String]? {
        guard let path = try? tables.queueIfAny()?.path else { return nil }
        let names = DamagedFile.names(of: path)
        return names.isEmpty ? nil : names
    }

    /// Returns the numbers of waiting and set-aside records for each target, and the faults of the uploads.
    func queueTargets(withFaults: Bool = true) -> [Status.Queue.Target] {
        performer.counts(limit: QueueDesk.mostCounted + 1).map { name, count in
            // If one attempt to read the file fails, further attempts would fail too and only delay the loop.
            let table = count == nil ? nil : try? tables.queueIfAny()
            let waiting = count.map { $0 + ((try? table?.dueCount(for: name)) ?? 0) }
            let isReached = uploads.counts(name).accepted > 0 || (try? tables.queueIfAny()?.hasReceived(name)) ?? true
            return Status.Queue.Target(
                name: name, waiting: waiting.map { min($0, QueueDesk.mostCounted) },
                or_more: waiting.map { $0 > QueueDesk.mostCounted } ?? false,
                never_reached: isReached ? nil : true, set_aside: (try? table?.count(for: name)) ?? 0,
                fault: withFaults ? uploads.fault(name)?.text : nil)
        }
    }
}

extension Tracker {
    /// Collects the values of all metrics.
    func metricValues(isUp: Bool, at now: Instant) -> MetricValues {
        MetricValues(
            isUp: isUp, version: supervision.version, wakeUps: supervision.wakeUps,
            longestTurn: supervision.turns.longest,
            longTurns: supervision.turns.longCount,
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
            let table = target.waiting == nil ? nil : try? tables.queueIfAny()
            return MetricValues.Target(
                name: target.name, waiting: target.waiting,
                oldest: target.waiting == 0 ? nil : (try? table?.oldestWaiting(for: target.name)) ?? nil,
                setAside: target.waiting == nil ? nil : target.set_aside, uploads: uploads.counts(target.name),
                isWorking: target.fault == nil)
        }
    }
}
