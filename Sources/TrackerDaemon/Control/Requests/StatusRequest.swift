import Hardware
import Quantities
import Store
import Tracking
import TrackingOptions
import Upload

/// `status`: report the tracker's status.
package struct StatusRequest: ControlRequest {
    package static let isReading = true
    package static let manual = ControlManual(
        "status", "Shows the state and its reason, the last fix, the trip, the regions and the queue.",
        command: "`trackerd status`",
        response:
            "the state of the vehicle and its reason, the last fix, the trip, the regions and the queue; see below")

    package init?(_ reader: inout RequestReader) {}

    package func run(in session: ControlSession) throws(ControlError) -> Status? {
        // The status shows whether the vehicle moves, so a server receives none in a private period.
        if session.order != nil { try session.checkPrivacy("sends no status to a server") }
        return session.tracker.status(at: session.now, forServer: session.order != nil)
    }
}

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
            engine, why: lastChange, stopAt: performer.due(.stillness), errors: devices.motionSensor?.errorCount,
            charge_mAh_per_day: chargePerDay(at: now), queue: queue, turns: turns, device: forServer ? nil : device,
            faults: [safeMode?.description].compactMap { $0 } + devices.all.compactMap { $0.fault?.description }
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
        (try? setAsideTable()?.figures()).flatMap { ControlQueue.Removed($0.removed) }
    }

    /// The names of the replaced database files that still exist; nil if there are none.
    private var damagedFiles: [String]? {
        guard let path = try? setAsideTable()?.path else { return nil }
        let names = DamagedFile.names(of: path)
        return names.isEmpty ? nil : names
    }

    /// Returns the numbers of waiting and set-aside records for each target, and the faults of the uploads.
    func queueTargets(withFaults: Bool = true) -> [Status.Queue.Target] {
        performer.counts(limit: QueueDesk.mostCounted + 1).map { name, count in
            // If one attempt to read the file fails, further attempts would fail too and only delay the loop.
            let table = count == nil ? nil : try? setAsideTable()
            let waiting = count.map { $0 + ((try? table?.dueCount(for: name)) ?? 0) }
            let isReached = uploads.counts(name).accepted > 0 || (try? setAsideTable()?.hasReceived(name)) ?? true
            return Status.Queue.Target(
                name: name, waiting: waiting.map { min($0, QueueDesk.mostCounted) },
                or_more: waiting.map { $0 > QueueDesk.mostCounted } ?? false,
                never_reached: isReached ? nil : true, set_aside: (try? table?.count(for: name)) ?? 0,
                fault: withFaults ? uploads.fault(name)?.text : nil)
        }
    }
}
