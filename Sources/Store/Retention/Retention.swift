import GRDB
import Tracking

/// The limits for the records on the device, and the order in which trackerd removes records beyond these limits.
///
/// trackerd removes all records beyond the age limit, delivered or not. If the database is then still too large,
/// trackerd removes the records that all targets have received, the oldest first. Then it thins undelivered tracks
/// (`TrackThinning`). After that it removes undelivered locations, then minor events, and finally all other events,
/// such as trips, transitions and alarms.
package struct Retention: Sendable, Hashable {
    /// The numbers of removed records.
    package struct Loss: Sendable, Hashable {
        /// Records that every target has received, or that no target should receive.
        package var delivered = 0
        /// Undelivered locations that the track hardly needs; their removal changes the track by 10 m at most.
        package var thinned = 0
        /// Other undelivered locations.
        package var locations = 0
        package var events = 0

        package init(delivered: Int = 0, thinned: Int = 0, locations: Int = 0, events: Int = 0) {
            self.delivered = delivered
            self.thinned = thinned
            self.locations = locations
            self.events = events
        }

        /// Records that at least one target will never receive.
        package var undelivered: Int { thinned + locations + events }

        static func + (left: Loss, right: Loss) -> Loss {
            Loss(
                delivered: left.delivered + right.delivered, thinned: left.thinned + right.thinned,
                locations: left.locations + right.locations, events: left.events + right.events)
        }

        /// Returns the difference of each number; 0 for a negative difference.
        ///
        /// A difference is negative if another file with smaller numbers has replaced the file.
        static func - (left: Loss, right: Loss) -> Loss {
            Loss(
                delivered: max(0, left.delivered - right.delivered), thinned: max(0, left.thinned - right.thinned),
                locations: max(0, left.locations - right.locations), events: max(0, left.events - right.events))
        }
    }

    /// The age in days at which trackerd removes a record; 0 for no limit.
    package var days: Int
    /// The maximum number of records; 0 for no limit.
    package var records: Int
    /// The maximum size of the database in bytes, not counting free pages, which new records use again; 0 for no limit.
    package var bytes: Int
    /// The names of the targets that receive the records.
    package var targets: [String]

    /// Makes limits; the defaults remove nothing.
    package init(days: Int = 0, records: Int = 0, bytes: Int = 0, targets: [String] = []) {
        self.days = days
        self.records = records
        self.bytes = bytes
        self.targets = targets
    }

    /// The kinds of events that matter less than a trip, a transition or an alarm.
    static let minorKinds: [Tracking.Record.Kind] = [.ping, .request, .providerchange, .optionschange, .waypoint]

    /// Whether there is any limit.
    var isLimited: Bool { days > 0 || records > 0 || bytes > 0 }
}

/// The counters of removed records in the database.
///
/// One set of counters counts all removed records. The other set counts the removed records that a record has reported.
enum RemovedRecords {
    /// Returns the numbers of all records removed since trackerd created the file.
    static func total(_ database: GRDB.Database) throws -> Retention.Loss { try loss("total", database) }

    /// Returns the numbers of removed records that no record has reported yet.
    static func unreported(_ database: GRDB.Database) throws -> Retention.Loss {
        try loss("total", database) - loss("reported", database)
    }

    /// Counts records that this transaction removes.
    static func add(_ loss: Retention.Loss, in database: GRDB.Database) throws { try add(loss, to: "total", database) }

    /// Counts removed records that a record of this transaction reports.
    static func report(_ loss: Retention.Loss, in database: GRDB.Database) throws {
        try add(loss, to: "reported", database)
    }

    private static func loss(_ row: String, _ database: GRDB.Database) throws -> Retention.Loss {
        try Row.fetchOne(database, sql: "SELECT * FROM removed WHERE row = ?", arguments: [row]).map { row in
            Retention.Loss(
                delivered: row["delivered"], thinned: row["thinned"], locations: row["locations"],
                events: row["events"])
        } ?? Retention.Loss()
    }

    private static func add(_ loss: Retention.Loss, to row: String, _ database: GRDB.Database) throws {
        try database.execute(
            sql: """
                UPDATE removed SET delivered = delivered + ?, thinned = thinned + ?, locations = locations + ?,
                    events = events + ?
                WHERE row = ?
                """, arguments: [loss.delivered, loss.thinned, loss.locations, loss.events, row])
    }
}
