import Contracts
@testable import Delivery
@testable import Formats
import Quantities
import TestSupport
import Testing
import Tracking
import TrackingOptions

@Suite("Delivery over an unreliable network")
struct DeliveryModelTests {
    @Test(
        "Every record arrives at least once, except refused records, and the newest arrives first after each outage.",
        arguments: 1...40 as ClosedRange<UInt64>)
    func random(seed: UInt64) {
        var world = World(seed: seed)
        for _ in 0..<40 {
            for _ in 0..<25 { world.step() }
            world.calmDown()
            #expect(world.faults == [], "seed \(seed)")
            #expect(world.arrived == world.committed.subtracting(world.poisonous), "seed \(seed)")
            #expect(Set(world.link.aside) == world.poisonous, "seed \(seed)")
            #expect(world.link.armed == nil, "seed \(seed): rests when all is delivered")
        }
    }

    @Test(
        "Every stop, or at least the newest record, arrives under the replay rules `stops` and `none`.",
        arguments: [ReplayRule.stops, .none], 1...10 as ClosedRange<UInt64>)
    func missing(rule: ReplayRule, seed: UInt64) {
        var world = World(seed: seed, replay: rule)
        for _ in 0..<20 {
            for _ in 0..<25 { world.step() }
            world.calmDown()
            #expect(world.faults == [], "seed \(seed)")
            #expect(world.arrived.isSubset(of: world.committed.subtracting(world.poisonous)), "seed \(seed)")
            #expect(world.arrived.union(world.poisonous).union([0]).contains(world.newest), "seed \(seed)")
            #expect(rule != .stops || world.arrived.isSuperset(of: world.healthyStops), "seed \(seed)")
            #expect(world.link.armed == nil, "seed \(seed): rests when all is delivered")
        }
    }

    @Test(
        "Each batch is sent at its recorded time; `TRACKERD_WRITE_DOCS=1` rewrites the fingerprints, `TRACKERD_JOURNALS=FOLDER` writes every batch."
    )
    func same() throws {
        var golden = try GoldenLines("deliveries.txt")
        for seed in 1...24 as ClosedRange<UInt64> {
            var world = World(seed: seed, replay: [.all, .stops, .none][Int(seed % 7) % 3])
            for _ in 0..<6 {
                for _ in 0..<40 { world.step() }
                world.calmDown()
            }
            try world.journal.save(as: "delivery \(seed)")
            #expect(golden.difference(of: "delivery \(seed): \(world.journal.summary)") == nil)
        }
        #expect(try golden.finish())
    }
}

/// A delivery, a server, and a network between the two, all from one seed.
private struct World {
    var link: Link
    /// The batches that were sent, and the time of the next attempt.
    private(set) var journal = Journal()
    var faults: [String] = []
    var committed: Set<Int64> = []
    var arrived: Set<Int64> = []
    var poisonous: Set<Int64> = []
    private var stops: Set<Int64> = []
    private var dice: Jitter
    private var next: Int64 = 1
    private var isUp = true
    private var isAfterOutage = false
    /// Records that failed alone since the last success; another record may then go first.
    private var failedAlone: Set<Int64> = []
    private let policy: Delivery.Policy

    /// 0 if no record exists; the test then counts 0 as arrived.
    var newest: Int64 { next - 1 }
    var healthyStops: Set<Int64> { stops.subtracting(poisonous) }

    init(seed: UInt64, replay: ReplayRule = .all) {
        dice = Jitter(seed: seed)
        let isMQTT = seed % 3 == 0
        policy = Delivery.Policy(
            order: seed % 4 == 1 ? .oldestFirst : .liveFirst, replay: replay,
            syncInterval: seed % 5 == 2 ? .seconds(30) : .zero, batch: isMQTT ? 1 : 1 + Int(seed % 50),
            window: isMQTT ? 20 : 1)
        link = Link(records: 0, policy: policy, seed: seed)
    }

    mutating func step() {
        switch dice.next() {
        case ..<0.25: commit(count: Int(1 + dice.next() * 5))
        case ..<0.30: isUp.toggle()
        case ..<0.32: check(link.handle(.networkReturned))
        case ..<0.34: link.queue.setBroken(dice.next() < 0.3)
        case ..<0.80: answer()
        default: pass()
        }
    }

    /// Makes network and disk work, and lets the delivery run until it is idle. In every fifth round it makes a new healthy
    /// record.
    mutating func calmDown() {
        isUp = true
        link.queue.setBroken(false)
        for round in 0..<20_000 where link.armed != nil || !link.batches.isEmpty {
            // A refused record waits until the server has accepted other records.
            if round % 5 == 4 { commit(count: 1, isHealthy: true) }
            if link.batches.isEmpty { check(link.timer()) } else { answer() }
        }
    }

    private mutating func commit(count: Int, isHealthy: Bool = false) {
        for _ in 0..<count {
            if !isHealthy, dice.next() < 0.03 { poisonous.insert(next) }
            committed.insert(next)
            if dice.next() < 0.1 {
                stops.insert(next)
                link.append(stop: next)
            } else {
                link.append(next)
            }
            next += 1
        }
        check(link.handle(.recordsCommitted))
    }

    private mutating func pass() {
        if let time = link.armed, dice.next() < 0.5 {
            check(link.timer())
            if link.now < time { faults.append("the timer did not pass") }
        } else {
            check(link.handle(.timer, after: Duration(inSeconds: dice.next() * 3)))
        }
    }

    private mutating func answer() {
        guard let batch = link.batches.first else { return }
        if !isUp {
            // With the connection the client loses all payloads in flight, although some of them have arrived.
            for lost in link.batches where dice.next() < 0.2 { take(lost) }
            isAfterOutage = true
            for lost in link.batches where lost.records.count == 1 { failedAlone.formUnion(lost.sequences) }
            let isBusy = dice.next() < 0.1
            check(link.settle(isBusy ? .retry(reason: "busy", after: .seconds(20)) : .linkFailed(reason: "broken")))
            return
        }
        if take(batch) {
            check(link.settle(id: batch.id, .delivered))
        } else {
            check(link.settle(id: batch.id, .refused(reason: "status 400")))
        }
    }

    @discardableResult private mutating func take(_ batch: InFlightBatch) -> Bool {
        guard poisonous.isDisjoint(with: batch.sequences) else { return false }
        arrived.formUnion(batch.sequences)
        if isUp { failedAlone = [] }
        return true
    }

    private mutating func check(_ sent: [[Int64]]) {
        journal.add("\(link.now) sends \(sent), next \(link.armed.map { "\($0)" } ?? "never"), set aside \(link.aside)")
        let onTheirWay = link.batches.flatMap(\.sequences)
        if Set(onTheirWay).count != onTheirWay.count { faults.append("sent twice at a time: \(onTheirWay)") }
        if link.batches.count > policy.window { faults.append("\(link.batches.count) on their way") }
        for batch in sent {
            if batch.isEmpty || batch.count > policy.batch { faults.append("a batch of \(batch.count)") }
            if batch != batch.sorted() { faults.append("out of order: \(batch)") }
        }
        guard let first = sent.first else { return }
        if isAfterOutage, policy.order == .liveFirst, let newest = try? link.queue.newest(awaiting: "home"),
            first != [newest.sequence], !poisonous.contains(newest.sequence), !failedAlone.contains(newest.sequence),
            isBacklog(before: newest)
        {
            faults.append("\(first) went before the newest, \(newest.sequence)")
        }
        isAfterOutage = false
    }

    /// Returns whether a valid record has waited so long that the newest record is sent before it.
    private func isBacklog(before newest: StoredRecord) -> Bool {
        let waiting = (try? link.queue.oldest(awaiting: "home", limit: 1000, excluding: [])) ?? []
        guard let oldest = waiting.first(where: { !poisonous.contains($0.sequence) }) else { return false }
        return max(newest.created - oldest.created, oldest.created - newest.created) > .seconds(60)
    }
}
