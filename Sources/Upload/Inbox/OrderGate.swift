internal import Delivery
internal import Quantities

/// Limits the orders of one target: 20 in quick succession, then one per second, and at most 100 per hour.
struct OrderGate: Sendable {
    private static let burst = 20
    private static let perHour = 100

    private var credit = Self.burst
    private var refilled: Instant?
    private var hour: (began: Instant, count: Int)?

    init() {}

    mutating func admits(at now: Instant) -> Bool {
        if let refilled, now > refilled {
            let seconds = Int((now - refilled) / .seconds(1))
            credit = min(Self.burst, credit + seconds)
            self.refilled = refilled + .seconds(seconds)
        } else {
            refilled = refilled ?? now
        }
        if let began = hour?.began, now - began >= .seconds(3600) { hour = nil }
        let count = hour?.count ?? 0
        guard credit > 0, count < Self.perHour else { return false }
        credit -= 1
        hour = (hour?.began ?? now, count + 1)
        return true
    }
}

/// Counts the refused orders of a target, and reports them at most once a minute.
struct RefusedOrders: Sendable {
    private var reason = ""
    private var count = 0
    private var next = Instant.boot

    var deadline: Instant? { count > 0 ? next : nil }

    mutating func add(_ refusal: OrderError) {
        reason = "\(refusal)"
        count += 1
    }

    mutating func take(at now: Instant) -> UploadReport.Event? {
        guard count > 0, now >= next else { return nil }
        defer { (count, next) = (0, now + .seconds(60)) }
        return .ordersRefused(count: count, reason: reason)
    }
}
