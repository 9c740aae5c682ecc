import GRDB

/// What a damaged file still holds: found by reading every page, whether or not anything points to it.
///
/// Rows of tables with row numbers are known by their shape. Those of the small tables without (cursors and the like) look
/// alike, so they are read from the roots of their tables, which lie where they lie in every file that trackerd makes.
struct Salvage {
    /// Where the newest image of a record is.
    struct Place: Sendable {
        let sequence: Int64
        let image: Int32
        let offset: Int32
    }

    /// The records, in order of their sequence.
    private(set) var records: [Place] = []
    /// The state of the engine.
    private(set) var state: String?
    /// The highest number that a record has had.
    private(set) var lastSequence: Int64 = 0
    /// Files whose salvage had not ended, and how far it was.
    private(set) var unfinished: [(path: String, through: Int64)] = []
    /// Rows of the tables `delivery`, `ahead` and `refused`.
    private(set) var small: [String: [[StoredRow.Value]]] = [:]

    /// Reads all pages; stops early when `isCancelled` says so.
    init(_ images: borrowing PageImages, roots: [String: UInt32], isCancelled: () -> Bool = { false }) {
        var newest: [Int64: Place] = [:]
        for index in 0..<images.count where !isCancelled() {
            guard let page = images.image(index),
                let (kind, offsets) = StoredRow.cells(of: page, isFirst: index == 0), kind == .tableLeaf
            else { continue }
            for offset in offsets {
                guard let row = Self.row(in: page, at: offset, kind: kind, of: images) else { continue }
                note(row)
                guard row.isRecord else { continue }
                newest[row.rowID] = Place(sequence: row.rowID, image: Int32(index), offset: Int32(offset))
            }
        }
        records = newest.values.sorted { $0.sequence < $1.sequence }
        lastSequence = max(lastSequence, records.last?.sequence ?? 0)
        for (table, root) in roots { small[table] = Self.rows(ofTree: root, in: images) }
        for row in small.values.joined() {
            if row.count >= 2, case .integer(let number) = row[1] { lastSequence = max(lastSequence, number) }
        }
    }

    /// The record at a place; `nil` if the disk does not give it any more.
    static func record(at place: Place, in images: borrowing PageImages) -> StoredRow? {
        images.image(Int(place.image)).flatMap {
            row(in: $0, at: Int(place.offset), kind: .tableLeaf, of: images)
        }
    }

    private mutating func note(_ row: StoredRow) {
        switch (row.columns.count, row.columns.first, row.columns.last) {
        case (2, .null, .text(let text)) where row.rowID == 1 && text.hasPrefix("{"): state = text
        case (2, .text("record"), .integer(let number)): lastSequence = max(lastSequence, number)
        case (2, .text(let path), .integer(let through)) where path.contains(DamagedFile.mark):
            unfinished.removeAll { $0.path == path }
            unfinished.append((path, through))
        default: break
        }
    }

    private static func row(
        in page: [UInt8], at offset: Int, kind: StoredRow.PageKind, of images: borrowing PageImages
    ) -> StoredRow? {
        // A borrowed value cannot be captured: what overflows is fetched ahead, which hardly any row needs.
        var needed: [UInt32: [UInt8]] = [:]
        while true {
            var missing: UInt32?
            let row = StoredRow(page, at: offset, kind: kind) { number in
                if let page = needed[number] { return page }
                missing = number
                return nil
            }
            guard row == nil, let number = missing, let more = images.page(number) else { return row }
            needed[number] = more
        }
    }

    /// The rows of a table without row numbers, from its root downwards; a page that cannot be read hides those below it.
    private static func rows(ofTree root: UInt32, in images: borrowing PageImages) -> [[StoredRow.Value]] {
        var rows: [[StoredRow.Value]] = []
        var seen: Set<UInt32> = []
        var waiting = [root]
        while let number = waiting.popLast() {
            guard seen.insert(number).inserted, let page = images.page(number),
                let (kind, offsets) = StoredRow.cells(of: page, isFirst: number == 1),
                kind == .indexLeaf || kind == .indexInterior
            else { continue }
            if kind == .indexInterior { waiting.append(StoredRow.child(in: page, at: 8) ?? root) }
            for offset in offsets {
                if kind == .indexInterior { waiting.append(StoredRow.child(in: page, at: offset) ?? root) }
                if let row = row(in: page, at: offset, kind: kind, of: images) { rows.append(row.columns) }
            }
        }
        return rows
    }
}

extension StoredRow {
    /// Whether it has the shape of a row of the table `record`: a UUID, a kind, two dates and a body, and more.
    fileprivate var isRecord: Bool {
        guard rowID > 0, columns.count >= 6, columns[0] == .null, case .text(let uuid) = columns[1],
            case .text = columns[2], case .integer = columns[3], case .integer = columns[4],
            case .text(let body) = columns[5]
        else { return false }
        return uuid.utf8.count == 36 && body.utf8.first == UInt8(ascii: "{")
    }
}
