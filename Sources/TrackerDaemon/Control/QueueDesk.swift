import Quantities
package import Store
import Tracking
import TrackingOptions

/// The answer to `queue`: what each target has still to get, and what was set aside for it.
package struct ControlQueue: Codable, Sendable, Hashable {
    /// A record that was set aside.
    package struct Record: Codable, Sendable, Hashable {
        package let sequence: Int64
        /// Nil when the record is no longer on the device.
        package let time: String?
        /// Nil when the record is no longer on the device.
        package let kind: String?
        /// Why it was set aside, with the words of the server.
        package let reason: String
    }

    /// One server.
    package struct Target: Codable, Sendable, Hashable {
        package let name: String
        package let waiting: Int
        /// Whether there are more than were counted.
        package let or_more: Bool
        package let set_aside: Int
        /// The oldest of them; there may be more.
        package let records: [Record]
    }

    package let targets: [Target]
}

/// Reads the queue of each target, and has records sent again: for the daemon, and for commands while it does not run.
package struct QueueDesk {
    /// More than this is not counted: it must cost the same whatever waits.
    static let mostCounted = 10_000
    /// More records than this are not listed, so that an answer stays below its bound.
    private static let mostListed = 1_000

    private let table: SetAsideTable
    private let targets: [String]

    /// Makes a desk for the targets of a configuration.
    package init(_ table: SetAsideTable, targets: [String]) {
        self.table = table
        self.targets = targets
    }

    /// What each target has still to get, and what was set aside for it.
    package func contents() throws(StoreError) -> ControlQueue {
        var found: [ControlQueue.Target] = []
        for target in targets {
            let waiting = try table.waitingCount(for: target, limit: Self.mostCounted + 1) + table.dueCount(for: target)
            let entries = try table.entries(for: target, limit: Self.mostListed / max(1, targets.count))
            found.append(
                ControlQueue.Target(
                    name: target, waiting: min(waiting, Self.mostCounted), or_more: waiting > Self.mostCounted,
                    set_aside: try table.count(for: target), records: entries.map(ControlQueue.Record.init)))
        }
        return ControlQueue(targets: found)
    }

    /// Has records sent again; refuses when none of them was set aside.
    package func sendAgain(_ order: QueueRetry) throws -> ControlOutcome {
        if let target = order.target, !targets.contains(target) {
            let hint = Spelling.nearest(to: target, among: targets).map { "Did you mean `\($0)`?" }
            throw ControlRefusal(
                "`\(target.printable())` is no target. \(hint ?? "Known: \(targets.joined(separator: ", ")).")")
        }
        var count = 0
        for target in order.target.map({ [$0] }) ?? targets {
            count += try table.sendAgain(order.sequences, to: target)
        }
        guard count > 0 else {
            throw ControlRefusal("no such record is set aside. `trackerd queue` lists those that are.")
        }
        let text = count == 1 ? "1 record is sent again." : "\(count) records are sent again."
        return ControlOutcome(text: text, on_disk: true, records: [])
    }
}

extension ControlQueue.Record {
    fileprivate init(_ entry: SetAsideTable.Entry) {
        self.init(
            sequence: entry.sequence, time: entry.time?.description, kind: entry.kind, reason: entry.reason.printable())
    }
}
