import FoundationEssentials
import Logging
import Quantities
import Store
import Tracking
import TrackingOptions
import Upload

/// The requests that a server may send, if its target permits them.
enum RemoteRequests {
    static let all: [any ControlRequest.Type] = [
        LocateRequest.self, StatusRequest.self, MoveRequest.self, StayRequest.self, ModeRequest.self,
        StartTripRequest.self, EndTripRequest.self, TagRequest.self, ListWaypointsRequest.self,
        SetWaypointRequest.self, RemoveWaypointRequest.self, ClearWaypointsRequest.self, RemoteOptionsRequest.self,
        SetOdometerRequest.self, StartTrackingRequest.self, StopTrackingRequest.self,
    ]
}

/// Carries out the orders of servers, which the upload thread has stored.
extension Tracker {
    /// The longest time until the expiry of an order.
    private static let longestLife = Duration.seconds(7 * 86_400)
    /// The maximum number of orders in one pass of the loop, so that the loop serves the devices in between.
    private static let ordersPerPass = 4

    /// Carries out orders, each only once, in one transaction with the record about the order.
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
        let records = handle(.order(report), at: now)
        performer.endOrder()
        _ = performer.save(engine.state, at: now)
        if engine.optionsTrial?.target == order.target, let record = records.last {
            trialProof = TrialProof(target: order.target, record: record.sequence, deliveries: 0)
        }
        let result = report.isAccepted ? "was carried out" : "was refused"
        log.notice("Order \(order.id) of \(order.target): \(report.request) \(result). \(report.text.printable())")
    }

    private func execute(_ order: StoredOrder, at now: Instant) -> OrderReport {
        var report = OrderReport(
            target: order.target, id: order.id, request: "?", isAccepted: false, text: "", data: nil)
        do throws(ControlError) {
            let requests = try requests(in: order, &report, at: now)
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

    /// Reads and checks all requests of an order before any of them has an effect.
    private func requests(
        in order: StoredOrder, _ report: inout OrderReport, at now: Instant
    ) throws(ControlError) -> [any ControlRequest] {
        guard let members = JSONValue(json: order.body)?.members else { throw ControlError("the order is unreadable.") }
        report.request = (members["request"] ?? members["action"]).flatMap(\.word) ?? "?"
        if let expires = order.expires {
            let time = engine.time(at: now)
            if expires < time { throw ControlError("the order had expired at \(expires).") }
            if expires - time > Self.longestLife { throw ControlError("`expires` is more than 7 days ahead.") }
        }
        let bodies = members["_type"] == nil ? [members] : OwnTracksOrder.requests(members)
        guard let bodies else { throw ControlError("the message does not contain the data that this action needs.") }
        var requests: [any ControlRequest] = []
        for body in bodies {
            let line = (try? JSONEncoder().encode(body)).map { [UInt8]($0) } ?? []
            let request = try ControlLine(line, among: RemoteRequests.all).request.get()
            try check(request, from: order.target)
            requests.append(request)
        }
        let waypoints = requests.count { $0 is SetWaypointRequest } + engine.state.regions.waypoints.count
        guard waypoints <= SetWaypointRequest.mostWaypoints || requests.count == 1 else {
            throw ControlError("the tracker can have at most \(SetWaypointRequest.mostWaypoints) waypoints.")
        }
        return requests
    }

    private func check(_ request: any ControlRequest, from target: String) throws(ControlError) {
        guard let permission = RemotePermission.needed(forRequest: type(of: request).manual.name),
            remoteControl.permits(permission, to: target)
        else { throw ControlError("the target no longer permits this request.") }
        guard let mode = (request as? ModeRequest)?.mode, !RemoteControl.reportingModes.contains(mode) else { return }
        guard remoteControl.permits(.silence, to: target) else {
            throw ControlError(
                "the mode \(mode.name) would silence the tracker. Add `silence` to the target's `control`.")
        }
    }
}

extension EffectPerformer {
    /// The stored orders that trackerd has not carried out yet, the oldest first.
    var waitingOrders: [StoredOrder] { queue.waitingOrders }

    /// Begins an order: one transaction contains all its effects until `endOrder`.
    func begin(_ order: StoredOrder) { queue.begin(order) }

    /// Ends an order; the next commit contains its effects.
    func endOrder() { queue.endOrder() }

    /// Returns whether a target has received a record; false if the file is unavailable.
    func isDelivered(_ sequence: Int64, to target: String) -> Bool { queue.isDelivered(sequence, to: target) }
}

extension ControlRequest {
    /// Carries out a request of an order; returns a sentence for the sender, and the data if the response contains data.
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

extension JSONValue {
    /// The text; nil for other values.
    fileprivate var word: String? { if case .text(let text) = self { text } else { nil } }
}
