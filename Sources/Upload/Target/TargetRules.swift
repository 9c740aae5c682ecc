package import TrackingOptions

/// What a target receives, and over which networks.
package struct TargetRules: Sendable, Hashable {
    /// Which records the target receives.
    package var filter: RecordFilter
    /// Which missed records it receives later; nil means as the option `replay` requires.
    package var replay: ReplayRule?
    /// Over which networks the server may be reached.
    package var network: NetworkPolicy
    /// The bytes that the connections to the server may cause in a calendar month of UTC; nil means no limit.
    package var monthlyBytes: Int64?

    /// Makes rules; by default the target receives everything, over every network.
    package init(
        filter: RecordFilter = RecordFilter(), replay: ReplayRule? = nil, network: NetworkPolicy = NetworkPolicy(),
        monthlyBytes: Int64? = nil
    ) {
        (self.filter, self.replay, self.network, self.monthlyBytes) = (filter, replay, network, monthlyBytes)
    }
}
