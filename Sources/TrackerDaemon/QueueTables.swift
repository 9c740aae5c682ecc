import Control
import Delivery
import Quantities
import Store
import Upload

/// The loop's connections to the database file, beside the queue's own; each opens at its first use, because most runs of the
/// program never use it.
final class QueueTables {
    private let open: (() throws -> SetAsideTable)?
    private let writer: QueueWriter
    private let uploads: UploadHandle
    private var queue: SetAsideTable?
    private var trips: TripTable?
    private var history: History?

    /// - `open`: opens the list of set-aside records; nil if the program has no queue on disk.
    init(_ open: (() throws -> SetAsideTable)?, writer: QueueWriter, uploads: UploadHandle) {
        (self.open, self.writer, self.uploads) = (open, writer, uploads)
    }

    /// Closes the connections, because another file has replaced the database.
    func close() {
        queue?.close()
        trips?.close()
        history?.close()
        (queue, trips, history) = (nil, nil, nil)
    }

    /// Nil if the program has no queue on disk.
    private func queueIfAny() throws -> SetAsideTable? {
        if queue == nil { queue = try open?() }
        return queue
    }

    private func presentQueue() throws -> SetAsideTable {
        guard let queue = try queueIfAny() else { throw ControlError("this program has no queue on disk.") }
        return queue
    }

    private func presentTrips() throws -> TripTable {
        let table = try trips ?? TripTable(beside: presentQueue())
        trips = table
        return table
    }

    private func presentHistory() throws -> History {
        let opened = try history ?? History(forLoop: presentQueue().path)
        history = opened
        return opened
    }

    // MARK: - For requests

    /// `body` gets the queue and the names of the targets.
    func withQueue<Answer>(
        isWriting: Bool, at now: Instant, _ body: (SetAsideTable, [String]) throws -> Answer
    ) throws(ControlError) -> Answer {
        try refusing {
            let (table, targets) = (try presentQueue(), writer.targets)
            // Other programs do not block reading.
            guard isWriting else { return try body(table, targets) }
            return try writer.unlessLocked(at: now) { try body(table, targets) }
        }
    }

    func withTrips<Answer>(
        at now: Instant, _ body: (TripTable, [String]) throws -> Answer
    ) throws(ControlError) -> Answer {
        try refusing {
            try writer.unlessLocked(at: now) { try body(presentTrips(), writer.targets) }
        }
    }

    func withHistory<Answer>(_ body: (History) throws -> Answer) throws(ControlError) -> Answer {
        try refusing { try body(presentHistory()) }
    }

    private func refusing<Answer>(_ body: () throws -> Answer) throws(ControlError) -> Answer {
        do {
            return try body()
        } catch let error as ControlError {
            throw error
        } catch {
            throw ControlError("\(error)")
        }
    }

    // MARK: - For the status and the metrics

    /// A server receives no faults and no paths.
    func status(forServer: Bool) -> Status.Queue {
        Status.Queue(
            in_memory: writer.unwrittenCount, fault: forServer ? nil : writer.diskFault,
            damaged_files: forServer ? nil : damagedFiles, targets: targets(withFaults: !forServer),
            removed: (try? queueIfAny()?.figures()).flatMap { ControlQueue.Removed($0.removed) })
    }

    private var damagedFiles: [String]? {
        guard let path = try? queueIfAny()?.path else { return nil }
        let names = DamagedFile.names(of: path)
        return names.isEmpty ? nil : names
    }

    private func targets(withFaults: Bool) -> [Status.Queue.Target] {
        writer.targets.map { name in
            let count = writer.count(awaiting: name, limit: QueueDesk.mostCounted + 1)
            // If one attempt to read the file fails, further attempts would fail too and only delay the loop.
            let table = count == nil ? nil : try? queueIfAny()
            let waiting = count.map { $0 + ((try? table?.dueCount(for: name)) ?? 0) }
            let isReached = uploads.counts(name).accepted > 0 || (try? queueIfAny()?.hasReceived(name)) ?? true
            return Status.Queue.Target(
                name: name, waiting: waiting.map { min($0, QueueDesk.mostCounted) },
                or_more: waiting.map { $0 > QueueDesk.mostCounted } ?? false, never_reached: isReached ? nil : true,
                set_aside: (try? table?.count(for: name)) ?? 0, fault: withFaults ? uploads.fault(name)?.text : nil)
        }
    }

    var metrics: [MetricValues.Target] {
        targets(withFaults: true).map { target in
            let table = target.waiting == nil ? nil : try? queueIfAny()
            return MetricValues.Target(
                name: target.name, waiting: target.waiting,
                oldest: target.waiting == 0 ? nil : (try? table?.oldestWaiting(for: target.name)) ?? nil,
                setAside: target.waiting == nil ? nil : target.set_aside, uploads: uploads.counts(target.name),
                isWorking: target.fault == nil)
        }
    }
}
