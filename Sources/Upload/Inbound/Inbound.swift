internal import Quantities
internal import Tracking

/// Accepts the orders of a target's server, and stores those that the target permits.
///
/// The daemon's loop carries out the stored orders, because the loop applies all rules for commands.
final class Inbound {
    private let reader: OrderReader
    private let key: OwnTracksKey?
    private let queue: any DeliveryQueue
    private var gate = OrderGate()
    private var refused = RefusedOrders()

    init(_ target: UploadTarget, _ queue: any DeliveryQueue) {
        reader = OrderReader(target: target.name, permissions: target.control, makeID: Self.randomID)
        key = target.format.orderKey
        self.queue = queue
    }

    /// When `takeReport` can return the next report; nil if no order was refused since the last report.
    var deadline: Instant? { refused.deadline }

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

    /// Returns a report about refused orders, at most one per minute.
    func takeReport(at now: Instant) -> UploadReport.Event? { refused.take(at: now) }

    private func take(_ reading: OrderReader.Reading, at now: Instant) {
        guard gate.admits(at: now) else { return refused.add(.tooMany) }
        switch reading {
        case .failure(let refusal): refused.add(refusal)
        case .success(let order):
            do {
                if try queue.accept(order) == .full { refused.add(.tooMany) }
            } catch {
                refused.add(.notStored("\(error)"))
            }
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
