import GRDB

/// A table whose rows a salvage copies as they are: all tables but those of records, state and salvages.
///
/// The salvage reads such a table only from its root. It reads no pages that SQLite no longer uses, because an order on such a page
/// was carried out long ago. A damaged page hides the pages below it.
struct CopiedTable: Sendable {
    private enum Kind { case rowNumber, integer, integerOrNull, text, textOrNull, sequence }

    let name: String
    /// Whether the table has row numbers, which determines the form of its pages.
    let hasRowNumbers: Bool
    /// Whether the table states what targets have received.
    ///
    /// The salvage tries the usual root of such a table if the schema of the file does not state its root.
    let isOfTargets: Bool
    private let columns: [(name: String, kind: Kind)]
    /// The number of rows without which the other rows have no meaning.
    private let leastRows: Int

    static let all = [
        CopiedTable("delivery", [("target", .text), ("cursor", .sequence)], hasRowNumbers: false, isOfTargets: true),
        CopiedTable("ahead", [("target", .text), ("sequence", .sequence)], hasRowNumbers: false, isOfTargets: true),
        CopiedTable(
            "refused", [("target", .text), ("sequence", .sequence), ("reason", .text), ("is_due", .integer)],
            hasRowNumbers: false, isOfTargets: true),
        CopiedTable(
            "inbox",
            [
                ("key", .rowNumber), ("target", .text), ("id", .text), ("body", .textOrNull),
                ("expires_ms", .integerOrNull),
            ]),
        CopiedTable("trip_name", [("number", .rowNumber), ("name", .text)]),
        CopiedTable(
            "decision",
            [
                ("id", .rowNumber), ("boot", .text), ("since_boot_ms", .integer), ("time_ms", .integer),
                ("is_trusted", .integer), ("subject", .text), ("text", .text), ("count", .integer),
            ]),
        CopiedTable("traffic", [("target", .text), ("month", .text), ("bytes", .integer)], hasRowNumbers: false),
        CopiedTable("server_regions", [("target", .text), ("regions", .text)], hasRowNumbers: false),
        // The counts of all removed records, and of the removed records that a record has reported.
        CopiedTable(
            "removed",
            [
                ("row", .text), ("delivered", .integer), ("thinned", .integer), ("locations", .integer),
                ("events", .integer),
            ], leastRows: 2, hasRowNumbers: false),
        CopiedTable("thinning", [("through", .integer)]),
    ]

    private init(
        _ name: String, _ columns: [(name: String, kind: Kind)], leastRows: Int = 1, hasRowNumbers: Bool = true,
        isOfTargets: Bool = false
    ) {
        (self.name, self.columns, self.leastRows) = (name, columns, leastRows)
        (self.hasRowNumbers, self.isOfTargets) = (hasRowNumbers, isOfTargets)
    }

    /// Returns the values of the rows that have the shape of this table; empty if too few have it.
    fileprivate func fitting(_ rows: [StoredRow]) -> [[StoredRow.Value]] {
        let found = rows.compactMap { row -> [StoredRow.Value]? in
            guard row.columns.count == columns.count,
                zip(row.columns, columns).allSatisfy({ Self.fits($0, $1.kind) })
            else { return nil }
            // SQLite stores NULL in the column that is another name for the number of the row.
            return zip(row.columns, columns).map { $1.kind == .rowNumber ? .integer(row.rowID) : $0 }
        }
        return found.count >= leastRows ? found : []
    }

    /// Writes rows into a new file.
    fileprivate func insert(_ rows: [[StoredRow.Value]], into database: GRDB.Database) throws {
        let marks = repeatElement("?", count: columns.count).joined(separator: ", ")
        // A new file contains one row of this table, which has no key.
        let sql =
            name == "thinning"
            ? "UPDATE thinning SET through = ?"
            : "INSERT OR REPLACE INTO \(name) (\(columns.map(\.name).joined(separator: ", "))) VALUES (\(marks))"
        for row in rows {
            try database.cachedStatement(sql: sql).execute(arguments: StatementArguments(row.map(\.databaseValue)))
        }
    }

    private static func fits(_ value: StoredRow.Value, _ kind: Kind) -> Bool {
        switch (value, kind) {
        case (.null, .rowNumber), (.null, .integerOrNull), (.null, .textOrNull): true
        case (.integer, .integer), (.integer, .integerOrNull): true
        // If a cursor were beyond all records, its target would receive no record.
        case (.integer(let number), .sequence): RecordTable.numbers.contains(number)
        case (.text, .text), (.text, .textOrNull): true
        case (.null, _), (.integer, _), (.text, _), (.blob, _), (.real, _): false
        }
    }
}

/// The rows of the copied tables that a salvage has found.
///
/// A wrong cursor would make a target miss records. Without a cursor, the target receives records again and can recognise them.
struct CopiedRows {
    private var rows: [String: [[StoredRow.Value]]] = [:]
    private var uncertain: Set<String> = []

    /// The numbers of records in the tables about targets.
    var numbers: [Int64] {
        CopiedTable.all.filter(\.isOfTargets).flatMap { rows[$0.name] ?? [] }.compactMap(Self.number(of:))
    }

    /// Adds the rows of a table, except rows of another shape.
    ///
    /// `isCertain` is false if the salvage has found the rows at the usual root of the table, because the schema does
    /// not state the root. Then one row of another shape excludes all rows, because the root may belong to another
    /// table.
    mutating func add(_ found: [StoredRow], to table: CopiedTable, isCertain: Bool) {
        let fitting = table.fitting(found)
        rows[table.name] = fitting
        guard !isCertain else { return }
        uncertain.insert(table.name)
        if fitting.count < found.count { rows[table.name] = nil }
    }

    /// Removes the rows that may belong to another table.
    ///
    /// A target has one cursor, and all its rows in `ahead` are above this cursor. `delivery` and `ahead` have rows of the same
    /// shape. If one of the two tables has an uncertain root, the salvage therefore uses its rows only if the rows of the other
    /// table fit them.
    mutating func check() {
        guard !uncertain.isDisjoint(with: ["delivery", "ahead"]) else { return }
        var cursors: [StoredRow.Value: Int64] = [:]
        for row in rows["delivery"] ?? []
        where cursors.updateValue(Self.number(of: row) ?? 0, forKey: row[0]) != nil {
            return drop()
        }
        guard rows["delivery"] != nil, let ahead = rows["ahead"],
            ahead.allSatisfy({ row in cursors[row[0]].map { $0 < Self.number(of: row) ?? 0 } ?? false })
        else { return drop() }
    }

    private mutating func drop() { for table in uncertain { rows[table] = nil } }

    /// Writes all rows into a new file.
    func insert(into database: GRDB.Database) throws {
        for table in CopiedTable.all { try table.insert(rows[table.name] ?? [], into: database) }
    }

    private static func number(of row: [StoredRow.Value]) -> Int64? {
        guard case .integer(let number) = row[1] else { return nil }
        return number
    }
}
