import FoundationEssentials
import GRDB
import Tracking

/// Writes the engine's state to as few pages as possible: usually a change that fits on one page, and rarely the whole state.
struct StoredState {
    /// The state in the table `engine`, to which changes refer; nil if the program does not know it.
    private var base: String?
    /// The value of `base` after the present transaction; nil if the transaction does not change it.
    private var newBase: String?

    /// The maximum size of a change; a longer change would not fit on one page together with the other columns.
    private static let longestChange = PageSize.bytes - 90

    /// Writes the state, and the highest number that any record has had; if there is no state, writes only the number.
    mutating func write(_ state: String?, lastSequence: Int64, into database: GRDB.Database) throws {
        newBase = nil
        guard let state else {
            try Self.write(lastSequence: lastSequence, into: database)
            return
        }
        var change: Data?
        if let base, let bytes = StateChange.bytes(from: base, to: state), bytes.count <= Self.longestChange {
            change = Data(bytes)
        } else {
            try database.cachedStatement(sql: "INSERT OR REPLACE INTO engine (id, state) VALUES (1, ?)")
                .execute(arguments: [state])
            newBase = state
        }
        let sum = ShortText.checksum(Array((newBase ?? base ?? "").utf8))
        try database.cachedStatement(
            sql: "INSERT OR REPLACE INTO progress (id, last_sequence, base, change) VALUES (1, ?, ?, ?)"
        ).execute(arguments: [lastSequence, sum, change])
    }

    /// Writes the highest number that any record has had, but does not change the state.
    static func write(lastSequence: Int64, into database: GRDB.Database) throws {
        try database.execute(
            sql: """
                INSERT INTO progress (id, last_sequence, base) VALUES (1, :last, 0)
                ON CONFLICT (id) DO UPDATE SET last_sequence = :last
                """, arguments: ["last": lastSequence])
    }

    /// Notes that the transaction has succeeded.
    mutating func committed() {
        base = newBase ?? base
        newBase = nil
    }

    /// Notes that the queue writes the state to another file from now on.
    mutating func fileChanged() { (base, newBase) = (nil, nil) }

    /// Returns the state on disk; nil if there is none.
    static func read(_ database: GRDB.Database) throws -> String? {
        guard let base = try String.fetchOne(database, sql: "SELECT state FROM engine WHERE id = 1") else { return nil }
        let row = try Row.fetchOne(database, sql: "SELECT base, change FROM progress WHERE id = 1")
        guard let row, let change = row["change"] as Data? else { return base }
        return text(change: Array(change), sum: row["base"], on: base)
    }

    /// Returns the highest number that any record has had.
    ///
    /// trackerd does not use a number again, even after it has removed the record with this number.
    static func lastSequence(_ database: GRDB.Database) throws -> Int64 {
        try Int64.fetchOne(
            database,
            sql: """
                SELECT MAX(
                    COALESCE((SELECT MAX(sequence) FROM record), 0),
                    COALESCE((SELECT last_sequence FROM progress), 0))
                """) ?? 0
    }

    /// Returns the state after a change; returns the base itself if the change refers to another base.
    static func text(change: [UInt8], sum: Int64, on base: String) -> String {
        guard sum == ShortText.checksum(Array(base.utf8)) else { return base }
        return StateChange.text(change, on: base) ?? base
    }
}

/// Encodes states for the database as JSON in one fixed form, and decodes them.
struct StateText {
    private let encoder = JSONEncoder()
    private let decoder = JSONDecoder()

    init() { encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes] }

    func write(_ state: EngineState) -> String {
        // Encoding fails only for a number that is not finite, and the core has no such numbers.
        (try? encoder.encode(state)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }

    /// Decodes a text that `write` has encoded; returns nil if this version cannot decode the text.
    func read(_ text: String) -> EngineState.Restored? {
        try? decoder.decode(EngineState.Restored.self, from: Data(text.utf8))
    }
}
