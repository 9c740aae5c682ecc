internal import Delivery
internal import Formats
internal import Quantities
internal import Tracking

/// Stores the permitted orders; the daemon's loop carries them out, because all rules for commands are there.
final class Inbound {
    private let reader: OrderReader
    private let cipher: (any MessageCipher)?
    private let poll: FilePoll?
    private let regions: RegionPoll?
    private let queue: any DeliveryQueue
    private var gate = OrderGate()
    private var refused = RefusedOrders()

    init(_ target: UploadTarget, _ queue: any DeliveryQueue, _ timeouts: TransportTimeouts = TransportTimeouts()) {
        reader = OrderReader(
            target: target.name, device: target.device, permissions: target.control, makeID: Self.randomID)
        poll = target.orders.map { source in
            FilePoll("orders", at: source.url, every: source.interval, target.orderAccess, target.proxy, timeouts)
        }
        regions = target.regions.map { RegionPoll($0, target, timeouts) }
        cipher = target.format.orderCipher
        self.queue = queue
    }

    var watches: [Watch] { (poll?.watches ?? []) + (regions?.watches ?? []) }

    var deadline: Instant? { .earliest(refused.deadline, poll?.deadline, regions?.deadline) }

    func fetchNow(at now: Instant) {
        poll?.fetchNow(at: now)
        regions?.fetchNow(at: now)
    }

    /// Nil ends the fetching of regions.
    func follow(_ query: RegionQuery?, at now: Instant) { regions?.follow(query, at: now) }

    func follow(isOnline: Bool, at now: Instant) { regions?.follow(isOnline: isOnline, at: now) }

    /// Fetches orders and regions if due; returns the reason of each failure that does not follow another one.
    func poll(at now: Instant) -> [String] {
        var reasons: [String] = []
        switch poll?.turn(at: now) {
        case .changed(let body): if !store(body) { poll?.forgetVersion() }
        case .failed(let reason, isFirst: true): reasons.append(reason)
        case .unchanged, .failed, nil: break
        }
        switch regions?.turn(at: now) {
        case .changed(let body): if !store(regions: body) { regions?.forgetVersion() }
        case .failed(let reason, isFirst: true): reasons.append(reason)
        case .unchanged, .failed, nil: break
        }
        return reasons
    }

    func breakOff(at now: Instant) {
        poll?.breakOff(at: now)
        regions?.breakOff(at: now)
    }

    func close() {
        poll?.close()
        regions?.close()
    }

    /// Stores orders. If the disk accepts no data, they are lost; a sender that gets no answer can repeat them.
    func receive(_ messages: [[UInt8]], at now: Instant) {
        for message in messages {
            guard let text = decrypted(message) else { continue }
            for reading in reader.read(text) {
                if gate.admits(at: now) { _ = accept(reading) } else { refused.add(.tooMany) }
            }
        }
    }

    func note(_ refusal: OrderError) { refused.add(refusal) }

    /// Returns false if some orders could not be stored; the file is then fetched again. The limits on the rate do not
    /// apply, because trackerd chooses when it reads.
    private func store(_ body: [UInt8]) -> Bool {
        guard let text = decrypted(body) else { return true }
        return reader.read(text, isFile: true).reduce(true) { isComplete, reading in accept(reading) && isComplete }
    }

    /// Stores the list as an order of the server.
    private func store(regions body: [UInt8]) -> Bool {
        guard let text = decrypted(body) else { return true }
        return accept(reader.readRegions(text))
    }

    /// Returns false if an order could not be stored.
    private func accept(_ reading: OrderReader.Reading) -> Bool {
        switch reading {
        case .failure(let refusal): refused.add(refusal)
        case .success(let order):
            do {
                if try queue.accept(order) != .full { return true }
                refused.add(.tooMany)
            } catch {
                refused.add(.notStored("\(error)"))
            }
            return false
        }
        return true
    }

    /// Returns at most one report a minute.
    func takeReport(at now: Instant) -> UploadReport.Event? { refused.take(at: now) }

    /// Refuses a message that was not encrypted with the target's cipher.
    private func decrypted(_ message: [UInt8]) -> [UInt8]? {
        guard let cipher else { return message }
        guard let text = cipher.open(message) else {
            refused.add(.malformed("is not encrypted with the target's `encryptionKey`"))
            return nil
        }
        return text
    }

    /// An ID such as `cmd-3f9c…`, for an order whose form has none.
    private static func randomID() -> String { "cmd-" + String(UInt64.random(in: 0...UInt64.max), radix: 16) }
}
