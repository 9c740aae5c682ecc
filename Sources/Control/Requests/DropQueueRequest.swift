import Logging

/// `queue drop`: give up records that a target has not received.
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

    /// The target of the records; nil for all targets.
    package let target: String?
    /// The numbers of set-aside records; empty for all set-aside records.
    package let sequences: [Int64]
    /// Whether the records that wait are given up too.
    package let dropsWaiting: Bool

    /// Selects the records to give up.
    package init(target: String?, sequences: [Int64], dropsWaiting: Bool) {
        (self.target, self.sequences, self.dropsWaiting) = (target, sequences, dropsWaiting)
    }

    package init?(_ reader: inout RequestReader) {
        target = reader.text(Self.targetKey)
        sequences = reader.recordNumbers(Self.sequencesKey)
        dropsWaiting = reader.flag(Self.waitingKey) ?? false
        if dropsWaiting, !sequences.isEmpty {
            reader.note("`sequences` selects set-aside records only. Remove `sequences`, or remove `waiting`.")
        }
    }

    package func run(in session: any Session) throws(ControlError) -> ControlDrop? {
        let answer = try session.withQueue(isWriting: true) { try QueueDesk($0, targets: $1).giveUp(self) }
        if answer.dropped > 0 {
            session.log.notice(
                "queue: a command gave up records",
                metadata: ["target": "\(target ?? "all")", "count": "\(answer.dropped)"])
        }
        return answer
    }
}

/// The response to `queue drop`.
package struct ControlDrop: Codable, Sendable, Hashable {
    /// The number of records that the request has given up.
    package let dropped: Int
    /// Whether no record remains to give up; otherwise the next request continues.
    package let is_complete: Bool

    package init(dropped: Int, is_complete: Bool) {
        (self.dropped, self.is_complete) = (dropped, is_complete)
    }
}
