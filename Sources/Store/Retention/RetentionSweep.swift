import GRDB
import Quantities
import Tracking

/// Removes the records beyond the limits in steps. A step reads at most `most` records, and blocks other writers for
/// milliseconds.
struct RetentionSweep {
    private enum Stage: Int, CaseIterable {
        case expired
        case delivered, thinning, locations, minorEvents, events
    }

    private struct Candidate {
        let sequence: Int64
        let kind: Tracking.Record.Kind?
        let isDelivered: Bool
        let stored: StoredRecord?
    }

    private static let most = 500
    /// The size in bytes, with the record's share of the interior pages.
    private static let smallestRecord = 64

    private let retention: Retention
    private let reading: ClockReading
    private let turn: WriteTurn
    private var stage = Stage.expired
    /// The stage continues after this record.
    private var position: Int64 = 0
    /// The number of records up to the one with the number `counted`, less those that the sweep has removed.
    private var count = 0
    /// Nil before the first count.
    private var counted: Int64?
    private var isExpiryKnown = false
    private var expiredThrough: Int64?
    private var track = TrackThinning()
    private(set) var loss = Retention.Loss()

    init(_ retention: Retention, at reading: ClockReading, turn: WriteTurn) {
        self.retention = retention
        self.reading = reading
        self.turn = turn
    }

    /// Takes a step; false if the database is within the limits, or if no further record may be removed.
    mutating func removeSome(_ queue: DatabaseQueue) throws -> Bool {
        let room = try room(queue)
        guard room > 0 else { return try stage == .expired && next(queue) }
        let candidates = try read(queue)
        guard !candidates.isEmpty else {
            if stage == .thinning { try remove(thin: track.finish(), in: queue) }
            return try next(queue)
        }
        if stage == .thinning {
            try remove(thin: thinnable(candidates), in: queue)
        } else {
            try remove(Array(candidates.filter(isChosen).prefix(room)), among: candidates, in: queue)
        }
        return true
    }

    private mutating func next(_ queue: DatabaseQueue) throws -> Bool {
        guard let next = Stage(rawValue: stage.rawValue + 1) else { return false }
        (stage, position) = (next, 0)
        if stage == .thinning {
            // Begin with the last location that the previous thinning kept, at which the next line of the track begins.
            position = try queue.read { try Int64.fetchOne($0, sql: "SELECT through FROM thinning") ?? 0 } - 1
        }
        return true
    }

    private mutating func room(_ queue: DatabaseQueue) throws -> Int {
        if stage == .expired {
            if !isExpiryKnown { expiredThrough = try queue.read(expired) }
            isExpiryKnown = true
            return expiredThrough == nil ? 0 : Self.most
        }
        var excess = 0
        if retention.bytes > 0 {
            let bytes = try queue.read(DatabaseSize.used) - retention.bytes
            if bytes > 0 { excess = bytes / Self.smallestRecord + 1 }
        }
        if retention.records > 0 {
            // Other connections store records meanwhile, so the sweep counts these before it ends.
            if excess == 0, count <= retention.records { try countNew(queue) }
            excess = max(excess, count - retention.records)
        }
        return min(excess, Self.most)
    }

    /// If there are too many records by now, begins again with the delivered ones: a new record may matter less than
    /// those of the present stage, and targets may have received more. Only the first count reads the whole table.
    private mutating func countNew(_ queue: DatabaseQueue) throws {
        let isFirst = counted == nil
        let row = try queue.read { database in
            try Row.fetchOne(
                database, sql: "SELECT COUNT(*) AS number, MAX(sequence) AS last FROM record WHERE sequence > ?",
                arguments: [counted ?? .min])
        }
        count += row?["number"] ?? 0
        counted = row?["last"] ?? counted ?? 0
        guard !isFirst, count > retention.records else { return }
        (stage, position, track) = (.delivered, 0, TrackThinning())
    }

    /// Returns the last record that is too old; nil if the age has no limit, if no date is certain, or if the time is
    /// not confirmed, because with a wrong clock all records could seem too old. The records are in order of time,
    /// except those that a wrong clock has dated.
    private func expired(_ database: GRDB.Database) throws -> Int64? {
        guard retention.days > 0, reading.isConfirmed else { return nil }
        let limit = reading.time - .seconds(retention.days * 86_400)
        let firstKept = try Int64.fetchOne(
            database,
            sql: "SELECT sequence FROM record WHERE created_ms >= ? AND is_doubtful <> 1 ORDER BY sequence LIMIT 1",
            arguments: [limit.milliseconds])
        let last = try Int64.fetchOne(
            database, sql: "SELECT sequence FROM record WHERE is_doubtful <> 1 ORDER BY sequence DESC LIMIT 1")
        return firstKept.map { $0 - 1 } ?? last
    }
}

// MARK: - Choosing

extension RetentionSweep {
    private func isChosen(_ candidate: Candidate) -> Bool {
        switch stage {
        case .expired: true
        case .delivered: candidate.isDelivered
        case .thinning: false
        case .locations: candidate.kind == .location
        case .minorEvents: candidate.kind.map(Retention.minorKinds.contains) ?? false
        case .events: true
        }
    }

    /// The target has not received the record, or must receive it again.
    private static let isOwed = """
        sequence > COALESCE((SELECT cursor FROM delivery WHERE target = ?), 0)
        AND NOT EXISTS (SELECT 1 FROM ahead WHERE target = ? AND ahead.sequence = record.sequence)
        OR EXISTS (SELECT 1 FROM refused WHERE target = ? AND refused.sequence = record.sequence AND is_due = 1)
        """

    private func read(_ queue: DatabaseQueue) throws -> [Candidate] {
        // If there are no targets, the sweep treats every record as delivered.
        let owed = retention.targets.map { _ in "(\(Self.isOwed))" }.joined(separator: " OR ")
        let isDelivered = owed.isEmpty ? "1" : "(is_withheld = 1 OR NOT (\(owed)))"
        let last = stage == .expired ? expiredThrough ?? 0 : Int64.max
        let columns = stage == .thinning ? RecordTable.list : "sequence, kind"
        let rows = try queue.read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT \(columns), \(isDelivered) AS is_delivered FROM record
                    WHERE sequence > ? AND sequence <= ? ORDER BY sequence LIMIT ?
                    """,
                arguments: StatementArguments(retention.targets.flatMap { [$0, $0, $0] })
                    + [position, last, Self.most])
        }
        return rows.map { row in
            Candidate(
                sequence: row["sequence"], kind: RecordKinds.kind(row["kind"]), isDelivered: row["is_delivered"],
                stored: stage == .thinning ? RecordTable.stored(row) : nil)
        }
    }

    private mutating func thinnable(_ candidates: [Candidate]) -> [Int64] {
        var removable: [Int64] = []
        for candidate in candidates {
            position = candidate.sequence
            if !candidate.isDelivered, let stored = candidate.stored, stored.record.kind == .location {
                removable += track.add(stored)
            } else {
                removable += track.finish()
            }
        }
        return removable
    }
}

// MARK: - Removing

extension RetentionSweep {
    private mutating func remove(_ chosen: [Candidate], among candidates: [Candidate], in queue: DatabaseQueue) throws {
        var loss = Retention.Loss()
        for candidate in chosen {
            switch candidate.kind {
            case _ where candidate.isDelivered: loss.delivered += 1
            case .location: loss.locations += 1
            default: loss.events += 1
            }
        }
        let isCut = chosen.count < candidates.filter(isChosen).count
        position = isCut ? chosen.last?.sequence ?? position : candidates.last?.sequence ?? position
        try remove(chosen.map(\.sequence), loss, in: queue)
    }

    private mutating func remove(thin sequences: [Int64], in queue: DatabaseQueue) throws {
        try remove(
            sequences, Retention.Loss(thinned: sequences.count), thinnedThrough: track.lastKept ?? position, in: queue)
    }

    private mutating func remove(
        _ sequences: [Int64], _ loss: Retention.Loss, thinnedThrough: Int64? = nil, in queue: DatabaseQueue
    ) throws {
        guard !sequences.isEmpty else { return }
        let list = sequences.map(String.init).joined(separator: ",")
        try turn.writePatiently(queue) { database in
            try database.execute(sql: "DELETE FROM record WHERE sequence IN (\(list))")
            try RemovedRecords.add(loss, to: .total, database)
            if let thinnedThrough {
                try database.execute(sql: "UPDATE thinning SET through = ?", arguments: [thinnedThrough])
            }
            let isGone = "sequence < (SELECT COALESCE(MIN(sequence), 0) FROM record)"
            try database.execute(sql: "DELETE FROM refused WHERE \(isGone)")
        }
        if let counted { count -= sequences.count { $0 <= counted } }
        self.loss = self.loss + loss
    }
}

enum DatabaseSize {
    /// The bytes of all used pages; new records fill the other pages before the file grows.
    static func used(_ database: GRDB.Database) throws -> Int {
        let figures = try ["page_count", "freelist_count", "page_size"].map { name in
            try Int.fetchOne(database, sql: "PRAGMA \(name)") ?? 0
        }
        return (figures[0] - figures[1]) * figures[2]
    }
}
