import Contracts
@testable import Delivery
@testable import Formats
import Quantities
import Tracking

/// A delivery with a queue in memory and a network that the test simulates.
struct Link {
    let queue: MemoryQueue
    var delivery: Delivery
    private(set) var now = Instant(seconds: 1000)
    private(set) var armed: Instant?
    private(set) var batches: [InFlightBatch] = []
    private(set) var marked: [Int64] = []
    private(set) var aside: [Int64] = []
    private(set) var reports: [UploadReport.Event] = []

    init(records: Int, policy: Delivery.Policy = .init(order: .liveFirst, batch: 100, window: 1), seed: UInt64 = 1) {
        queue = MemoryQueue(SampleRecords.many(records))
        delivery = Delivery(policy: policy, jitter: Jitter(seed: seed))
    }

    func append(stop sequence: Int64) { queue.append(SampleRecords.stop(sequence)) }

    func append(_ sequence: Int64) { queue.append(SampleRecords.location(sequence)) }

    /// Appends a record that the tracker dates earlier by `span` than its place in the queue suggests.
    func append(_ sequence: Int64, earlierBy span: Duration) {
        let record = SampleRecords.location(sequence)
        queue.append(
            StoredRecord(
                sequence: record.sequence, uuid: record.uuid, created: record.created - span, record: record.record))
    }

    /// Lets time pass, handles an event, and simulates the queue; returns the sequence numbers in the sent batches.
    mutating func handle(_ event: Delivery.Event, after span: Duration = .zero) -> [[Int64]] {
        now = now + span
        let before = batches.count
        var events = [event]
        while !events.isEmpty { events += perform(delivery.handle(events.removeFirst(), at: now)) }
        return batches.dropFirst(before).map(\.sequences)
    }

    /// Gives a verdict to the oldest `count` batches in flight, or to all batches if `count` is nil.
    mutating func settle(_ verdict: Verdict, count: Int? = nil, after span: Duration = .zero) -> [[Int64]] {
        let settled = batches.prefix(count ?? batches.count)
        batches.removeFirst(settled.count)
        return handle(.settled(settled.map { BatchOutcome(id: $0.id, verdict: verdict) }), after: span)
    }

    mutating func settle(id: Int, _ verdict: Verdict) -> [[Int64]] {
        batches.removeAll { $0.id == id }
        return handle(.settled([BatchOutcome(id: id, verdict: verdict)]))
    }

    /// Lets time pass until the armed time.
    mutating func timer() -> [[Int64]] {
        guard let time = armed else { return [] }
        armed = nil
        return handle(.timer, after: time - now)
    }

    private mutating func perform(_ effects: [Delivery.Effect]) -> [Delivery.Event] {
        var events: [Delivery.Event] = []
        for effect in effects {
            if case .report(let event) = effect { reports.append(event) }
            guard !events.contains(where: { if case .queueFailed = $0 { true } else { false } }) else { continue }
            do {
                if let event = try perform(effect) { events.append(event) }
            } catch {
                events.append(.queueFailed(reason: "\(error)"))
            }
        }
        return events
    }

    private mutating func perform(_ effect: Delivery.Effect) throws -> Delivery.Event? {
        switch effect {
        case .fetch(let limit, let excluding):
            return .found(
                newest: try queue.newest(awaiting: "home"),
                oldest: try queue.oldest(awaiting: "home", limit: limit, excluding: excluding))
        case .send(let batch): batches.append(batch)
        case .markDelivered(let sequences):
            try queue.markDelivered(sequences, to: "home")
            marked += sequences
            return .marked
        case .setAside(let sequence, let reason):
            try queue.setAside(sequence, for: "home", reason: reason)
            aside.append(sequence)
        case .passOver(let sequence, let keepingStops):
            return .passedOver(count: try queue.passOver(through: sequence, keepingStops: keepingStops, for: "home"))
        case .arm(let time): armed = time
        case .report: break
        }
        return nil
    }
}
