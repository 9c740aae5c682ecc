import TrackingOptions
import Quantities
package import Store
import Tracking

/// `queue`: list the records that wait for each target.
package struct QueueRequest: ControlRequest {
    package static let isReading = true
    package static let manual = ControlManual(
        "queue", "Shows the number of waiting records for each target, and lists the set-aside records.",
        command: "`trackerd queue`",
        response:
            "for each target the number of waiting records, and the set-aside records; the section Queue describes the format"
    )

    package init?(_ reader: inout RequestReader) {}

    package func run(in session: ControlSession) throws(ControlError) -> ControlQueue? {
        try session.tracker.withQueueDesk(at: session.now, isWriting: false) { try $0.contents() }
    }
}

/// `queue retry`: send set-aside records again.
package struct RetryQueueRequest: ControlRequest {
    /// The target of the set-aside records.
    package static let targetKey = ControlKey("target", "the target, by default all")
    /// The numbers of the records.
    package static let sequencesKey = ControlKey(
        "sequences", "the number of a record, or several numbers as `\"3,5\"` (by default all)")
    package static let manual = ControlManual(
        "queue retry",
        "Sends set-aside records again, and immediately tries the targets that pause after a failure. First correct the fault.",
        keys: [targetKey, sequencesKey], command: "`trackerd queue retry --target home 3 5`")

    /// The target of the set-aside records; nil for all targets.
    let target: String?
    /// The numbers of the records; empty for all records.
    let sequences: [Int64]

    /// Selects the records to send again.
    package init(target: String?, sequences: [Int64]) {
        self.target = target
        self.sequences = sequences
    }

    package init?(_ reader: inout RequestReader) {
        target = reader.text(Self.targetKey)
        let words = (reader.text(Self.sequencesKey) ?? "").split { $0 == "," || $0 == " " }
        sequences = words.compactMap { Int64($0) }
        if sequences.count < words.count {
            reader.note("`sequences` must be record numbers, separated by commas.")
        }
    }

    package func run(in session: ControlSession) throws(ControlError) -> ControlOutcome? {
        let outcome = try session.tracker.withQueueDesk(at: session.now, isWriting: true) {
            try $0.sendAgain(self, isUploading: true)
        }
        // Without this call, a target that pauses after a failure would receive the records only after the pause. The
        // pause lasts an hour if the server rejected the user.
        session.tracker.uploads.tryNow()
        return outcome
    }
}

/// The response to `queue`.
package struct ControlQueue: Codable, Sendable, Hashable {
    /// A set-aside record.
    package struct Record: Codable, Sendable, Hashable {
        package let sequence: Int64
        /// The time of the record; nil if the record is no longer on the device.
        package let time: String?
        /// The kind of the record; nil if the record is no longer on the device.
        package let kind: String?
        /// Why trackerd set the record aside; the text may quote the server.
        package let reason: String
    }

    /// The queue of one target.
    package struct Target: Codable, Sendable, Hashable {
        package let name: String
        package let waiting: Int
        /// Whether the number of waiting records is higher than `waiting`.
        package let or_more: Bool
        package let set_aside: Int
        /// The number of waiting records of each kind, among the oldest 10000; without the records to send again.
        package let kinds: [String: Int]
        /// The time of the oldest waiting record, without the records to send again; nil if there is none.
        package let oldest: String?
        /// The oldest set-aside records; the list may not contain all of them.
        package let records: [Record]
    }

    /// The numbers of records that trackerd has removed since it created the database, because of the limits or because
    /// the queue in memory was full.
    package struct Removed: Codable, Sendable, Hashable {
        /// The number of removed records that every target had received, or that no target had to receive.
        package let delivered: Int
        /// The number of undelivered locations whose removal changed the track by 10 m at most.
        package let thinned: Int
        /// The number of other undelivered locations that trackerd removed.
        package let locations: Int
        /// The number of undelivered events that trackerd removed.
        package let events: Int

        /// Copies the numbers; nil if trackerd has removed no record.
        package init?(_ loss: Retention.Loss) {
            guard loss != Retention.Loss() else { return nil }
            (delivered, thinned) = (loss.delivered, loss.thinned)
            (locations, events) = (loss.locations, loss.events)
        }
    }

    package let targets: [Target]
    /// The number of bytes of the database that are in use.
    package let bytes: Int
    /// The time of the oldest record on the device; nil if there is none.
    package let oldest: String?
    /// The numbers of removed records; nil if trackerd has removed none.
    package let removed: Removed?
}

/// Reads the queue of each target, and schedules set-aside records for sending again.
///
/// Commands also use this type while no daemon is running.
package struct QueueDesk {
    /// The maximum number of records to count; it limits the work of a request if very many records wait.
    static let mostCounted = 10_000
    /// The maximum number of records in a list; it limits the size of a reply.
    private static let mostListed = 1_000

    private let table: SetAsideTable
    private let targets: [String]

    /// Makes a value for the targets of a configuration.
    package init(_ table: SetAsideTable, targets: [String]) {
        self.table = table
        self.targets = targets
    }

    /// Returns the waiting and the set-aside records of each target.
    package func contents() throws(StoreError) -> ControlQueue {
        var found: [ControlQueue.Target] = []
        for target in targets {
            let waiting = try table.waitingCount(for: target, limit: Self.mostCounted + 1) + table.dueCount(for: target)
            let entries = try table.entries(for: target, limit: Self.mostListed / max(1, targets.count))
            found.append(
                ControlQueue.Target(
                    name: target, waiting: min(waiting, Self.mostCounted), or_more: waiting > Self.mostCounted,
                    set_aside: try table.count(for: target),
                    kinds: try table.waitingKinds(for: target, limit: Self.mostCounted),
                    oldest: try table.oldestWaiting(for: target)?.description,
                    records: entries.map(ControlQueue.Record.init)))
        }
        let figures = try table.figures()
        return ControlQueue(
            targets: found, bytes: figures.bytes, oldest: figures.oldest?.description,
            removed: ControlQueue.Removed(figures.removed))
    }

    /// Schedules set-aside records for sending again; throws if the target is unknown, or if no record matches the
    /// request.
    ///
    /// If `isUploading` is true and there are targets, a request without record numbers does not need a matching
    /// record.
    package func sendAgain(_ request: RetryQueueRequest, isUploading: Bool = false) throws -> ControlOutcome {
        if let target = request.target, !targets.contains(target) {
            let hint = Spelling.nearest(to: target, among: targets).map { "Did you mean `\($0)`?" }
            let list = targets.joined(separator: ", ")
            let known = list.isEmpty ? "The configuration has no targets." : "Known: \(list)."
            throw ControlError("`\(target.printable())` is not a target. \(hint ?? known)")
        }
        var count = 0
        for target in request.target.map({ [$0] }) ?? targets {
            count += try table.sendAgain(request.sequences, to: target)
        }
        if count == 0, isUploading, request.sequences.isEmpty, !targets.isEmpty {
            let text = "No record is set aside. trackerd tries all targets now."
            return ControlOutcome(text: text, on_disk: true, records: [])
        }
        guard count > 0 else {
            throw ControlError(
                "no set-aside record matches the request. Run `trackerd queue` to list the set-aside records.")
        }
        let text = count == 1 ? "trackerd sends 1 record again." : "trackerd sends \(count) records again."
        return ControlOutcome(text: text, on_disk: true, records: [])
    }
}

extension ControlQueue.Record {
    fileprivate init(_ entry: SetAsideTable.Entry) {
        self.init(
            sequence: entry.sequence, time: entry.time?.description, kind: entry.kind, reason: entry.reason.printable())
    }
}

extension Tracker {
    fileprivate func withQueueDesk<Answer>(
        at now: Instant, isWriting: Bool, _ body: (QueueDesk) throws -> Answer
    ) throws(ControlError) -> Answer {
        do {
            guard let table = try setAsideTable() else { throw ControlError("this program has no queue on disk.") }
            let desk = QueueDesk(table, targets: performer.targets)
            // Other programs do not block reading.
            return try isWriting ? performer.unlessLocked(at: now) { try body(desk) } : body(desk)
        } catch let error as ControlError {
            throw error
        } catch {
            throw ControlError("\(error)")
        }
    }

    /// Returns the list of set-aside records; nil if the program has no queue on disk.
    ///
    /// Opens the list only at its first use, because most runs of the program never use it.
    func setAsideTable() throws -> SetAsideTable? {
        if setAside == nil { setAside = try openSetAside?() }
        return setAside
    }
}
