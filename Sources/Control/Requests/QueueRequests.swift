import TrackingOptions
import Quantities
import Store
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

    package func run(in session: any Session) throws(ControlError) -> ControlQueue? {
        try session.withQueue(isWriting: false) { try QueueDesk($0, targets: $1).contents(fault: session.fault) }
    }
}

/// `queue retry`: send set-aside records again.
package struct RetryQueueRequest: ControlRequest {
    /// The target of the set-aside records.
    package static let targetKey = ControlKey("target", "the target, by default all")
    package static let sequencesKey = ControlKey(
        "sequences", "the number of a record, or several numbers as `\"3,5\"` (by default all)")
    package static let manual = ControlManual(
        "queue retry",
        "Sends set-aside records again, and immediately tries the targets that pause after a failure. First correct the fault.",
        keys: [targetKey, sequencesKey], command: "`trackerd queue retry --target home 3 5`")

    /// The target of the set-aside records; nil for all targets.
    package let target: String?
    /// The numbers of the records; empty for all records.
    package let sequences: [Int64]

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

    package func run(in session: any Session) throws(ControlError) -> ControlOutcome? {
        let outcome = try session.withQueue(isWriting: true) {
            try QueueDesk($0, targets: $1).sendAgain(self, isUploading: true)
        }
        // Without this call, a target that pauses after a failure would receive the records only after the pause. The
        // pause lasts an hour if the server rejected the user.
        session.deliverNow()
        return outcome
    }
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
