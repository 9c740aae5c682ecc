package import Quantities

/// Limits the reports about a server that fails and works in turn: four at once, then one a minute, which sums up those
/// in between. Other events pass.
package struct ReportThrottle: Sendable, Hashable {
    private var credit = Self.burst
    /// When the next credit arrives; nil if the credit is full.
    private var refill: Instant?
    private var failures = 0
    private var reason = ""
    private var pending: UploadReport.Event?

    package init() {}

    private static let burst = 4
    private static let interval: Duration = .seconds(60)

    /// The time at which `flush` returns the pending report; nil if there is none.
    package var deadline: Instant? { pending == nil ? nil : refill }

    package mutating func take(_ event: UploadReport.Event, at now: Instant) -> [UploadReport.Event] {
        switch event {
        case .failing(let reason), .unauthorised(let reason):
            failures += 1
            self.reason = reason
        case .recovered: break
        case .delivered, .unsteady, .setAside, .unsendable, .passedOver, .held, .notice, .ordersRefused,
            .queueFailing:
            return [event]
        }
        refillCredit(at: now)
        pending = event
        return credit > 0 ? pass(event, at: now) : []
    }

    package mutating func flush(at now: Instant) -> [UploadReport.Event] {
        refillCredit(at: now)
        guard let pending, credit > 0 else { return [] }
        // A summary of a single change would only repeat it.
        let isSingle = pending.isFailure ? failures == 1 : failures == 0
        let report = isSingle ? pending : .unsteady(failures: failures, reason: reason, isFailing: pending.isFailure)
        return pass(report, at: now)
    }

    private mutating func pass(_ event: UploadReport.Event, at now: Instant) -> [UploadReport.Event] {
        (pending, failures) = (nil, 0)
        credit -= 1
        refill = refill ?? now + Self.interval
        return [event]
    }

    private mutating func refillCredit(at now: Instant) {
        while let due = refill, due <= now {
            credit += 1
            refill = credit < Self.burst ? due + Self.interval : nil
        }
    }
}

extension UploadReport.Event {
    fileprivate var isFailure: Bool {
        switch self {
        case .failing, .unauthorised: true
        case .delivered, .recovered, .unsteady, .setAside, .unsendable, .passedOver, .held, .notice, .ordersRefused,
            .queueFailing:
            false
        }
    }
}
