import GRDB
import Tracking

/// The contents of a damaged file, from every page, even those to which no other page refers. Records and states are
/// recognised by their shape. The other tables (`CopiedTable`), some of which have rows of the same shape, are read
/// from their roots in the schema of the file, because VACUUM moves them.
struct Salvage {
    /// Where the newest image of a record is.
    struct Place: Sendable {
        let sequence: Int64
        let image: Int32
        let offset: Int32
    }

    private(set) var records: [Place] = []
    private(set) var state: StateTexts = [:]
    private(set) var lastSequence: Int64 = 0
    private var change: StateChange?
    private(set) var unfinished: [(path: String, through: Int64)] = []
    private(set) var copied: CopiedRows
    /// The roots of the tables, as the schema of the file states them.
    private var roots: [String: UInt32] = [:]

    init(_ images: borrowing PageImages, copying tables: [CopiedTable] = [], isCancelled: () -> Bool) {
        copied = CopiedRows(tables)
        for row in Self.rows(ofTree: 1, in: images, isTable: true) { noteRoot(row.columns) }
        for table in tables where !table.isOfTargets {
            guard let root = roots[table.name] else { continue }
            copied.add(
                Self.rows(ofTree: root, in: images, isTable: table.hasRowNumbers), to: table, isCertain: true)
        }
        var newest: [Int64: Place] = [:]
        // A later image of a record replaces an earlier one, so the images with a wrong checksum come first.
        let damaged = (0..<images.count).filter { !images.isIntact($0) }
        for index in damaged + (0..<images.count).filter({ images.isIntact($0) }) where !isCancelled() {
            guard let page = images.image(index),
                let (kind, offsets) = StoredRow.cells(of: page, isFirst: index == 0), kind == .tableLeaf
            else { continue }
            for offset in offsets {
                guard let row = Self.row(in: page, at: offset, kind: kind, of: images) else { continue }
                if images.isIntact(index) { note(row) }
                guard row.isRecord else { continue }
                newest[row.rowID] = Place(sequence: row.rowID, image: Int32(index), offset: Int32(offset))
            }
        }
        records = newest.values.sorted { $0.sequence < $1.sequence }
        lastSequence = max(lastSequence, records.last?.sequence ?? 0)
        // A page that SQLite no longer uses may contain an older row, so the rows of the tree come last.
        if let root = roots["state"] {
            for row in Self.rows(ofTree: root, in: images, isTable: true) { noteState(row) }
        }
        if let change { state = change.applied(to: state) }
        for table in tables where table.isOfTargets {
            let root = roots[table.name]
            copied.add(Self.rows(ofTree: root ?? table.usualRoot, in: images), to: table, isCertain: root != nil)
        }
        copied.check()
        for number in copied.numbers { raise(to: number) }
    }

    static func record(at place: Place, in images: borrowing PageImages) -> StoredRow? {
        images.image(Int(place.image)).flatMap {
            row(in: $0, at: Int(place.offset), kind: .tableLeaf, of: images)
        }
    }

    /// The number on the page of the table `progress`; nil for other pages.
    static func lastSequence(on page: [UInt8]) -> Int64? {
        guard let (kind, offsets) = StoredRow.cells(of: page, isFirst: false), kind == .tableLeaf, offsets.count == 1
        else { return nil }
        return StoredRow(page, at: offsets[0], kind: kind, overflow: { _ in nil })?.progress
    }

    /// Notes the root in a row of the schema; of several images of a row, the last one counts.
    private mutating func noteRoot(_ columns: [StoredRow.Value]) {
        guard columns.count == 5, columns[0] == .text("table"), case .text(let name) = columns[1],
            case .integer(let number) = columns[3], let root = UInt32(exactly: number), root > 1
        else { return }
        roots[name] = root
    }

    private mutating func note(_ row: StoredRow) {
        switch (row.columns.count, row.columns.first, row.columns.last) {
        case (2, .text, .text): noteState(row)
        case (2, .text(let path), .integer(let through)) where path.contains(DamagedFile.mark):
            unfinished.removeAll { $0.path == path }
            unfinished.append((path, through))
        case (5, .null, let last):
            guard let number = row.progress else { return }
            raise(to: number)
            change = nil
            guard
                case (.integer(let base), .text(let components), .blob(let bytes)) =
                    (row.columns[2], row.columns[3], last)
            else { return }
            change = StateChange(base: base, components: components, bytes: bytes)
        case (5, .text("table"), _): noteRoot(row.columns)
        default: break
        }
    }

    private mutating func noteState(_ row: StoredRow) {
        guard row.columns.count == 2, case (.text(let name), .text(let text)) = (row.columns[0], row.columns[1]),
            EngineState.components.contains(where: { $0.name == name })
        else { return }
        state[name] = text
    }

    /// Ignores a number that is too high for any queue.
    private mutating func raise(to number: Int64) {
        if RecordTable.numbers.contains(number) { lastSequence = max(lastSequence, number) }
    }

    private static func row(
        in page: [UInt8], at offset: Int, kind: StoredRow.PageKind, of images: borrowing PageImages
    ) -> StoredRow? {
        // A closure cannot capture a borrowed value. The loop therefore reads each missing overflow page, and decodes the row
        // again. Few rows have overflow pages.
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

    /// An unreadable page hides the pages below it.
    private static func rows(
        ofTree root: UInt32, in images: borrowing PageImages, isTable: Bool = false
    ) -> [StoredRow] {
        let (leaf, interior): (StoredRow.PageKind, StoredRow.PageKind) =
            isTable ? (.tableLeaf, .tableInterior) : (.indexLeaf, .indexInterior)
        var rows: [StoredRow] = []
        var seen: Set<UInt32> = []
        var waiting = [root]
        while let number = waiting.popLast() {
            guard seen.insert(number).inserted, let page = images.page(number),
                let (kind, offsets) = StoredRow.cells(of: page, isFirst: number == 1),
                kind == leaf || kind == interior
            else { continue }
            if kind == interior { waiting.append(StoredRow.child(in: page, at: number == 1 ? 108 : 8) ?? root) }
            for offset in offsets {
                if kind == interior { waiting.append(StoredRow.child(in: page, at: offset) ?? root) }
                if let row = row(in: page, at: offset, kind: kind, of: images) { rows.append(row) }
            }
        }
        return rows
    }
}

extension StoredRow {
    /// Nil for a row of another table.
    fileprivate var progress: Int64? {
        guard rowID == 1, columns.count == 5, columns[0] == .null, case .integer(let number) = columns[1],
            RecordTable.numbers.contains(number)
        else { return nil }
        return switch (columns[2], columns[3], columns[4]) {
        case (.null, .null, .null), (.integer, .text, .blob): number
        default: nil
        }
    }

    fileprivate var isRecord: Bool {
        guard RecordTable.numbers.contains(rowID), rowID > 0, columns.count == RecordTable.columns.count,
            columns[0] == .null
        else { return false }
        let stored = recordValues
        return RecordTable.values { stored[$0] }.map { RecordKinds.kind($0.kind) != nil } ?? false
    }

    /// SQLite stores NULL in the column that is another name for the number of the row.
    var recordValues: [DatabaseValue] { [rowID.databaseValue] + columns.dropFirst().map(\.databaseValue) }
}

/// Finds damage in the log because of which SQLite would ignore later commits without an error (`LogFrames`).
enum LogCheck {
    /// Throws if the log contains commits that were on stable storage and that SQLite would not read. Call it before
    /// SQLite opens the file, because the next commit overwrites these frames. There must be no connection to the file,
    /// because closing a file releases all locks that SQLite has on it in this program (fcntl(2)). A power cut leaves
    /// such frames too, but no commit with a higher record number after them, because the queue writes that one only
    /// once the earlier one is durable. Therefore the loss of the last commit alone is not detected.
    static func check(_ path: String) throws(StoreError) {
        guard let images = PageImages(path: path), ignoresCommits(images) else { return }
        // If another program has begun the log again in the meantime, the frames come from two generations.
        guard let again = PageImages(path: path), ignoresCommits(again) else { return }
        let message = "the write-ahead log is damaged before later commits"
        throw StoreError(DatabaseError(resultCode: .SQLITE_CORRUPT, message: message), path: path, doing: .open)
    }

    private static func ignoresCommits(_ images: borrowing PageImages) -> Bool {
        var lowest: Int64?
        for index in images.ignored where images.isIntact(index) {
            guard let number = images.image(index).flatMap({ Salvage.lastSequence(on: $0) }) else { continue }
            if let lowest, number > lowest { return true }
            lowest = min(lowest ?? number, number)
        }
        return false
    }
}
