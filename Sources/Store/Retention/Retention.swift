import GRDB
import Tracking

/// The limits for the records on the device, and the order of removal: first all records beyond the age limit. If there
/// are still too many records or bytes: delivered records, the oldest first; points of undelivered tracks
/// (`TrackThinning`); undelivered locations; minor events; all other events.
package struct Retention: Sendable, Hashable {
    package struct Loss: Sendable, Hashable {
        /// Removed records that every target had received, or that were for no target.
        package var delivered = 0
        /// Removed locations whose removal changed the track by 10 m at most.
        package var thinned = 0
        package var locations = 0
        package var events = 0

        package init(delivered: Int = 0, thinned: Int = 0, locations: Int = 0, events: Int = 0) {
            self.delivered = delivered
            self.thinned = thinned
            self.locations = locations
            self.events = events
        }

        /// The records that at least one target will never receive.
        package var undelivered: Int { thinned + locations + events }

        static func + (left: Loss, right: Loss) -> Loss {
            Loss(
                delivered: left.delivered + right.delivered, thinned: left.thinned + right.thinned,
                locations: left.locations + right.locations, events: left.events + right.events)
        }

        /// 0 for a negative difference: another file with smaller numbers has replaced the file.
        static func - (left: Loss, right: Loss) -> Loss {
            Loss(
                delivered: max(0, left.delivered - right.delivered), thinned: max(0, left.thinned - right.thinned),
                locations: max(0, left.locations - right.locations), events: max(0, left.events - right.events))
        }
    }

    /// Records of this age are removed; 0 means no limit.
    package var days: Int
    /// 0 means no limit.
    package var records: Int
    /// The limit of bytes, without free pages, which new records use again; 0 means no limit.
    package var bytes: Int
    package var targets: [String]

    package init(days: Int = 0, records: Int = 0, bytes: Int = 0, targets: [String] = []) {
        self.days = days
        self.records = records
        self.bytes = bytes
        self.targets = targets
    }

    /// These matter less than a trip, a transition or an alarm.
    static let minorKinds: [Tracking.Record.Kind] = [.ping, .request, .providerchange, .optionschange, .waypoint]

    var isLimited: Bool { days > 0 || records > 0 || bytes > 0 }
}

/// One set of counters for all removed records, and one for those that a record has reported.
enum RemovedRecords {
    /// Both sets count since trackerd created the file.
    enum Counters: String {
        case total, reported
    }

    static func loss(_ row: Counters, _ database: GRDB.Database) throws -> Retention.Loss {
        try Row.fetchOne(database, sql: "SELECT * FROM removed WHERE row = ?", arguments: [row.rawValue]).map { row in
            Retention.Loss(
                delivered: row["delivered"], thinned: row["thinned"], locations: row["locations"],
                events: row["events"])
        } ?? Retention.Loss()
    }

    static func add(_ loss: Retention.Loss, to row: Counters, _ database: GRDB.Database) throws {
        try database.execute(
            sql: """
                UPDATE removed SET delivered = delivered + ?, thinned = thinned + ?, locations = locations + ?,
                    events = events + ?
                WHERE row = ?
                """, arguments: [loss.delivered, loss.thinned, loss.locations, loss.events, row.rawValue])
    }
}

/// Removed records that the queue must still report, or whose report waits for the next commit.
struct LossAccount {
    /// True if the file may contain numbers of removed records that no record has reported.
    private var mayHaveLoss = false
    /// Records removed from memory before a commit, and not yet returned by `takeFromMemory`.
    private var memory = Retention.Loss()
    /// The next commit marks these as reported.
    private(set) var reported = Retention.Loss()

    mutating func fileChanged() { mayHaveLoss = true }

    mutating func committed(_ loss: Retention.Loss) {
        reported = Retention.Loss()
        memory = memory + loss
    }

    /// Returns the losses not returned before; nil also if the file is unavailable, or while an earlier report waits
    /// for its commit.
    mutating func take(from database: DatabaseQueue?) -> Retention.Loss? {
        guard mayHaveLoss, reported == Retention.Loss(), let database else { return nil }
        mayHaveLoss = false
        let unreported = try? database.read { database in
            try RemovedRecords.loss(.total, database) - RemovedRecords.loss(.reported, database)
        }
        return unreported.flatMap { note($0 - memory) }
    }

    mutating func takeFromMemory() -> Retention.Loss? {
        defer { memory = Retention.Loss() }
        return note(memory)
    }

    private mutating func note(_ loss: Retention.Loss) -> Retention.Loss? {
        reported = reported + loss
        return loss == Retention.Loss() ? nil : loss
    }
}
