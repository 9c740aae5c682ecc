/// A row as SQLite stores it, decoded from a page that may be damaged in any way. File format:
/// https://sqlite.org/fileformat2.html, sections 1.6 (cells and overflow) and 2.1 (record format).
struct StoredRow {
    enum Value: Hashable {
        case null
        case integer(Int64)
        case real(Double)
        case text(String)
        case blob([UInt8])
    }

    enum PageKind: UInt8 {
        case indexInterior = 0x02
        case tableInterior = 0x05
        case indexLeaf = 0x0A
        case tableLeaf = 0x0D
    }

    /// The number of the row; 0 in a table without row numbers.
    let rowID: Int64
    let columns: [Value]

    /// Nil if the bytes are not a page of a table or an index.
    static func cells(of page: [UInt8], isFirst: Bool) -> (kind: PageKind, offsets: [Int])? {
        let head = isFirst ? 100 : 0
        guard page.count >= 512, let kind = PageKind(rawValue: page[head]) else { return nil }
        let count = Int(page[head + 3]) << 8 | Int(page[head + 4])
        let first = head + (kind == .tableLeaf || kind == .indexLeaf ? 8 : 12)
        guard first + 2 * count <= page.count else { return nil }
        let offsets = (0..<count).map { Int(page[first + 2 * $0]) << 8 | Int(page[first + 2 * $0 + 1]) }
        return (kind, offsets)
    }

    /// The number of a child page, or of the next overflow page.
    static func child(in page: [UInt8], at offset: Int) -> UInt32? {
        guard offset + 4 <= page.count else { return nil }
        return page[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// Nil if the bytes are not a row.
    init?(_ page: [UInt8], at offset: Int, kind: PageKind, overflow: (UInt32) -> [UInt8]?) {
        var reader = ByteReader(page, at: kind == .indexInterior ? offset + 4 : offset)
        guard kind != .tableInterior, let size = reader.varint(), (2...Self.largest).contains(size) else { return nil }
        var rowID: Int64 = 0
        if kind == .tableLeaf {
            guard let number = reader.varint() else { return nil }
            rowID = number
        }
        guard
            let payload = Self.payload(
                page, at: reader.position, count: Int(size), isTable: kind == .tableLeaf, overflow: overflow),
            let columns = Self.columns(payload)
        else { return nil }
        (self.rowID, self.columns) = (rowID, columns)
    }

    /// A state with thousands of waypoints is far smaller, but damaged bytes may state any length.
    private static let largest: Int64 = 16 << 20

    private static func payload(
        _ page: [UInt8], at start: Int, count: Int, isTable: Bool, overflow: (UInt32) -> [UInt8]?
    ) -> [UInt8]? {
        let usable = page.count
        let most = isTable ? usable - 35 : (usable - 12) * 64 / 255 - 23
        let least = (usable - 12) * 32 / 255 - 23
        let rest = least + (count - least) % (usable - 4)
        let local = count <= most ? count : rest <= most ? rest : least
        guard start >= 0, start + local <= page.count else { return nil }
        var bytes = Array(page[start..<start + local])
        guard local < count else { return bytes }
        var next = child(in: page, at: start + local) ?? 0
        while bytes.count < count, next != 0 {
            guard let more = overflow(next), let following = child(in: more, at: 0) else { return nil }
            bytes += more[4..<min(more.count, 4 + count - bytes.count)]
            next = following
        }
        return bytes.count == count ? bytes : nil
    }

    private static func columns(_ payload: [UInt8]) -> [Value]? {
        var header = ByteReader(payload, at: 0)
        guard let size = header.varint(), size >= 1, size <= payload.count else { return nil }
        var body = ByteReader(payload, at: Int(size))
        var columns: [Value] = []
        while header.position < Int(size) {
            guard let type = header.varint(), let value = body.value(ofType: type) else { return nil }
            columns.append(value)
        }
        return header.position == Int(size) && body.position == payload.count ? columns : nil
    }
}

private struct ByteReader {
    private let bytes: [UInt8]
    private(set) var position: Int

    init(_ bytes: [UInt8], at position: Int) {
        self.bytes = bytes
        self.position = position
    }

    /// Reads one to nine bytes: eight bits from a ninth byte, and seven bits from each other byte.
    mutating func varint() -> Int64? {
        var value: UInt64 = 0
        for index in 0..<9 {
            guard position < bytes.count else { return nil }
            let byte = bytes[position]
            position += 1
            if index == 8 { return Int64(bitPattern: value << 8 | UInt64(byte)) }
            value = value << 7 | UInt64(byte & 0x7F)
            if byte < 0x80 { return Int64(bitPattern: value) }
        }
        return nil
    }

    /// `type` is SQLite's serial type, which includes the length.
    mutating func value(ofType type: Int64) -> StoredRow.Value? {
        switch type {
        case 0: return .null
        case 1...4: return integer(of: Int(type))
        case 5: return integer(of: 6)
        case 6: return integer(of: 8)
        case 7: return take(8).map { .real(Double(bitPattern: $0.reduce(0) { $0 << 8 | UInt64($1) })) }
        case 8: return .integer(0)
        case 9: return .integer(1)
        case 12...: break
        default: return nil
        }
        guard let content = take((type - 12) / 2) else { return nil }
        guard !type.isMultiple(of: 2) else { return .blob(Array(content)) }
        return String(validating: content, as: UTF8.self).map { .text($0) }
    }

    private mutating func integer(of count: Int) -> StoredRow.Value? {
        take(Int64(count)).map { content in
            let isNegative = (content.first ?? 0) >= 0x80
            return .integer(content.reduce(isNegative ? -1 : 0) { $0 << 8 | Int64($1) })
        }
    }

    private mutating func take(_ count: Int64) -> ArraySlice<UInt8>? {
        guard count >= 0, count <= bytes.count - position, position <= bytes.count else { return nil }
        defer { position += Int(count) }
        return bytes[position..<position + Int(count)]
    }
}
