import FoundationEssentials
import GRDB
internal import Tracking

/// The regions that the targets' servers have sent last.
///
/// The transaction that settles an order of a server also replaces the regions in the order.
enum ServerRegionTable {
    /// Replaces the lists of these targets; an empty list removes the row.
    static func write(_ lists: [ServerRegions], into database: GRDB.Database) throws {
        for list in lists {
            try database.execute(sql: "DELETE FROM server_regions WHERE target = ?", arguments: [list.target])
            guard !list.regions.isEmpty else { continue }
            try database.execute(
                sql: "INSERT INTO server_regions (target, regions) VALUES (?, ?)",
                arguments: [list.target, String(decoding: try JSONEncoder().encode(list.regions), as: UTF8.self)])
        }
    }

    /// Returns all lists, ordered by the names of the targets; leaves out a list that this version cannot read.
    static func read(_ database: GRDB.Database) throws -> [ServerRegions] {
        try Row.fetchAll(database, sql: "SELECT target, regions FROM server_regions ORDER BY target").compactMap {
            row in
            let text: String = row["regions"]
            let regions = try? JSONDecoder().decode([Region].self, from: Data(text.utf8))
            return regions.map { ServerRegions(target: row["target"], regions: $0) }
        }
    }
}
