import GRDB
import Quantities
import Tracking

/// A record that is not in the table yet, with the columns that only the queue uses.
struct RecordRow {
    private(set) var stored: StoredRecord
    /// Not `none` if the clock was unset or uncertain, so that a correction may follow.
    private(set) var doubt: DateDoubt
    /// True if no target may receive the record for now, because a correction may follow soon.
    private(set) var isHeld: Bool
    let boot: String
    private let sinceBoot: Instant

    init(_ stored: StoredRecord, at reading: ClockReading) {
        self.stored = stored
        doubt =
            !stored.record.isTimeTrusted || !reading.isTrusted
            ? .untrusted : reading.isCorroborated ? .none : .uncorroborated
        isHeld = !stored.record.isTimeTrusted && reading.now < HeldRecords.holdEnd
        boot = reading.boot
        sinceBoot = reading.now
    }

    var isDeliverable: Bool { !isHeld && stored.record.isWithheld != true }

    /// True if targets can receive the record, and no correction will change it.
    var isFinal: Bool { isDeliverable && doubt == .none }

    mutating func correct(_ correction: ClockCorrection) {
        guard doubt != .none, boot == correction.boot, sinceBoot <= correction.before else { return }
        stored = correction.applied(to: stored, sinceBoot: sinceBoot)
        (doubt, isHeld) = (correction.remainingDoubt, false)
    }

    /// Changes the number, for a file that already contains these or later numbers.
    mutating func renumber(by shift: Int64) {
        stored = StoredRecord(
            sequence: stored.sequence + shift, uuid: stored.uuid, created: stored.created, record: stored.record)
    }

    /// Continues the record from a state that the program found after the engine had begun.
    mutating func continueRecord(from former: EngineState) {
        stored = StoredRecord(
            sequence: stored.sequence, uuid: stored.uuid, created: stored.created,
            record: stored.record.continued(from: former))
    }

    func insert(into database: GRDB.Database) throws {
        var row = RecordValues(stored)
        row.flags[RecordFlags.doubt] = Int64(doubt.rawValue)
        row.flags[RecordFlags.held] = isHeld ? 1 : 0
        // The boot matters only if a correction of the date may follow.
        if doubt != .none { (row.boot, row.sinceBoot_ms) = (Boot.shortName(boot), sinceBoot.milliseconds) }
        try RecordTable.insert(row, into: database)
    }
}

extension Tracking.Record {
    /// The newest such record may overtake a backlog.
    var isPlace: Bool {
        position != nil && kind != .trip && (kind.traits.contains(.point) || kind == .driving)
    }
}

/// The present boot of the computer, and the number of its first record. A clock correction concerns only the records
/// of this boot, whose numbers are consecutive. It begins at the first of them, and needs no index, which every commit
/// would write.
struct Boot {
    private var known: (name: String, first: Int64)?
    private var isStored = false

    /// Call this in the transaction that contains the first record of the boot.
    mutating func note(_ rows: [RecordRow], in database: GRDB.Database) throws {
        guard let row = rows.first else { return }
        if known?.name != row.boot { (known, isStored) = ((row.boot, row.stored.sequence), false) }
        guard !isStored, let known else { return }
        try database.execute(
            sql: """
                INSERT INTO boot (id, name, first_sequence) VALUES (1, :name, :first)
                ON CONFLICT (id) DO UPDATE SET name = :name, first_sequence = :first WHERE name <> :name
                """, arguments: ["name": known.name, "first": known.first])
    }

    mutating func committed() { isStored = known != nil }

    mutating func fileChanged() { isStored = false }

    static let isOfIt = """
        boot = substr(:boot, 1, \(shortSize))
        AND sequence >= COALESCE((SELECT first_sequence FROM boot WHERE name = :boot), 0)
        """

    /// A row contains only the first 32 bits of the random name, as 8 hexadecimal digits.
    static func shortName(_ name: String) -> String { String(name.prefix(shortSize)) }

    private static let shortSize = 8
}
