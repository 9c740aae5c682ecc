import GRDB
package import Tracking

// The orders of servers, and the regions in them, as the loop reads and writes them.

extension RecordQueue {
    /// The orders that wait, the oldest first; empty if the file is unavailable.
    package var waitingOrders: [StoredOrder] {
        let settled = pending.settledOrders
        return (try? disk.database?.read { try Inbox.waiting(excluding: settled, in: $0) }) ?? []
    }

    /// Begins to carry out an order.
    ///
    /// `settle` does not commit before `endOrder`. One commit therefore contains all effects of the order.
    package func begin(_ order: StoredOrder) { pending.begin(order: order.key) }

    /// Ends the order that `begin` has begun.
    package func endOrder() { pending.endOrder() }
}

extension RecordQueue {
    /// Returns whether a record is on disk and the target does not wait for it; false if the file is unavailable.
    ///
    /// Also returns true if the record was withheld, set aside or removed.
    package func isDelivered(_ sequence: Int64, to target: String) -> Bool {
        guard sequence <= committedSequence, let database = disk.database else { return false }
        let isAwaiting = try? database.read { database in
            try Bool.fetchOne(
                database, sql: "SELECT 1 FROM record WHERE sequence = :sequence AND \(DeliveryTable.isUndelivered)",
                arguments: ["sequence": sequence, "target": target]) ?? false
        }
        return isAwaiting == false
    }
}

extension RecordQueue {
    /// The regions of the targets' servers, on disk or waiting for the next commit; nil if the file is unavailable.
    package var serverRegions: [ServerRegions]? {
        guard let stored = try? disk.database?.read(ServerRegionTable.read) else { return nil }
        return pending.serverRegions.reduce(stored) { $0.replacing(with: $1) }
    }

    /// Replaces the regions of a target's server with the next commit.
    package func replace(_ list: ServerRegions) { pending.replace(list) }
}
