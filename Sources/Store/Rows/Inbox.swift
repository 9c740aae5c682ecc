import FoundationEssentials
import GRDB
import Quantities
import Tracking

/// The waiting orders of servers, and the IDs of those that were carried out. The upload thread adds an order in a
/// synced transaction, and the transaction that stores the order's effects removes its body. A power cut therefore
/// neither loses an order nor carries it out twice.
enum Inbox {
    static let mostWaiting = 64
    /// The limit of IDs per target. A further one replaces the oldest that has no expiry and was carried out; if there
    /// is none, the inbox is full.
    static let mostRemembered = 1000
    /// How long an ID remains after its expiry, because a file with orders may still contain the order.
    private static let remembrance = Duration.seconds(7 * 86_400)
    /// This number of the newest IDs remains for `remembrance` beyond their expiry; older ones go at their expiry.
    private static let mostExpired = 500

    static func add(_ order: StoredOrder, to database: GRDB.Database) throws -> OrderAcceptance {
        let isKnown = try Bool.fetchOne(
            database, sql: "SELECT 1 FROM inbox WHERE target = ? AND id = ?", arguments: [order.target, order.id])
        guard isKnown == nil else { return .known }
        let waiting = try Int.fetchOne(
            database, sql: "SELECT COUNT(*) FROM inbox WHERE target = ? AND body IS NOT NULL",
            arguments: [order.target])
        guard waiting ?? 0 < mostWaiting else { return .full }
        let remembered = try Int.fetchOne(
            database, sql: "SELECT COUNT(*) FROM inbox WHERE target = ?", arguments: [order.target])
        if remembered ?? 0 >= mostRemembered {
            // trackerd makes the IDs without an expiry itself, so a server cannot send one again after its deletion.
            try database.execute(
                sql: """
                    DELETE FROM inbox WHERE key = (
                        SELECT MIN(key) FROM inbox WHERE target = ? AND body IS NULL AND expires_ms IS NULL)
                    """, arguments: [order.target])
            guard database.changesCount > 0 else { return .full }
        }
        try database.execute(
            sql: "INSERT INTO inbox (target, id, body, expires_ms) VALUES (?, ?, ?, ?)",
            arguments: [order.target, order.id, order.body, order.expires?.milliseconds])
        return .stored
    }

    /// The oldest first.
    static func waiting(excluding: [Int64], in database: GRDB.Database) throws -> [StoredOrder] {
        try Row.fetchAll(
            database,
            sql: "SELECT key, target, id, body, expires_ms FROM inbox WHERE body IS NOT NULL ORDER BY key"
        ).map { row in
            StoredOrder(
                key: row["key"], target: row["target"], id: row["id"], body: row["body"],
                expires: (row["expires_ms"] as Int64?).map(Timestamp.init(milliseconds:)))
        }.filter { !excluding.contains($0.key) }
    }

    /// If the clock is trusted, also removes the expired IDs that trackerd need not remember.
    static func settle(_ keys: [Int64], at reading: ClockReading, in database: GRDB.Database) throws {
        for key in keys {
            try database.execute(sql: "UPDATE inbox SET body = NULL WHERE key = ?", arguments: [key])
        }
        guard reading.isTrusted, !keys.isEmpty else { return }
        try database.execute(
            sql: """
                DELETE FROM inbox WHERE body IS NULL AND expires_ms < ?
                    AND (expires_ms < ? OR key <= (SELECT MAX(key) FROM inbox) - ?)
                """,
            arguments: [
                reading.time.milliseconds, (reading.time + (.zero - remembrance)).milliseconds, mostExpired,
            ])
    }
}

/// The transaction that settles a server's order also stores the regions that the order contains.
enum ServerRegionTable {
    /// An empty list removes the row.
    static func write(_ lists: [ServerRegions], into database: GRDB.Database) throws {
        for list in lists {
            try database.execute(sql: "DELETE FROM server_regions WHERE target = ?", arguments: [list.target])
            guard !list.regions.isEmpty else { continue }
            try database.execute(
                sql: "INSERT INTO server_regions (target, regions) VALUES (?, ?)",
                arguments: [list.target, String(decoding: try JSONEncoder().encode(list.regions), as: UTF8.self)])
        }
    }

    /// Returns the lists, ordered by the names of the targets, without those that this version cannot read.
    static func read(_ database: GRDB.Database) throws -> [ServerRegions] {
        try Row.fetchAll(database, sql: "SELECT target, regions FROM server_regions ORDER BY target").compactMap {
            row in
            let text: String = row["regions"]
            let regions = try? JSONDecoder().decode([Region].self, from: Data(text.utf8))
            return regions.map { ServerRegions(target: row["target"], regions: $0) }
        }
    }
}
