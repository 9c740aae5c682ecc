import CZlib
import FoundationEssentials
import GRDB
import Tracking

/// The JSON of the engine's components, by name, as the table `state` contains it.
typealias StateTexts = [String: String]

/// Writes the components that have changed to as few pages as possible. While the vehicle drives they have 1.1 KB of
/// JSON, whose rows would fill three pages of each commit. As long as what differs from the rows fits on one page, it
/// goes to `progress`, compressed with the rows as the dictionary: about 280 bytes.
struct StoredState {
    /// The rows on disk; empty if the program does not know them.
    private var rows: StateTexts = [:]
    /// The value of `rows` after the present transaction.
    private var newRows: StateTexts = [:]

    /// In bytes, with the names of the components; a longer change would not fit on one page.
    private static let longestChange = PageSize.bytes - 90

    /// Writes the state, and the highest number that any record has had; if there is no state, writes only the number.
    mutating func write(_ state: StateTexts?, lastSequence: Int64, into database: GRDB.Database) throws {
        newRows = rows
        guard let state else { return try Self.write(lastSequence: lastSequence, into: database) }
        let changed = state.filter { rows[$0.key] != $0.value }
        if let change = StateChange(to: changed, from: rows), change.size <= Self.longestChange {
            try database.cachedStatement(
                sql: """
                    INSERT OR REPLACE INTO progress (id, last_sequence, base, components, change)
                    VALUES (1, ?, ?, ?, ?)
                    """
            ).execute(arguments: [lastSequence, change.base, change.components, Data(change.bytes)])
            return
        }
        try Self.write(changed, into: database)
        newRows.merge(changed) { $1 }
        try database.cachedStatement(sql: "INSERT OR REPLACE INTO progress (id, last_sequence) VALUES (1, ?)")
            .execute(arguments: [lastSequence])
    }

    static func write(_ state: StateTexts, into database: GRDB.Database) throws {
        // An update leaves the index of the names unchanged.
        let write = try database.cachedStatement(
            sql: """
                INSERT INTO state (component, value) VALUES (:component, :value)
                ON CONFLICT (component) DO UPDATE SET value = :value
                """)
        for (component, value) in state.sorted(by: { $0.key < $1.key }) {
            try write.execute(arguments: ["component": component, "value": value])
        }
    }

    /// Does not change the state.
    static func write(lastSequence: Int64, into database: GRDB.Database) throws {
        try database.execute(
            sql: """
                INSERT INTO progress (id, last_sequence) VALUES (1, :last)
                ON CONFLICT (id) DO UPDATE SET last_sequence = :last
                """, arguments: ["last": lastSequence])
    }

    mutating func committed() { rows = newRows }

    /// Notes that the queue writes the state to another file from now on.
    mutating func fileChanged() { rows = [:] }

    /// Nil if there is no state on disk.
    static func read(_ database: GRDB.Database) throws -> StateTexts? {
        let rows = try Row.fetchAll(database, sql: "SELECT component, value FROM state")
            .map { ($0["component"] as String, $0["value"] as String) }
        let state = StateTexts(rows) { $1 }
        let change = try Row.fetchOne(
            database, sql: "SELECT base, components, change FROM progress WHERE change IS NOT NULL")
        guard !state.isEmpty, let change else { return state.isEmpty ? nil : state }
        let bytes = Array(change["change"] as Data)
        return StateChange(base: change["base"], components: change["components"], bytes: bytes).applied(to: state)
    }

    /// trackerd does not use a number again, even after it has removed the record.
    static func lastSequence(_ database: GRDB.Database) throws -> Int64 {
        try Int64.fetchOne(
            database,
            sql: """
                SELECT MAX(
                    COALESCE((SELECT MAX(sequence) FROM record), 0),
                    COALESCE((SELECT last_sequence FROM progress), 0))
                """) ?? 0
    }
}

/// The components that differ from their rows, compressed with these rows as the dictionary.
struct StateChange {
    /// The CRC-32 of the rows.
    let base: Int64
    /// The names of the components, separated by spaces.
    let components: String
    /// The texts of the components, separated by line breaks, as raw deflate (RFC 1951).
    let bytes: [UInt8]

    var size: Int { components.utf8.count + bytes.count }

    init(base: Int64, components: String, bytes: [UInt8]) {
        (self.base, self.components, self.bytes) = (base, components, bytes)
    }

    /// Nil if a component has no row, or if zlib fails.
    init?(to texts: StateTexts, from rows: StateTexts) {
        let names = texts.keys.sorted()
        guard names.allSatisfy({ rows[$0] != nil }) else { return nil }
        let dictionary = Self.join(names, of: rows)
        let text = Self.join(names, of: texts)
        // A text that zlib cannot compress grows by a few bytes per 16 KiB.
        let capacity = text.count + text.count / 1000 + 64
        bytes = Self.run(dictionary, text, capacity: capacity, by: czlib_shrink) ?? []
        guard !bytes.isEmpty else { return nil }
        (base, components) = (Self.checksum(dictionary), names.joined(separator: " "))
    }

    /// Returns the changed texts, or the rows themselves if the change refers to other rows or is damaged.
    func applied(to rows: StateTexts) -> StateTexts {
        let names = components.split(separator: " ").map(String.init)
        let dictionary = Self.join(names, of: rows)
        guard base == Self.checksum(dictionary), bytes.count <= PageSize.bytes,
            let text = Self.run(dictionary, bytes, capacity: Self.largestRatio * bytes.count, by: czlib_expand)
        else { return rows }
        let texts = text.split(separator: Self.separator, omittingEmptySubsequences: false)
        guard texts.count == names.count else { return rows }
        return rows.merging(zip(names, texts.map { String(decoding: $0, as: UTF8.self) })) { $1 }
    }

    /// The greatest ratio of a text to its compressed form (zlib.net/zlib_tech.html).
    private static let largestRatio = 1032
    /// JSON has a line break only as white space between values, which `SnapshotEncoder` never writes.
    private static let separator = UInt8(ascii: "\n")

    private static func join(_ names: [String], of texts: StateTexts) -> [UInt8] {
        Array(names.map { Array((texts[$0] ?? "").utf8) }.joined(separator: [separator]))
    }

    private static func checksum(_ text: [UInt8]) -> Int64 { Int64(crc32(0, text, uInt(text.count))) }

    /// Returns the output of a function of CZlib; nil if it fails.
    private static func run(
        _ dictionary: [UInt8], _ input: [UInt8], capacity: Int,
        by function: (czlib_dictionary, UnsafePointer<UInt8>?, Int, UnsafeMutablePointer<UInt8>?, Int) -> Int
    ) -> [UInt8]? {
        var made = 0
        let output = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
            made = dictionary.withUnsafeBufferPointer { dictionary in
                let dictionary = czlib_dictionary(bytes: dictionary.baseAddress, count: dictionary.count)
                return function(dictionary, input, input.count, buffer.baseAddress, capacity)
            }
            count = max(0, made)
        }
        return made >= 0 ? output : nil
    }
}

struct StateCoder {
    private let decoder = JSONDecoder()
    /// The state that was encoded last, and its texts.
    private var last: (state: EngineState, texts: StateTexts)?

    /// Encodes only the components that differ from the state that was encoded last; returns the texts of all.
    mutating func write(_ state: EngineState) -> StateTexts {
        var texts = last?.texts ?? [:]
        for component in EngineState.components {
            if let last, component.isSame(last.state, state) { continue }
            // Encoding fails only for a number that is not finite, and the core has no such numbers.
            texts[component.name] = (try? SnapshotEncoder.text(of: component.snapshot(state))) ?? "{}"
        }
        last = (state, texts)
        return texts
    }

    /// Resets the components whose text is not an object.
    func read(_ texts: StateTexts) -> EngineState.Restored {
        let isObject = { (text: String) in (try? decoder.decode([String: Ignored].self, from: Data(text.utf8))) != nil }
        let readable = texts.values.filter(isObject)
        // The fields of all components are on one level.
        let members = readable.map { $0.dropFirst().dropLast() }.filter { !$0.isEmpty }
        let text = "{" + members.joined(separator: ",") + "}"
        guard !readable.isEmpty, var restored = try? decoder.decode(EngineState.Restored.self, from: Data(text.utf8))
        else { return .nothing }
        restored.unreadable += texts.filter { !isObject($0.value) }.keys.sorted()
        return restored
    }

    private struct Ignored: Decodable { init(from decoder: any Decoder) {} }
}
