import GRDB

/// A table whose rows a salvage copies as they are: each table except those for records, kinds, the state, the boot and
/// salvages. Only pages below the table's root are read, because a page that SQLite no longer uses may contain an order
/// that was carried out long ago. A damaged page hides the pages below it.
struct CopiedTable {
    private enum Kind { case rowNumber, integer, text, sequence }

    let name: String
    /// The pages of a table without row numbers have another form.
    let hasRowNumbers: Bool
    /// The root of the table in a new file.
    let usualRoot: UInt32
    private let columns: [(name: String, kind: Kind, isOptional: Bool)]

    /// True for what targets have received; the salvage tries the usual root if the schema of the file states none.
    var isOfTargets: Bool { ["delivery", "ahead", "refused"].contains(name) }

    /// With fewer rows, the salvage ignores them; `removed` always has two.
    private var leastRows: Int { name == "removed" ? 2 : 1 }

    /// The tables of a new file, as its schema describes them.
    static func all(in database: GRDB.Database) throws -> [CopiedTable] {
        try Row.fetchAll(database, sql: "SELECT name, rootpage, sql FROM sqlite_master WHERE type = 'table'")
            .filter { !["record", "kind", "state", "progress", "boot", "salvage"].contains($0["name"] as String) }
            .map { try CopiedTable($0, in: database) }
    }

    private init(_ table: Row, in database: GRDB.Database) throws {
        (name, usualRoot) = (table["name"], table["rootpage"])
        let hasRowNumbers = !(table["sql"] as String).hasSuffix("WITHOUT ROWID")
        self.hasRowNumbers = hasRowNumbers
        columns = try Row.fetchAll(database, sql: "PRAGMA table_info(\(name))").map { column in
            let (name, type, isKey) = (column["name"] as String, column["type"] as String, (column["pk"] as Int) > 0)
            let kind: Kind =
                switch (type, name) {
                case ("INTEGER", _) where hasRowNumbers && isKey: .rowNumber
                // If a cursor were beyond all records, its target would receive no record.
                case ("INTEGER", "cursor"), ("INTEGER", "sequence"): .sequence
                case ("INTEGER", _): .integer
                default: .text
                }
            return (name, kind, kind == .rowNumber || !isKey && (column["notnull"] as Int) == 0)
        }
    }

    /// Returns the rows with the shape of this table; empty if there are fewer than `leastRows`.
    fileprivate func fitting(_ rows: [StoredRow]) -> [[StoredRow.Value]] {
        let found = rows.compactMap { row -> [StoredRow.Value]? in
            guard row.columns.count == columns.count,
                zip(row.columns, columns).allSatisfy({ Self.fits($0, $1.kind) || $0 == .null && $1.isOptional })
            else { return nil }
            // SQLite stores NULL in the column that is another name for the number of the row.
            return zip(row.columns, columns).map { $1.kind == .rowNumber ? .integer(row.rowID) : $0 }
        }
        return found.count >= leastRows ? found : []
    }

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
        case (.integer, .integer), (.text, .text): true
        case (.integer(let number), .sequence): RecordTable.numbers.contains(number)
        case (.null, _), (.integer, _), (.text, _), (.blob, _), (.real, _): false
        }
    }
}

/// Doubtful rows are left out: a wrong cursor would make a target miss records, but without a cursor the target
/// receives records again and can recognise them.
struct CopiedRows {
    let tables: [CopiedTable]
    private var rows: [String: [[StoredRow.Value]]] = [:]
    private var uncertain: Set<String> = []

    init(_ tables: [CopiedTable]) { self.tables = tables }

    var numbers: [Int64] {
        tables.filter(\.isOfTargets).flatMap { rows[$0.name] ?? [] }.compactMap(Self.number(of:))
    }

    /// If the salvage has found the rows at the usual root of the table, one row of another shape excludes all of them.
    mutating func add(_ found: [StoredRow], to table: CopiedTable, isCertain: Bool) {
        let fitting = table.fitting(found)
        rows[table.name] = fitting
        guard !isCertain else { return }
        uncertain.insert(table.name)
        if fitting.count < found.count { rows[table.name] = nil }
    }

    /// Removes the rows that may belong to another table, since `delivery` and `ahead` have rows of the same shape. A
    /// target has one cursor, and all its rows in `ahead` are above it. If one of the two tables has an uncertain root,
    /// its rows count only if those of the other table fit them.
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

    func insert(into database: GRDB.Database) throws {
        for table in tables { try table.insert(rows[table.name] ?? [], into: database) }
    }

    private static func number(of row: [StoredRow.Value]) -> Int64? {
        guard case .integer(let number) = row[1] else { return nil }
        return number
    }
}
