import Foundation
import GRDB
import Quantities
import Store
import TestSupport
import Testing
import Tracking

/// The queue stores the records of a vehicle, and targets receive these records. The program restarts, and the clock
/// may be wrong until it is set.
///
/// The journal contains everything that a program can read from the queue and from the queue's file.
struct QueueLife {
    private(set) var journal = Journal()

    private let folder = TemporaryFolder()
    private let steps: [EventfulLife.Step]
    private var random: SplitMix
    private var queue: RecordQueue
    private var boot = 1
    /// The time from the start of the first boot to the start of this boot.
    private var bootTime = Duration.zero
    private var isTrusted = true

    private static let targets = ["home", "work"]
    private static let date = Timestamp(year: 2026, month: 5, day: 4)

    init(seed: Int) throws {
        var life = EventfulLife(seed: seed)
        life.live(steps: 700)
        steps = Array(life.steps.prefix(400))
        random = SplitMix(seed: UInt64(seed))
        queue = try RecordQueue(path: folder.database)
        limit()
    }

    mutating func live() throws {
        for (index, step) in steps.enumerated() {
            let reading = reading(at: step.now)
            let stored = queue.append(step.record, state: step.state, at: reading)
            journal.add("append \(stored.sequence) \(stored.record.kind) \(stored.uuid.prefix(8))")
            queue.decisions.note(Decision(.receiver, "step \(index % 7)"), at: reading)
            if index.isMultiple(of: 9) { queue.decisions.note(isMoving: index.isMultiple(of: 2), at: reading) }
            journal.add(
                "settle \(try queue.settle(at: reading)), \(queue.waitingCount) wait, flush by \(text(queue.flushDeadline))"
            )
            try tend(reading)
            if random.once(in: 3) { try act(reading) }
        }
        let reading = reading(at: (steps.last?.now ?? .boot) + .seconds(60))
        journal.add("end \(try queue.flushFinally(at: reading))")
        try tend(reading)
        queue.close()
        try dump()
    }

    private func reading(at now: Instant) -> ClockReading {
        ClockReading(
            boot: "boot \(boot)", now: now,
            time: Self.date + bootTime + (now - .boot) - (isTrusted ? .zero : .seconds(90_000)),
            isTrusted: isTrusted)
    }

    private func text(_ value: (some Any)?) -> String { value.map { "\($0)" } ?? "never" }

    private mutating func limit() {
        queue.retention = Retention(
            days: random.once(in: 3) ? 1 : 0, records: random.once(in: 2) ? 90 : 0, bytes: 0, targets: Self.targets)
    }

    private mutating func tend(_ reading: ClockReading) throws {
        var (reports, hasDeliverable) = try queue.tend(at: reading)
        // Another thread removes records, so this function waits for it.
        while queue.isRemoving {
            usleep(200)
            let more = try queue.tend(at: reading)
            (reports, hasDeliverable) = (reports + more.reports, hasDeliverable || more.hasDeliverable)
        }
        if !reports.isEmpty || hasDeliverable { journal.add("tend \(reports.count) reports \(hasDeliverable)") }
        if let loss = queue.takeLoss() { journal.add("loss \(loss)") }
    }

    private mutating func act(_ reading: ClockReading) throws {
        let table = try DeliveryTable(path: folder.database)
        defer { table.close() }
        let target = random.pick(Self.targets)
        let waiting = try table.oldest(awaiting: target, limit: 12, excluding: random.once(in: 4) ? [3, 5] : [])
        let numbers = waiting.map(\.sequence)
        switch random.next() % 16 {
        case 0...3:
            let newest = try table.newest(awaiting: target, before: random.once(in: 2) ? .max : 200)
            journal.add(
                "\(target) awaits \(numbers), newest \(text(newest?.sequence)) \(try queue.count(awaiting: target, limit: 50))"
            )
        case 4...6: try table.markDelivered(random.once(in: 2) ? numbers : numbers.filter { $0 % 2 == 0 }, to: target)
        case 7: if let last = numbers.last { try table.setAside(last, for: target, reason: "no \(last)") }
        case 8:
            if random.once(in: 3), let last = numbers.last {
                journal.add(
                    "passed \(try table.passOver(through: last, keepingStops: random.once(in: 2), for: target))")
            }
        case 9:
            try table.addTraffic(Int64(random.next() % 5000), of: target, in: random.pick(["2026-05", "2026-06"]))
            journal.add("traffic \(try table.traffic(of: target, in: "2026-05"))")
        case 10: journal.add("flush \(try queue.flush(at: reading)), committed \(queue.committedSequence)")
        case 11:
            if isTrusted, random.once(in: 3) { isTrusted = false } else if !isTrusted { try setClock(reading) }
        case 12: if random.once(in: 3) { try restart(reading) }
        case 13, 14: try readAside(target)
        default: try readFigures(target)
        }
    }

    private mutating func setClock(_ reading: ClockReading) throws {
        isTrusted = true
        let right = self.reading(at: reading.now)
        let correction = ClockCorrection(boot: right.boot, before: right.now, bootTime: right.bootTime)
        journal.add("sent \(text(queue.sentTimes(before: correction)))")
        journal.add("corrected \(queue.correctTimestamps(correction, at: right.now))")
    }

    private mutating func restart(_ reading: ClockReading) throws {
        if random.once(in: 2) { _ = try queue.flush(at: reading) }
        queue.close()
        if random.once(in: 2) {
            boot += 1
            isTrusted = random.once(in: 2)
        }
        queue = try RecordQueue(path: folder.database)
        limit()
        let state = queue.restoredState?.state
        journal.add(
            "restart \(queue.committedSequence) \(queue.waitingCount) odometer \(text(state?.logbook.odometer.distance))"
        )
        try tend(self.reading(at: reading.now))
    }

    private mutating func readAside(_ target: String) throws {
        let aside = try SetAsideTable(path: folder.database)
        defer { aside.close() }
        let entries = try aside.entries(for: target, limit: 5)
        journal.add("aside \(try aside.count(for: target)) \(entries) due \(try aside.dueCount(for: target))")
        if random.once(in: 2) {
            journal.add("again \(try aside.sendAgain(entries.prefix(2).map(\.sequence), to: target))")
        }
    }

    private mutating func readFigures(_ target: String) throws {
        let aside = try SetAsideTable(path: folder.database)
        defer { aside.close() }
        let (figures, kinds) = (
            try aside.figures(), try aside.waitingKinds(for: target, limit: 30).sorted { $0.key < $1.key }
        )
        journal.add(
            "figures \(text(figures.oldest)) \(figures.removed) \(kinds) \(text(try aside.oldestWaiting(for: target)))")
        for trip in try History(path: folder.database).trips() { journal.add("\(trip)") }
        let span = Self.date...(Self.date + .seconds(4000))
        let history = try History(path: folder.database).excerpt(of: span)
        journal.add(
            "history \(text(history.known)) \(text(history.initialState)) \(history.entries) \(history.records.map(\.sequence))"
        )
        var scanned: [Int64] = []
        try History(path: folder.database).forEach(
            in: RecordSpan(from: span.lowerBound, trip: random.once(in: 2) ? 1 : nil)
        ) {
            scanned.append($0.sequence)
        }
        journal.add("scan \(scanned)")
    }

    /// Adds all rows of the file, without the column `uuid`.
    private mutating func dump() throws {
        let database = try DatabaseQueue(path: folder.database)
        let rows = try database.read { database in
            let tables = try String.fetchAll(
                database, sql: "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
            return try tables.flatMap { table in
                try Row.fetchAll(database, sql: "SELECT * FROM \(table)").map { row in
                    let values = row.filter { $0.0 != "uuid" }.map { name, value in "\(name)=\(value)" }
                    return "\(table): \(values.joined(separator: " "))"
                }
            }
        }
        try database.close()
        for row in rows { journal.add(row) }
    }
}
