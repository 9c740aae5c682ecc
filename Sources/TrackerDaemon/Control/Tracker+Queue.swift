import Quantities
import Store
import Tracking

/// What clients of the control socket ask of the queue.
extension Tracker {
    /// How much each target has still to get, for `status`.
    var queueTargets: [Status.Queue.Target] {
        let table = try? setAsideTable()
        return performer.counts(limit: QueueDesk.mostCounted + 1).map { name, count in
            let waiting = count.map { $0 + ((try? table?.dueCount(for: name)) ?? 0) }
            return Status.Queue.Target(
                name: name, waiting: waiting.map { min($0, QueueDesk.mostCounted) },
                or_more: waiting.map { $0 > QueueDesk.mostCounted } ?? false,
                set_aside: (try? table?.count(for: name)) ?? 0)
        }
    }

    func queueContents() throws(ControlRefusal) -> ControlQueue {
        try asked { try $0.contents() }
    }

    /// Has records sent again, and tells the upload thread; a target that pauses is tried at once.
    func sendAgain(_ order: QueueRetry) throws(ControlRefusal) -> ControlOutcome {
        let outcome = try asked { try $0.sendAgain(order) }
        uploads.tryNow()
        return outcome
    }

    private func asked<Answer>(_ body: (QueueDesk) throws -> Answer) throws(ControlRefusal) -> Answer {
        do {
            guard let table = try setAsideTable() else { throw ControlRefusal("this program has no queue on disk.") }
            return try body(QueueDesk(table, targets: performer.targets))
        } catch let refusal as ControlRefusal {
            throw refusal
        } catch {
            throw ControlRefusal("\(error)")
        }
    }

    /// Opened when somebody asks for it first: most programs run without.
    private func setAsideTable() throws -> SetAsideTable? {
        if setAside == nil { setAside = try openSetAside?() }
        return setAside
    }
}
