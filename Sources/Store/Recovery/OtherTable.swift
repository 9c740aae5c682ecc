import GRDB

/// A table whose rows a salvage copies as they are: orders and regions of servers, names of trips, decisions, and counts.
///
/// The salvage reads such a table only from the root that the schema of the damaged file states. It reads no pages that SQLite no
/// longer uses, because an order on such a page was carried out long ago. A damaged page hides the pages below it.
struct OtherTable {
    private enum Kind { case rowNumber, integer, integerOrNull, text, textOrNull }

    let name: String
    private let kinds: [Kind]
    private let sql: String
    /// The number of rows without which the other rows have no meaning.
    private let leastRows: Int
    /// Whether the table has row numbers, which determines the form of its pages.
    let hasRowNumbers: Bool

    static let all = [
        OtherTable(
            "inbox", [.rowNumber, .text, .text, .textOrNull, .integerOrNull],
            "INSERT OR IGNORE INTO inbox (key, target, id, body, expires_ms) VALUES (?, ?, ?, ?, ?)"),
        OtherTable(
            "trip_name", [.rowNumber, .text], "INSERT OR IGNORE INTO trip_name (number, name) VALUES (?, ?)"),
        OtherTable(
            "decision", [.rowNumber, .text, .integer, .integer, .integer, .text, .text, .integer],
            """
            INSERT OR IGNORE INTO decision (id, boot, since_boot_ms, time_ms, is_trusted, subject, text, count)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """),
        OtherTable(
            "traffic", [.text, .text, .integer],
            "INSERT OR IGNORE INTO traffic (target, month, bytes) VALUES (?, ?, ?)", hasRowNumbers: false),
        OtherTable(
            "server_regions", [.text, .text], "INSERT OR REPLACE INTO server_regions (target, regions) VALUES (?, ?)",
            hasRowNumbers: false),
        // The counts of all removed records, and of the removed records that a record has reported.
        OtherTable(
            "removed", [.text, .integer, .integer, .integer, .integer],
            "INSERT OR REPLACE INTO removed (row, delivered, thinned, locations, events) VALUES (?, ?, ?, ?, ?)",
            leastRows: 2, hasRowNumbers: false),
        OtherTable("thinning", [.integer], "UPDATE thinning SET through = ?"),
    ]

    private init(_ name: String, _ kinds: [Kind], _ sql: String, leastRows: Int = 1, hasRowNumbers: Bool = true) {
        (self.name, self.kinds, self.sql) = (name, kinds, sql)
        (self.leastRows, self.hasRowNumbers) = (leastRows, hasRowNumbers)
    }

    /// Returns the values of the rows that have the shape of this table; empty if too few have it.
    func fitting(_ rows: [StoredRow]) -> [[StoredRow.Value]] {
        let found = rows.compactMap { row -> [StoredRow.Value]? in
            guard row.columns.count == kinds.count, zip(row.columns, kinds).allSatisfy(Self.fits) else { return nil }
            // SQLite stores NULL in the column that is another name for the number of the row.
            return zip(row.columns, kinds).map { $1 == .rowNumber ? .integer(row.rowID) : $0 }
        }
        return found.count >= leastRows ? found : []
    }

    /// Inserts rows into the new file.
    func insert(_ rows: [[StoredRow.Value]], into database: GRDB.Database) throws {
        for row in rows {
            try database.cachedStatement(sql: sql).execute(arguments: StatementArguments(row.map(\.databaseValue)))
        }
    }

    private static func fits(_ value: StoredRow.Value, _ kind: Kind) -> Bool {
        switch (value, kind) {
        case (.null, .rowNumber), (.null, .integerOrNull), (.null, .textOrNull): true
        case (.integer, .integer), (.integer, .integerOrNull): true
        case (.text, .text), (.text, .textOrNull): true
        case (.null, .integer), (.null, .text), (.integer, .rowNumber), (.integer, .text), (.integer, .textOrNull),
            (.text, .rowNumber), (.text, .integer), (.text, .integerOrNull), (.blob, _), (.real, _):
            false
        }
    }
}
