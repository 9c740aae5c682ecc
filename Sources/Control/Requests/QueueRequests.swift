import Logging
import Quantities
package import Store
import Tracking
import TrackingOptions

package struct QueueRequest: KeylessRequest {
    package static let isReading = true
    package static let manual = ControlManual(
        "queue", "Shows the number of waiting records for each target, and lists the set-aside records.",
        command: "`trackerd queue`",
        response:
            "for each target the number of waiting records, and the set-aside records; the section Queue describes the format"
    )

    package func run(in session: any Session) throws(ControlError) -> ControlQueue? {
        try session.withQueue(isWriting: false) { try QueueDesk($0, targets: $1).contents(fault: session.fault) }
    }
}

package struct RetryQueueRequest: ControlRequest {
    package static let targetKey = ControlKey("target", "the target, by default all")
    package static let sequencesKey = ControlKey(
        "sequences", "the number of a record, or several as `\"3,5\"` (by default all)")
    package static let manual = ControlManual(
        "queue retry",
        "Sends set-aside records again, and immediately tries the targets that pause after a failure. First correct the fault.",
        keys: [targetKey, sequencesKey], command: "`trackerd queue retry --target home 3 5`")

    /// Nil for all targets.
    let target: String?
    /// Empty for all set-aside records.
    let sequences: [Int64]

    package init?(_ reader: inout RequestReader) {
        target = reader.text(Self.targetKey)
        sequences = reader.recordNumbers(Self.sequencesKey)
    }

    package func run(in session: any Session) throws(ControlError) -> ControlOutcome? {
        let outcome = try session.withQueue(isWriting: true) {
            try QueueDesk($0, targets: $1).sendAgain(sequences, to: target, isUploading: true)
        }
        // Else a target would get the records only after its pause, which is up to an hour if the server rejects the user.
        session.deliverNow()
        return outcome
    }
}

package struct DropQueueRequest: ControlRequest {
    package static let targetKey = ControlKey("target", "the target, by default all")
    package static let sequencesKey = ControlKey(
        "sequences", "the number of a set-aside record, or several as `\"3,5\"` (by default all)")
    package static let waitingKey = ControlKey("waiting", "true: also give up the records that wait for the target")
    package static let manual = ControlManual(
        "queue drop",
        "Gives up records: the target never receives them. They remain on the device, for `trackerd export`.",
        keys: [targetKey, sequencesKey, waitingKey], command: "`trackerd queue drop --target home 3 5 --yes`",
        response:
            "`dropped`: the number of records that the request has given up; `is_complete`: if false, repeat the request"
    )

    /// Nil for all targets.
    let target: String?
    /// Empty for all set-aside records.
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

/// Reads and changes the queue, for requests, and for commands while no daemon is running.
package struct QueueDesk {
    /// The limit bounds the work if very many records wait.
    package static let mostCounted = 10_000
    /// The limit bounds the size of the reply.
    private static let mostListed = 1_000

    private let table: SetAsideTable
    private let targets: [String]

    package init(_ table: SetAsideTable, targets: [String]) {
        self.table = table
        self.targets = targets
    }

    /// `fault` returns the reason why a target receives nothing.
    package func contents(fault: (String) -> String? = { _ in nil }) throws(StoreError) -> ControlQueue {
        var found: [ControlQueue.Target] = []
        for target in targets {
            let waiting = try table.waitingCount(for: target, limit: Self.mostCounted + 1) + table.dueCount(for: target)
            let entries = try table.entries(for: target, limit: Self.mostListed / max(1, targets.count))
            found.append(
                ControlQueue.Target(
                    name: target, waiting: min(waiting, Self.mostCounted), or_more: waiting > Self.mostCounted,
                    set_aside: try table.count(for: target),
                    kinds: try table.waitingKinds(for: target, limit: Self.mostCounted),
                    oldest: try table.oldestWaiting(for: target)?.description, fault: fault(target),
                    records: entries.map(ControlQueue.Record.init)))
        }
        let figures = try table.figures()
        return ControlQueue(
            targets: found, bytes: figures.bytes, oldest: figures.oldest?.description,
            removed: ControlQueue.Removed(figures.removed))
    }

    /// Throws for an unknown target, or if no record matches. If `isUploading` is true and there is a target, a request
    /// without numbers needs no matching record.
    package func sendAgain(
        _ sequences: [Int64], to target: String?, isUploading: Bool = false
    ) throws -> ControlOutcome {
        var count = 0
        for target in try chosen(target) {
            count += try table.sendAgain(sequences, to: target)
        }
        if count == 0, isUploading, sequences.isEmpty, !targets.isEmpty {
            let text = "No record is set aside. trackerd tries all targets now."
            return ControlOutcome(text: text, on_disk: true, records: [])
        }
        guard count > 0 else { throw Self.noMatch }
        let text = count == 1 ? "trackerd sends 1 record again." : "trackerd sends \(count) records again."
        return ControlOutcome(text: text, on_disk: true, records: [])
    }

    /// A call gives up a limited number of waiting records. Throws for an unknown target, or if none of `sequences` is set aside.
    package func giveUp(_ sequences: [Int64], for target: String?, waiting dropsWaiting: Bool) throws -> ControlDrop {
        var count = 0
        let chosen = try chosen(target)
        for target in chosen { count += try table.giveUp(sequences, for: target) }
        guard dropsWaiting else {
            guard count > 0 || sequences.isEmpty else { throw Self.noMatch }
            return ControlDrop(dropped: count, is_complete: true)
        }
        let waiting = try chosen.reduce(0) { try $0 + table.giveUpWaiting(for: $1) }
        return ControlDrop(dropped: count + waiting, is_complete: waiting == 0)
    }

    /// Returns all targets if `name` is nil; throws if the name is unknown.
    private func chosen(_ name: String?) throws -> [String] {
        guard let name else { return targets }
        guard !targets.contains(name) else { return [name] }
        let hint = Spelling.nearest(to: name, among: targets).map { "Did you mean `\($0)`?" }
        let list = targets.joined(separator: ", ")
        let known = list.isEmpty ? "The configuration has no targets." : "Known: \(list)."
        throw ControlError("`\(name.printable())` is not a target. \(hint ?? known)")
    }

    private static let noMatch = ControlError(
        "no set-aside record matches the request. Run `trackerd queue` to list the set-aside records.")
}

extension ControlQueue.Record {
    fileprivate init(_ entry: SetAsideTable.Entry) {
        self.init(
            sequence: entry.sequence, time: entry.time?.description, kind: entry.kind, reason: entry.reason.printable())
    }
}
