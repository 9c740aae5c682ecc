package import Quantities
package import TrackingOptions

/// Records after a displacement that grows with speed.
package struct DistanceRule: Sendable, Hashable {
    private let filter: Metres
    private let multiplier: Double

    /// Makes the rule from `distanceFilter`, `disableElasticity` and `elasticityMultiplier`.
    package init(_ options: TrackingOptions) {
        filter = options.distanceFilter
        multiplier = options.disableElasticity ? 0 : options.elasticityMultiplier
    }

    /// Whether there is a distance rule.
    var isOn: Bool { filter > .zero }

    /// The displacement that is needed at this speed: one more filter length for each 5 m/s begun.
    ///
    /// It is taken anew for each fix, so that it shrinks while the vehicle brakes and the parked place is not lost. The steps
    /// round up because only that fits both published examples: 7.7 m/s with 30 m give 60 m, 27 m/s with 50 m give 300 m.
    package func effectiveFilter(at speed: MetresPerSecond?) -> Metres {
        let steps = ((speed?.value ?? 0) / 5).rounded(.up)
        return filter * max(1, steps * multiplier)
    }

    /// Whether a fix is far enough from the last record.
    func wants(_ fix: AcceptedFix, after last: Coordinate) -> Bool {
        isOn && last.distance(to: fix.coordinate) >= effectiveFilter(at: fix.position.speed)
    }
}
