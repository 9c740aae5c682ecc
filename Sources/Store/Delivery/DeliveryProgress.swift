import GRDB
package import Tracking

/// A snapshot of the file, taken by `init`.
package struct DeliveryProgress: Sendable {
    package enum State: Sendable, Hashable {
        case delivered
        /// No target receives the record, for example because `sync` or `monitoring` forbids it.
        case withheld
        case waiting
        /// Usually the target refused the record.
        case setAside
    }

    private struct Target: Sendable {
        let name: String
        let cursor: Int64
        let ahead: Set<Int64>
        let refused: [Int64: Bool]
    }

    private let all: [Target]

    /// The file may be a backup. If `targets` is nil, the targets are those in the file, which lists a target once a
    /// record was delivered or set aside.
    package init(path: String, targets: [String]? = nil) throws(StoreError) {
        all = try Database.openToRead(path).read(path) { database in
            let rows = try Row.fetchAll(database, sql: "SELECT target, cursor FROM delivery ORDER BY target")
            let cursors = Dictionary(rows.map { ($0["target"] as String, $0["cursor"] as Int64) }) { $1 }
            return try (targets ?? rows.map { $0["target"] }).map { name in
                try Self.target(name, cursor: cursors[name] ?? 0, database)
            }
        }
    }

    package var targets: [String] { all.map(\.name) }

    package func states(of stored: StoredRecord) -> [State] {
        all.map { target in
            if let isDue = target.refused[stored.sequence] { return isDue ? .waiting : .setAside }
            if stored.record.isWithheld == true { return .withheld }
            let isDelivered = stored.sequence <= target.cursor || target.ahead.contains(stored.sequence)
            return isDelivered ? .delivered : .waiting
        }
    }

    private static func target(_ name: String, cursor: Int64, _ database: GRDB.Database) throws -> Target {
        let ahead = try Int64.fetchSet(
            database, sql: "SELECT sequence FROM ahead WHERE target = ?", arguments: [name])
        let refused = try Row.fetchAll(
            database, sql: "SELECT sequence, is_due FROM refused WHERE target = ?", arguments: [name])
        let pairs = refused.map { ($0["sequence"] as Int64, $0["is_due"] as Bool) }
        return Target(name: name, cursor: cursor, ahead: ahead, refused: Dictionary(pairs) { $1 })
    }
}
