import Logging
import Quantities
import Store
import Tracking
import TrackingOptions

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

package struct RetryQueueRequest: ControlRequest {
    package static let targetKey = ControlKey("target", "the target, by default all")
    package static let sequencesKey = ControlKey(
        "sequences", "the number of a record, or several numbers as `\"3,5\"` (by default all)")
    package static let manual = ControlManual(
        "queue retry",
        "Sends set-aside records again, and immediately tries the targets that pause after a failure. First correct the fault.",
        keys: [targetKey, sequencesKey], command: "`trackerd queue retry --target home 3 5`")

    /// Nil: all.
    let target: String?
    /// Empty: all.
    let sequences: [Int64]

    package init?(_ reader: inout RequestReader) {
        target = reader.text(Self.targetKey)
        sequences = reader.recordNumbers(Self.sequencesKey)
    }

    package func run(in session: any Session) throws(ControlError) -> ControlOutcome? {
        let outcome = try session.withQueue(isWriting: true) {
            try QueueDesk($0, targets: $1).sendAgain(sequences, to: target, isUploading: true)
        }
        // Without this call, a target that pauses after a failure would receive the records only after the pause. The
        // pause lasts an hour if the server rejected the user.
        session.deliverNow()
        return outcome
    }
}

package struct DropQueueRequest: ControlRequest {
    package static let targetKey = ControlKey("target", "the target, by default all")
    package static let sequencesKey = ControlKey(
        "sequences",
        "the number of a set-aside record, or several numbers as `\"3,5\"` (by default all set-aside records)")
    package static let waitingKey = ControlKey("waiting", "true: also give up the records that wait for the target")
    package static let manual = ControlManual(
        "queue drop",
        "Gives up records: the target never receives them. They remain on the device, for `trackerd export`.",
        keys: [targetKey, sequencesKey, waitingKey], command: "`trackerd queue drop --target home 3 5 --yes`",
        response:
            "`dropped`: the number of records that the request has given up; `is_complete`: if false, repeat the request"
    )

    /// Nil: all.
    let target: String?
    /// Empty: all set-aside ones.
    let sequences: [Int64]
    let dropsWaiting: Bool

    package init?(_ reader: inout RequestReader) {
        target = reader.text(Self.targetKey)
        sequences = reader.recordNumbers(Self.sequencesKey)
        dropsWaiting = reader.flag(Self.waitingKey) ?? false
        if dropsWaiting, !sequences.isEmpty {
            reader.note("`sequences` selects set-aside records only. Remove `sequences`, or remove `waiting`.")
        }
    }

    package func run(in session: any Session) throws(ControlError) -> ControlDrop? {
        let answer = try session.withQueue(isWriting: true) {
            try QueueDesk($0, targets: $1).giveUp(sequences, for: target, waiting: dropsWaiting)
        }
        if answer.dropped > 0 {
            session.log.notice(
                "queue: a command gave up records",
                metadata: ["target": "\(target ?? "all")", "count": "\(answer.dropped)"])
        }
        return answer
    }
}

extension RequestReader {
    /// Empty if the key is missing.
    mutating func recordNumbers(_ key: ControlKey) -> [Int64] {
        let words = (text(key) ?? "").split { $0 == "," || $0 == " " }
        let numbers = words.compactMap { Int64($0) }
        if numbers.count < words.count { note("`\(key.name)` must be record numbers, separated by commas.") }
        return numbers
    }
}
