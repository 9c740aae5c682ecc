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
        let uploads = session.tracker.uploads
        return try session.tracker.withQueueDesk(at: session.now, isWriting: false) {
            try $0.contents { uploads.fault($0)?.text }
        }
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
        /// Why the server receives no records at present; nil if uploads work, or if no daemon is running.
        package let fault: String?
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

extension RequestReader {
    /// Reads a list of record numbers, which is empty if the key is missing; notes an error if a word is not a number.
    mutating func recordNumbers(_ key: ControlKey) -> [Int64] {
        let words = (text(key) ?? "").split { $0 == "," || $0 == " " }
        let numbers = words.compactMap { Int64($0) }
        if numbers.count < words.count { note("`\(key.name)` must be record numbers, separated by commas.") }
        return numbers
    }
}
