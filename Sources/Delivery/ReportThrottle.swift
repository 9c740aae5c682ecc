package import Quantities

/// Limits the reports about a server that alternately fails and works.
///
/// Four reports pass at once, and after them one per minute. The report of each minute summarises the reports that did
/// not pass.
///
/// The throttle does not limit reports of other events.
package struct ReportThrottle: Sendable, Hashable {
    /// The number of further reports that may pass at once.
    private var credit = Self.burst
    /// When `credit` grows by one; nil if the credit is full.
    private var refill: Instant?
    private var failures = 0
    private var reason = ""
    /// The last report that did not pass; nil if all have passed.
    private var pending: UploadReport.Event?

    package init() {}

    private static let burst = 4
    private static let interval: Duration = .seconds(60)

    /// When `flush` returns a report; nil if all reports have passed.
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

    /// Returns the report that had to wait, if it may pass now.
    package mutating func flush(at now: Instant) -> [UploadReport.Event] {
        refillCredit(at: now)
        guard let pending, credit > 0 else { return [] }
        // A single change needs no summary.
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
