import GRDB
import Quantities
import Tracking

/// The limits of the groups in which the queue commits plain locations; they bound the loss at a power cut.
package struct CommitGrouping: Sendable, Hashable {
    /// The longest time that the oldest record of a group waits; if it is zero, the queue commits each record separately.
    package var interval: Duration
    /// The maximum number of records in a group.
    package var records: Int

    package init(interval: Duration = .seconds(5), records: Int = 10) {
        self.interval = interval
        self.records = records
    }
}

/// The data that waits in memory for the next commit: records, the engine state, corrections of timestamps, and settled
/// orders.
///
/// While the disk is not writable, this value contains all new records. If memory is also full, `MemoryThinning` removes
/// records.
struct PendingCommit {
    static let mostWaiting = 10_000

    private(set) var rows: [RecordRow] = []
    /// Corrections that are not on disk yet, in order.
    private(set) var corrections: [ClockCorrection] = []
    private(set) var state: EngineState?
    /// When the queue must commit the waiting records and corrections; nil if there are none.
    private(set) var groupEnd: Instant?
    /// The keys of the orders that the next commit marks as carried out.
    private(set) var settledOrders: [Int64] = []
    /// The regions of servers that the next commit writes, at most one list for each target.
    private(set) var serverRegions: [ServerRegions] = []
    /// Whether the loop is handling the events of one order, which all belong in one transaction.
    private var isGathering = false
    private var hasUrgentRecord = false
    private var thinning = MemoryThinning()

    private let grouping: CommitGrouping

    init(grouping: CommitGrouping) { self.grouping = grouping }

    var isEmpty: Bool {
        rows.isEmpty && state == nil && corrections.isEmpty && settledOrders.isEmpty && serverRegions.isEmpty
    }

    /// Whether a waiting record must be on disk when its event ends.
    var isUrgent: Bool { hasUrgentRecord && !isGathering }

    /// Whether targets will have something to fetch after the commit.
    var hasDeliverable: Bool { rows.contains(where: \.isDeliverable) }

    /// Whether one of the records is an event, and not only a location.
    var hasEvent: Bool { rows.contains { $0.stored.record.kind.isEvent } }

    /// Whether memory has no room for another row.
    var isFull: Bool { rows.count >= Self.mostWaiting }

    /// The numbers of records that were removed because neither disk nor memory had room for them.
    var loss: Retention.Loss { thinning.loss }

    /// Removes some rows; returns their numbers.
    ///
    /// `delivered` contains the records that every target has received.
    mutating func makeRoom(delivered: Set<Int64>) -> Set<Int64> {
        let removed = thinning.choose(among: rows, delivered: delivered)
        rows.removeAll { removed.contains($0.stored.sequence) }
        return removed
    }

    mutating func append(_ row: RecordRow, at now: Instant) {
        rows.append(row)
        beginGroup(at: now)
        hasUrgentRecord =
            hasUrgentRecord || row.stored.record.kind.isEvent || rows.count >= grouping.records
            || grouping.interval <= .zero
    }

    mutating func note(_ state: EngineState) { self.state = state }

    mutating func replace(_ list: ServerRegions) {
        serverRegions.removeAll { $0.target == list.target }
        serverRegions.append(list)
    }

    /// Begins the transaction that contains all effects of an order.
    mutating func begin(order key: Int64) {
        settledOrders.append(key)
        isGathering = true
    }

    /// Permits commits again after the last event of an order.
    mutating func endOrder() { isGathering = false }

    mutating func correct(_ correction: ClockCorrection, at now: Instant) {
        for index in rows.indices { rows[index].correct(correction) }
        corrections.append(correction)
        beginGroup(at: now)
    }

    mutating func continueRecords(from former: EngineState) {
        for index in rows.indices { rows[index].continueRecord(from: former) }
    }

    mutating func renumber(by shift: Int64) {
        for index in rows.indices { rows[index].renumber(by: shift) }
        thinning.renumber(by: shift)
    }

    /// Corrects the rows on disk; returns whether targets have something to fetch after the corrections.
    func applyCorrections(in database: GRDB.Database) throws -> Bool {
        var count = 0
        for correction in corrections { count += try correction.apply(in: database) }
        return count > 0
    }

    func insertRows(into database: GRDB.Database) throws {
        for row in rows { try row.insert(into: database) }
    }

    mutating func committed() {
        (rows, corrections, state, settledOrders, serverRegions) = ([], [], nil, [], [])
        (groupEnd, hasUrgentRecord, thinning) = (nil, false, MemoryThinning())
    }

    private mutating func beginGroup(at now: Instant) { groupEnd = groupEnd ?? now + grouping.interval }
}
