/// The rows of the tables `delivery`, `ahead` and `refused` that a salvage has found.
///
/// A wrong cursor would make a target miss records. Without a cursor, the target receives records again and can recognise them.
struct SmallTables {
    /// The tables, with their columns in the order of the rows.
    static let columns = [
        ("delivery", ["target", "cursor"]), ("ahead", ["target", "sequence"]),
        ("refused", ["target", "sequence", "reason", "is_due"]),
    ]

    private var rows: [String: [[StoredRow.Value]]] = [:]
    private var uncertain: Set<String> = []

    subscript(table: String) -> [[StoredRow.Value]] { rows[table] ?? [] }

    var numbers: [Int64] { rows.values.joined().compactMap(Self.number) }

    /// Adds the rows of a table, except rows of another shape.
    ///
    /// `isCertain` is false if the salvage has found the rows at the usual root of the table, because the schema does
    /// not state the root. Then one row of another shape excludes all rows, because the root may belong to another
    /// table.
    mutating func add(_ found: [[StoredRow.Value]], to table: String, isCertain: Bool) {
        let fitting = found.filter { Self.fits($0, table) }
        rows[table] = fitting
        guard !isCertain else { return }
        uncertain.insert(table)
        if fitting.count < found.count { rows[table] = nil }
    }

    /// Removes the rows that may belong to another table.
    ///
    /// A target has one cursor, and all its rows in `ahead` are above this cursor. `delivery` and `ahead` have rows of the same
    /// shape. If one of the two tables has an uncertain root, the salvage therefore uses its rows only if the rows of the other
    /// table fit them.
    mutating func check() {
        guard !uncertain.isDisjoint(with: ["delivery", "ahead"]) else { return }
        var cursors: [StoredRow.Value: Int64] = [:]
        for row in self["delivery"] where cursors.updateValue(Self.number(row) ?? 0, forKey: row[0]) != nil {
            return drop()
        }
        guard rows["delivery"] != nil, rows["ahead"] != nil,
            self["ahead"].allSatisfy({ row in cursors[row[0]].map { $0 < Self.number(row) ?? 0 } ?? false })
        else { return drop() }
    }

    private mutating func drop() { for table in uncertain { rows[table] = nil } }

    private static func fits(_ row: [StoredRow.Value], _ table: String) -> Bool {
        guard row.count >= 2, case .text = row[0], number(row) != nil else { return false }
        guard table == "refused" else { return row.count == 2 }
        guard (3...4).contains(row.count), case .text = row[2] else { return false }
        return true
    }

    /// Returns the number of the record in a row; nil if no record can have this number.
    ///
    /// If a cursor were beyond all records, its target would receive no record.
    private static func number(_ row: [StoredRow.Value]) -> Int64? {
        guard case .integer(let number) = row[1], RecordTable.numbers.contains(number) else { return nil }
        return number
    }
}
