import Tracking
import TrackingOptions

/// The records that a target does not get later because it could not be reached when they were new.
///
/// The newest place is always tried, and everything is when the rule is `all`. What a target missed while the program did
/// not run is not known to be missed, and is delivered.
struct MissedRecords: Sendable, Hashable {
    private let rule: ReplayRule
    /// Up to this record all are missed, but for those that the rule wants to be delivered later.
    private(set) var through: Int64 = 0
    /// The newest record that failed.
    private var failed: Int64 = 0

    init(rule: ReplayRule) { self.rule = rule }

    mutating func noteFailure(of shipment: Shipment) { failed = max(failed, shipment.sequences.last ?? 0) }

    /// An attempt begins after a failure: what is older than the newest place came too late.
    mutating func notePause(before newest: Int64?) { through = max(through, newest.map { $0 - 1 } ?? failed) }

    /// The queue has noted them; what comes to the target from now on is there by somebody's order.
    mutating func passedOver() { self = MissedRecords(rule: rule) }

    func contains(_ stored: StoredRecord) -> Bool {
        switch rule {
        case .all: false
        case .stops: stored.sequence <= through && !stored.record.isStop
        case .none: stored.sequence <= through
        }
    }
}
