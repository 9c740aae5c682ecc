import FoundationEssentials
import Logging
import Quantities
import Store
import Tracking
import TrackingOptions
import Upload

/// Carries out the orders of servers, which the upload thread has stored.
extension Tracker {
    /// The maximum number of orders in one pass of the loop; before the next orders, the loop serves the devices.
    private static let ordersPerPass = 4

    /// Carries out each stored order once; one transaction contains its effects and the record about the order.
    func serveOrders(at now: Instant) {
        guard mayHaveOrders else { return }
        let waiting = performer.waitingOrders
        let isTimeTrusted = engine.utcEstimate.time(at: now).isTrusted
        // If the clock may be wrong, trackerd cannot know whether an order has expired.
        let due = waiting.filter { $0.expires == nil || isTimeTrusted }
        mayHaveOrders = !waiting.isEmpty
        hasDueOrders = due.count > Self.ordersPerPass
        for order in due.prefix(Self.ordersPerPass) { carryOut(order, at: now) }
    }

    private func carryOut(_ order: StoredOrder, at now: Instant) {
        performer.begin(order)
        let report = execute(order, at: now)
        handle(.order(report), at: now)
        performer.endOrder()
        _ = performer.save(engine.state, at: now)
        let result = report.isAccepted ? "was carried out" : "was refused"
        log.notice("Order \(order.id) of \(order.target): \(report.request) \(result). \(report.text.printable())")
    }

    private func execute(_ order: StoredOrder, at now: Instant) -> OrderReport {
        var report = OrderReport(
            target: order.target, id: order.id, request: RemoteOrder.name(in: order), isAccepted: false, text: "",
            data: nil)
        do throws(ControlError) {
            let requests = try RemoteOrder(
                order, under: remoteControl, time: engine.time(at: now),
                waypoints: engine.state.regions.waypoints.count
            ).requests
            let session = ControlSession(tracker: self, now: now, client: nil, id: order.id, order: order)
            for request in requests { try request.check(in: session) }
            for request in requests {
                guard let answer = try request.answer(in: session) else { continue }
                report.text = [report.text, answer.text].filter { !$0.isEmpty }.joined(separator: " ")
                report.data = answer.data ?? report.data
            }
            report.isAccepted = true
        } catch {
            report.text = error.description
        }
        return report
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
}

extension ControlRequest {
    /// Carries out a request of an order; returns a sentence for the sender, or the response as JSON with an empty
    /// sentence.
    fileprivate func answer(in session: ControlSession) throws(ControlError) -> (text: String, data: String?)? {
        guard let response = try run(in: session) else { return ("The answer follows as a record.", nil) }
        if let outcome = response as? ControlOutcome { return (outcome.text, nil) }
        let data = try? JSONEncoder().encode(response)
        guard let data, data.count <= Self.longestData else { return ("The answer is too long.", nil) }
        return ("", String(decoding: data, as: UTF8.self))
    }

    /// The maximum size of the data in an answer, because the record about the order contains the data.
    private static var longestData: Int { 16 << 10 }
}
