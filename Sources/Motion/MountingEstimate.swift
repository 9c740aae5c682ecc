package import Quantities

/// How the chip sits in the vehicle, learnt on the way: where down is, and where ahead.
///
/// Down is what it reads at rest. Ahead is the level direction in which its readings follow the changes of speed that the
/// receiver reports: the least-squares solution of `reading = change of speed × ahead`. Neither needs a known orientation, nor
/// even the sign: chips that report gravity upwards and those that report it downwards are learnt alike.
package struct MountingEstimate: Sendable, Hashable, Codable {
    /// What pushed the vehicle along its own axes.
    package struct Push: Sendable, Hashable {
        /// Ahead; negative when it brakes.
        package let ahead: Acceleration
        /// To the side; to which one is not known.
        package let aside: Acceleration
    }

    /// Changes of speed below this tell little: a road that rises by 5 % looks like 0.5 m/s².
    private static let informativeChange = Acceleration(0.7)
    /// So many informative windows it takes; a minute of town traffic has about 20.
    private static let fewestWindows = 20.0
    /// Older windows fade, so that a chip that was turned about the vertical is learnt anew within minutes.
    private static let memory = 100.0
    /// How long the solution must be: 1 if chip and receiver agree, 0.76 to 1.1 in drives that were recorded.
    private static let plausibleGain = 0.5...1.5
    /// The share of what the chip felt that the changes of speed explain (as a correlation); the rest is curves and slopes.
    private static let fewestCorrelation = 0.6

    private var gravity = GravityEstimate()
    private var windows = 0.0
    private var sumOfProducts = AccelerationSample.zero
    private var sumOfChanges = 0.0
    private var sumOfReadings = 0.0

    /// Makes an estimate that knows nothing.
    package init() {}

    /// Whether it is known how the chip sits.
    package var isKnown: Bool { axes != nil }

    /// Learns from the mean of a window in which the vehicle stood.
    package mutating func learn(atRest window: AccelerationSample) {
        let isRemounted = gravity.learn(atRest: window)
        if isRemounted { self = MountingEstimate() }
    }

    /// Learns from the mean of the readings taken while the speed changed at this rate.
    package mutating func learn(_ mean: AccelerationSample, whileSpeedChangedBy change: Acceleration) {
        guard change.magnitude >= Self.informativeChange, let level = level(mean) else { return }
        let kept = windows < Self.memory ? 1 : 1 - 1 / Self.memory
        windows = windows * kept + 1
        sumOfProducts = sumOfProducts * kept + level * change.value
        sumOfChanges = sumOfChanges * kept + change.value * change.value
        sumOfReadings = sumOfReadings * kept + level.along(level)
    }

    /// What pushed the vehicle in a window with this mean; nothing before it is known how the chip sits.
    package func push(_ mean: AccelerationSample) -> Push? {
        guard let axes, let level = level(mean) else { return nil }
        return Push(ahead: Acceleration(level.along(axes.ahead)), aside: Acceleration(level.along(axes.aside)))
    }

    private var axes: (ahead: AccelerationSample, aside: AccelerationSample)? {
        guard windows >= Self.fewestWindows, let down = gravity.gravity?.normalised, sumOfReadings > 0 else {
            return nil
        }
        let gain = sumOfProducts.magnitude / sumOfChanges
        let correlation = sumOfProducts.magnitude / (sumOfChanges * sumOfReadings).squareRoot()
        guard Self.plausibleGain.contains(gain), correlation >= Self.fewestCorrelation else { return nil }
        let product = sumOfProducts - down * sumOfProducts.along(down)
        return product.normalised.map { ($0, down.cross($0)) }
    }

    /// What is left of a mean without gravity and without what is upright.
    private func level(_ mean: AccelerationSample) -> AccelerationSample? {
        guard let gravity = gravity.gravity, let down = gravity.normalised else { return nil }
        let dynamic = mean - gravity
        return dynamic - down * dynamic.along(down)
    }
}
