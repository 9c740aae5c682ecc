internal import Quantities
internal import Tracking

/// Accepts the orders of a target's server, and stores those that the target permits.
///
/// The daemon's loop carries out the stored orders, because the loop applies all rules for commands.
final class Inbound {
    private let reader: OrderReader
    private let key: OwnTracksKey?
    private let poll: OrderPoll?
    private let queue: any DeliveryQueue
    private var gate = OrderGate()
    private var refused = RefusedOrders()

    init(
        _ target: UploadTarget, _ queue: any DeliveryQueue, _ timeouts: TransportTimeouts = TransportTimeouts()
    ) {
        reader = OrderReader(
            target: target.name, device: target.device, permissions: target.control, makeID: Self.randomID)
        poll = target.orders.map { OrderPoll($0, target, timeouts) }
        key = target.format.orderKey
        self.queue = queue
    }

    /// The sockets of the request for the file with orders.
    var watches: [Watch] { poll?.watches ?? [] }

    /// When the next turn is due; nil if nothing is due.
    var deadline: Instant? { [refused.deadline, poll?.deadline].compactMap { $0 }.min() }

    /// Fetches the file with orders if that is due, and stores the orders.
    ///
    /// Returns the reason if the file cannot be fetched; returns nil for further failures in a row.
    func poll(at now: Instant) -> String? {
        guard let poll, let result = poll.turn(at: now) else { return nil }
        switch result {
        case .changed(let body): if !store(body) { poll.forgetVersion() }
        case .unchanged: break
        case .failed(let reason, let isFirst): return isFirst ? reason : nil
        }
        return nil
    }

    /// Abandons the request for the file with orders.
    func breakOff(at now: Instant) { poll?.breakOff(at: now) }

    func close() { poll?.close() }

    /// Stores the orders that the messages contain.
    ///
    /// If the disk accepts no data, the orders are lost. A sender that receives no answer can repeat its orders.
    func receive(_ messages: [[UInt8]], at now: Instant) {
        for message in messages {
            guard let text = decrypted(message) else {
                refused.add(.malformed("is not encrypted with the target's `encryptionKey`"))
                continue
            }
            for reading in reader.read(text) { take(reading, at: now) }
        }
    }

    /// Stores the orders that a file contains; returns false if trackerd could not store some of them.
    ///
    /// trackerd must then fetch the file again.
    ///
    /// trackerd itself chooses how often it reads the file, so the limits on the rate of orders do not apply.
    private func store(_ body: [UInt8]) -> Bool {
        guard let text = decrypted(body) else {
            refused.add(.malformed("is not encrypted with the target's `encryptionKey`"))
            return true
        }
        var isComplete = true
        for reading in reader.read(text, isFile: true) {
            switch reading {
            case .failure(let refusal): refused.add(refusal)
            case .success(let order): isComplete = accept(order) && isComplete
            }
        }
        return isComplete
    }

    /// Stores an order; returns false if this is impossible at present.
    private func accept(_ order: StoredOrder) -> Bool {
        do {
            guard try queue.accept(order) == .full else { return true }
            refused.add(.tooMany)
        } catch {
            refused.add(.notStored("\(error)"))
        }
        return false
    }

    /// Returns a report about refused orders, at most one per minute.
    func takeReport(at now: Instant) -> UploadReport.Event? { refused.take(at: now) }

    private func take(_ reading: OrderReader.Reading, at now: Instant) {
        guard gate.admits(at: now) else { return refused.add(.tooMany) }
        switch reading {
        case .failure(let refusal): refused.add(refusal)
        case .success(let order): _ = accept(order)
        }
    }

    /// Returns the message in clear text; nil if the target has a key and the message was not encrypted with it.
    private func decrypted(_ message: [UInt8]) -> [UInt8]? {
        guard let key else { return message }
        return key.open(message)
    }

    /// Returns an ID such as `cmd-3f9c…` for an order whose form has no member for an ID.
    private static func randomID() -> String { "cmd-" + String(UInt64.random(in: 0...UInt64.max), radix: 16) }
}
