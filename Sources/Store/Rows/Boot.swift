import GRDB
import Tracking

/// The present boot of the computer, and the number of its first record.
///
/// A clock correction concerns only the records of this boot. The numbers of these records are consecutive, so the
/// correction begins its search at the first record. The search therefore needs no index. An index would make every
/// commit write more.
struct Boot {
    /// The name of the boot, and the number of its first record.
    private var known: (name: String, first: Int64)?
    private var isStored = false

    /// Stores the boot in the transaction that contains its first record.
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

    /// Notes that the transaction has succeeded.
    mutating func committed() { isStored = known != nil }

    /// Notes that the queue writes records to another file from now on.
    mutating func fileChanged() { isStored = false }

    /// The SQL condition for records of the boot `:boot`.
    static let isOfIt = """
        boot = substr(:boot, 1, \(shortSize))
        AND sequence >= COALESCE((SELECT first_sequence FROM boot WHERE name = :boot), 0)
        """

    /// Returns the part of a boot's name that a record contains: the first 32 random bits.
    static func shortName(_ name: String) -> String { String(name.prefix(shortSize)) }

    private static let shortSize = 8
}
