package import Configuration
import Control
import Delivery
import Logging
import Quantities
import Store
import Tracking
import TrackingOptions

/// The orders of servers, which the upload thread has stored, and the options that a server has on trial.
package struct ServerOrders {
    /// The maximum number of orders in one pass of the loop; before the next orders, the loop serves the devices.
    private static let ordersPerPass = 4

    /// The orders that the servers may send.
    package var permissions = RemoteControl()
    /// The options of a server that are on trial.
    var trial = TrialWatch()
    private var mayWait = true
    /// Whether more orders wait that can be carried out now.
    private var hasDue = false

    /// When to look for orders again; nil if no order can be carried out now.
    var deadline: Instant? { hasDue ? .boot : nil }

    /// Notes that orders may have been stored.
    mutating func noteArrival() { mayWait = true }

    /// Returns the orders to carry out in this pass.
    ///
    /// If the clock may be wrong, trackerd cannot know whether an order has expired.
    mutating func next(isTimeTrusted: Bool, waiting: () -> [StoredOrder]) -> ArraySlice<StoredOrder> {
        guard mayWait else { return [] }
        let waiting = waiting()
        let due = waiting.filter { $0.expires == nil || isTimeTrusted }
        mayWait = !waiting.isEmpty
        hasDue = due.count > Self.ordersPerPass
        return due.prefix(Self.ordersPerPass)
    }
}

extension Tracker {
    /// Carries out each stored order once; one transaction contains its effects and the record about the order.
    func serveOrders(at now: Instant) {
        let isTimeTrusted = engine.utcEstimate.time(at: now).isTrusted
        for order in orders.next(isTimeTrusted: isTimeTrusted, waiting: { performer.waitingOrders }) {
            carryOut(order, at: now)
        }
    }

    private func carryOut(_ order: StoredOrder, at now: Instant) {
        performer.begin(order)
        let report = OrderReport(order, in: TrackerSession(tracker: self, now: now, asker: .server(order)))
        handle(.order(report), at: now)
        performer.endOrder()
        _ = performer.save(engine.state, at: now)
        let result = report.isAccepted ? "was carried out" : "was refused"
        log.notice("Order \(order.id) of \(order.target): \(report.request) \(result). \(report.text.printable())")
    }

    /// Passes the stored regions of servers to the engine, except those of servers that may not send regions any more.
    func followServerRegions(at now: Instant) {
        let lists = (performer.serverRegions ?? engine.serverRegions).filter {
            orders.permissions.permits(.regions, to: $0.target)
        }
        if lists != engine.serverRegions { handle(.serverRegions(lists), at: now) }
    }

    /// Confirms the options of a server that are on trial, once they are proven.
    func proveOptions(at now: Instant) {
        let target = orders.trial.provenTarget(
            in: engine, received: { uploads.counts($0).records },
            isDelivered: { performer.isDelivered($0, to: $1) })
        guard let target else { return }
        handle(.delivered(target: target), at: now)
        orders.trial.reset()
        _ = performer.save(engine.state, at: now)
    }
}

extension EffectPerformer {
    /// The stored orders that trackerd has not carried out yet, the oldest first.
    var waitingOrders: [StoredOrder] { queue.waitingOrders }

    /// Begins an order: one transaction contains all its effects until `endOrder`.
    func begin(_ order: StoredOrder) { queue.begin(order) }

    /// Ends an order; the next commit contains its effects.
    func endOrder() { queue.endOrder() }

    /// Returns whether a record is on disk and the target does not wait for it; false if the file is unavailable.
    func isDelivered(_ sequence: Int64, to target: String) -> Bool { queue.isDelivered(sequence, to: target) }

    /// The stored regions of servers; nil if the file is unavailable.
    var serverRegions: [ServerRegions]? { queue.serverRegions }

    /// Replaces the stored regions of servers with the next commit; the regions of other servers remain.
    func replace(_ lists: [ServerRegions]) { for list in lists { queue.replace(list) } }
}
