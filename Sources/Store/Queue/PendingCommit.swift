import GRDB
import Quantities
import Tracking

/// The size of a group of records, which bounds the loss at a power cut.
package struct CommitGrouping: Sendable, Hashable {
    /// How long the oldest record of a group waits; zero for a commit of each record.
    package var interval: Duration
    package var records: Int

    package init(interval: Duration = .seconds(5), records: Int = 10) {
        self.interval = interval
        self.records = records
    }
}

/// What waits in memory for the next commit. While the disk is not writable, all new records wait here; beyond
/// `mostWaiting` of them, `MemoryThinning` removes some.
struct PendingCommit {
    static let mostWaiting = 10_000

    private(set) var rows: [RecordRow] = []
    private var corrections: [ClockCorrection] = []
    private(set) var state: EngineState?
    /// When to commit the waiting records and corrections; nil if there are none.
    private(set) var groupEnd: Instant?
    /// The next commit marks these orders as carried out.
    private(set) var settledOrders: [Int64] = []
    /// At most one list for each target.
    private(set) var serverRegions: [ServerRegions] = []
    /// True while the effects of an order are collected for one transaction.
    private var isGathering = false
    private var hasUrgentRecord = false
    private var thinning = MemoryThinning()

    private let grouping: CommitGrouping

    init(grouping: CommitGrouping) { self.grouping = grouping }

    var isEmpty: Bool {
        rows.isEmpty && state == nil && corrections.isEmpty && settledOrders.isEmpty && serverRegions.isEmpty
    }

    var isUrgent: Bool { hasUrgentRecord && !isGathering }

    /// Whether targets have something to fetch after the commit.
    var hasDeliverable: Bool { rows.contains(where: \.isDeliverable) }

    /// Whether a record is more than a plain location.
    var hasEvent: Bool { rows.contains { $0.stored.record.kind.isEvent } }

    var hasHeld: Bool { rows.contains(where: \.isHeld) }

    var isFull: Bool { rows.count >= Self.mostWaiting }

    var loss: Retention.Loss { thinning.loss }

    /// Returns the numbers of the removed rows; `delivered` are the records that every target has received.
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

    mutating func begin(order key: Int64) {
        settledOrders.append(key)
        isGathering = true
    }

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

    /// Returns whether targets have something to fetch after the corrections.
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
