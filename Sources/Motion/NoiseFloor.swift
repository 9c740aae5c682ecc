package import Quantities

/// The learnt level of vibration while the vehicle stands: when it is parked, and when its engine idles.
///
/// Each level is the 90 % quantile of the deviations of one-second windows. It starts as the mean of the first ten windows.
/// Then it rises by nine small steps for a window above the level, and falls by one step for a window below the level
/// (Robbins and Monro 1951, for a quantile). The level can double within one minute, and halve within six. Single knocks
/// hardly change it.
package struct NoiseFloor: Sendable, Hashable, Codable {
    /// One level, and the number of windows behind it.
    package struct Level: Sendable, Hashable, Codable {
        /// The number of windows before the level is known.
        private static let enough = 60
        /// The number of windows at the beginning; the level starts with their mean.
        private static let beginning = 10
        /// The size of a step, as a share of the level.
        private static let step = 0.02
        /// The share of the windows below the level.
        private static let quantile = 0.9

        private var count = 0
        private var estimate = 0.0

        /// Makes an empty estimate.
        package init() {}

        /// The level; nil before one minute of windows is complete.
        package var level: Acceleration? { count >= Self.enough ? Acceleration(estimate) : nil }

        /// The level as soon as it can be estimated; nil before ten windows.
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

    /// The level with the engine off.
    package var parked = Level()
    /// The level while the vehicle stands during a trip, for example at a traffic light.
    package var idling = Level()

    /// The level of the motion that led nowhere since the vehicle was parked here; nil unless a start here was false.
    package var place: Level?

    /// Makes an empty estimate.
    package init() {}
}
