import FoundationEssentials
import Store
package import Tracking

extension OrderReport {
    package init(_ order: StoredOrder, in session: any Session) {
        self.init(
            target: order.target, id: order.id, request: RemoteOrder.name(in: order), isAccepted: false, text: "",
            data: nil)
        do throws(ControlError) {
            let requests = try RemoteOrder(
                order, time: session.time, waypoints: session.engine.state.regions.waypoints.count,
                permits: session.permits
            ).requests
            for request in requests { try request.check(in: session) }
            for request in requests {
                guard let answer = try request.answer(in: session) else { continue }
                text = [text, answer.text].filter { !$0.isEmpty }.joined(separator: " ")
                data = answer.data ?? data
            }
            isAccepted = true
        } catch {
            text = error.description
        }
    }
}

extension ControlRequest {
    /// Carries out a request of an order; returns a sentence for the sender, or the response as JSON with an empty
    /// sentence.
    fileprivate func answer(in session: any Session) throws(ControlError) -> (text: String, data: String?)? {
        guard let response = try run(in: session) else { return ("The answer follows as a record.", nil) }
        if let outcome = response as? ControlOutcome { return (outcome.text, nil) }
        let data = try? JSONEncoder().encode(response)
        guard let data, data.count <= Self.longestData else { return ("The answer is too long.", nil) }
        return ("", String(decoding: data, as: UTF8.self))
    }

    /// The maximum size of the data in an answer, because the record about the order contains the data.
    private static var longestData: Int { 16 << 10 }
}
