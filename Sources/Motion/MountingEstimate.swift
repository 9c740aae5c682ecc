package import Quantities

/// The vehicle's directions down and ahead in the axes of the chip, learnt while the vehicle is in use. Down is the mean
/// reading at rest. Ahead is the horizontal direction in which the readings follow the changes of speed that the
/// receiver reports: the least-squares solution of `reading = change of speed × ahead`. It needs no known orientation
/// or sign, so it works for chips that report gravity upwards and for those that report it downwards.
package struct MountingEstimate: Sendable, Hashable, Codable {
    package struct Push: Sendable, Hashable {
        /// Negative when the vehicle brakes.
        package let ahead: Acceleration
        /// To the left or to the right; the sign does not show which.
        package let aside: Acceleration
    }

    /// On a road that rises by 5 %, the reading is 0.5 m/s² even at constant speed, so smaller changes are ignored.
    private static let informativeChange = Acceleration(0.7)
    /// The number of windows with a change of speed; a minute of town traffic has about 20.
    private static let minimumWindows = 20.0
    /// The estimate is a mean over about this number of windows, so it is right again minutes after the chip was turned.
    private static let memory = 100.0
    /// The length of the solution is 1 if chip and receiver agree exactly, and 0.76 to 1.1 in the recorded drives.
    private static let plausibleGain = 0.5...1.5
    /// The least correlation of readings and changes of speed; curves and slopes make it less than 1.
    private static let minimumCorrelation = 0.6

    private var gravity = GravityEstimate()
    private var windows = 0.0
    private var sumOfProducts = AccelerationSample.zero
    private var sumOfChanges = 0.0
    private var sumOfReadings = 0.0

    package init() {}

    package var isKnown: Bool { axes != nil }

    package mutating func learn(atRest window: AccelerationSample) {
        let isRemounted = gravity.learn(atRest: window)
        if isRemounted { self = MountingEstimate() }
    }

    package mutating func learn(_ mean: AccelerationSample, whileSpeedChangedBy change: Acceleration) {
        guard change.magnitude >= Self.informativeChange, let level = level(mean) else { return }
        let kept = windows < Self.memory ? 1 : 1 - 1 / Self.memory
        windows = windows * kept + 1
        sumOfProducts = sumOfProducts * kept + level * change.value
        sumOfChanges = sumOfChanges * kept + change.value * change.value
        sumOfReadings = sumOfReadings * kept + level.along(level)
    }

    /// Nil before the orientation is known.
    package func push(_ mean: AccelerationSample) -> Push? {
        guard let axes, let level = level(mean) else { return nil }
        return Push(ahead: Acceleration(level.along(axes.ahead)), aside: Acceleration(level.along(axes.aside)))
    }

    private var axes: (ahead: AccelerationSample, aside: AccelerationSample)? {
        guard windows >= Self.minimumWindows, let down = gravity.gravity?.normalised, sumOfReadings > 0 else {
            return nil
        }
        let gain = sumOfProducts.magnitude / sumOfChanges
        let correlation = sumOfProducts.magnitude / (sumOfChanges * sumOfReadings).squareRoot()
        guard Self.plausibleGain.contains(gain), correlation >= Self.minimumCorrelation else { return nil }
        let product = sumOfProducts - down * sumOfProducts.along(down)
        return product.normalised.map { ($0, down.cross($0)) }
    }

    private func level(_ mean: AccelerationSample) -> AccelerationSample? {
        guard let gravity = gravity.gravity, let down = gravity.normalised else { return nil }
        let dynamic = mean - gravity
        return dynamic - down * dynamic.along(down)
    }
}

struct GravityEstimate: Sendable, Hashable, Codable {
    private static let minimumWindows = 5
    /// The mean is over about this number of windows. Roads slope in both directions, so the mean of many stops is level.
    private static let memory = 120
    /// The cosine of 20°, beyond which the chip has been remounted: the steepest streets rise by 35 %, which is 19°.
    private static let remountedCosine = 0.9397
    private static let remountedAfter = 3

    private var mean = AccelerationSample.zero
    private var count = 0
    private var tilted = 0

    var gravity: AccelerationSample? { count < Self.minimumWindows ? nil : mean }

    /// Returns whether the chip was remounted.
    mutating func learn(atRest window: AccelerationSample) -> Bool {
        guard count == 0 || !window.isTilted(from: mean, beyondCosine: Self.remountedCosine) else {
            tilted += 1
            guard tilted >= Self.remountedAfter else { return false }
            self = GravityEstimate()
            return true
        }
        tilted = 0
        count = min(count + 1, Self.memory)
        mean = mean + (window - mean) * (1 / Double(count))
        return false
    }
}
