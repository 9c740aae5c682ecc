import GRDB
import Quantities
import Tracking

/// A record on its way into the table, with what only the queue wants to know of it.
struct RecordRow {
    /// So long after boot a record whose time is not to be trusted waits for a better one; then it is delivered, marked.
    static let holdEnd = Instant.boot + .seconds(15 * 60)

    private(set) var stored: StoredRecord
    /// The clock was not set yet when it was written, so that it may be mended.
    private(set) var isDoubtful: Bool
    /// No target gets it yet: it may be mended soon.
    private(set) var isHeld: Bool
    private let boot: String
    private let sinceBoot: Instant

    init(_ stored: StoredRecord, at reading: ClockReading) {
        self.stored = stored
        isDoubtful = !stored.record.isTimeTrusted || !reading.isTrusted
        isHeld = !stored.record.isTimeTrusted && reading.now < Self.holdEnd
        boot = reading.boot
        sinceBoot = reading.now
    }

    /// Whether a target may get it as it is.
    var isDeliverable: Bool { !isHeld && stored.record.isWithheld != true }

    mutating func mend(_ mend: Mend) {
        guard isDoubtful, boot == mend.boot, sinceBoot <= mend.before else { return }
        stored = mend.applied(to: stored, sinceBoot: sinceBoot)
        (isDoubtful, isHeld) = (false, false)
    }

    /// Gives the record another number: the file was found to hold later ones.
    mutating func renumber(by shift: Int64) {
        stored = StoredRecord(
            sequence: stored.sequence + shift, uuid: stored.uuid, created: stored.created, record: stored.record)
    }

    /// Counts its distance and its trip on from a state that was found late.
    mutating func continueRecord(from former: EngineState) {
        stored = StoredRecord(
            sequence: stored.sequence, uuid: stored.uuid, created: stored.created,
            record: stored.record.continued(from: former))
    }

    func insert(into database: GRDB.Database, _ text: RecordText) throws {
        let statement = try database.cachedStatement(
            sql: """
                INSERT INTO record (
                    sequence, uuid, kind, time_ms, created_ms, boot, since_boot_ms,
                    is_doubtful, is_held, is_withheld, is_stop, is_place, body
                ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """)
        let record = stored.record
        try statement.execute(arguments: [
            stored.sequence, stored.uuid, record.kind.rawValue, record.time.milliseconds, stored.created.milliseconds,
            boot, sinceBoot.milliseconds, isDoubtful, isHeld, record.isWithheld ?? false, record.isStop,
            record.tellsPlace, text.write(record),
        ])
    }
}

extension Tracking.Record {
    /// Whether it tells where the vehicle is, so that a target wants the newest of them first.
    fileprivate var tellsPlace: Bool {
        switch kind {
        case .location, .motionchange, .visit, .trip, .request, .ping, .driving: position != nil
        case .transition, .waypoint, .providerchange, .power, .optionschange: false
        }
    }
}
