package import Delivery
package import TrackingOptions

/// The records that a target receives, and the networks over which trackerd may send them.
package struct TargetRules: Sendable, Hashable {
    package var filter: RecordFilter
    /// The missed records that the target receives later; nil means that the option `replay` applies.
    package var replay: ReplayRule?
    /// The networks over which trackerd may connect to the server.
    package var network: NetworkPolicy
    /// The maximum number of bytes that the connections to the server may carry in a calendar month in UTC; nil means no limit.
    package var monthlyBytes: Int64?

    /// Makes rules; by default the target receives all records, over all networks.
    package init(
        filter: RecordFilter = RecordFilter(), replay: ReplayRule? = nil, network: NetworkPolicy = NetworkPolicy(),
        monthlyBytes: Int64? = nil
    ) {
        (self.filter, self.replay, self.network, self.monthlyBytes) = (filter, replay, network, monthlyBytes)
    }
}
