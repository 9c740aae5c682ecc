package import Quantities

/// The learnt level of vibration while the vehicle stands: when it is parked, and when its engine idles.
///
/// Each level is the 90 % quantile of the deviations of one-second windows. The level starts as the mean of the first
/// ten windows. After that, a window above the level raises the level by nine small steps, and a window below it lowers
/// the level by one step (Robbins and Monro 1951, for a quantile). The level can double within one minute, and halve
/// within six minutes. A single knock hardly changes the level.
package struct NoiseFloor: Sendable, Hashable, Codable {
    /// One level, and the number of windows from which it was learnt.
    package struct Level: Sendable, Hashable, Codable {
        /// The number of windows after which the level is known.
        private static let enough = 60
        /// The number of first windows; the level starts as the mean of these windows.
        private static let beginning = 10
        /// Ten small steps, as a share of the level: a small step is 0.2 % of the level.
        private static let step = 0.02
        /// The share of the windows below the level.
        private static let quantile = 0.9

        private var count = 0
        private var estimate = 0.0

        package init() {}

        /// The level; nil before one minute of windows is complete.
        package var level: Acceleration? { count >= Self.enough ? Acceleration(estimate) : nil }

        /// A rough estimate of the level after ten windows; nil before that.
        package var roughLevel: Acceleration? { count >= Self.beginning ? Acceleration(estimate) : nil }

        /// Learns from the standard deviation of a window.
        package mutating func learn(_ deviation: Acceleration) {
            count = min(count + 1, Self.enough)
            guard count > Self.beginning, estimate > 0 else {
                estimate += (deviation.value - estimate) / Double(min(count, Self.beginning))
                return
            }
            let isAbove = deviation.value > estimate
            estimate *= 1 + Self.step * (isAbove ? Self.quantile : Self.quantile - 1)
        }
    }

    /// The level while the vehicle is parked.
    package var parked = Level()
    /// The level while the vehicle stands during a trip, for example at a traffic light.
    package var idling = Level()

    /// The level of vibration at the present parked place; nil unless motion at this place has caused a false start.
    package var place: Level?

    package init() {}
}
