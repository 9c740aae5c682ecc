package import Quantities

/// The learnt level of vibration while the vehicle stands: when it is parked, and when its engine idles. A level is the
/// 90 % quantile of the deviations of one-second windows. It starts as the mean of the first ten windows; then a window
/// above raises it by nine small steps, and one below lowers it by one (Robbins and Monro 1951, for a quantile). It can
/// double within one minute and halve within six, and a single knock hardly changes it.
package struct NoiseFloor: Sendable, Hashable, Codable {
    package struct Level: Sendable, Hashable, Codable {
        private static let enough = 60
        /// The number of windows whose mean is the first level.
        private static let beginning = 10
        /// Ten small steps, as a share of the level; one small step is 0.2 % of it.
        private static let step = 0.02
        /// The share of the windows that are below the level.
        private static let quantile = 0.9

        private var count = 0
        private var estimate = 0.0

        package init() {}

        /// Nil until there is a minute of windows.
        package var level: Acceleration? { count >= Self.enough ? Acceleration(estimate) : nil }

        /// Nil until there are ten windows.
        package var roughLevel: Acceleration? { count >= Self.beginning ? Acceleration(estimate) : nil }

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

    package var parked = Level()
    /// The level while the vehicle stands during a trip, for example at a traffic light.
    package var idling = Level()

    /// The level where the vehicle is parked; nil unless motion there has caused a false start.
    package var place: Level?

    package init() {}
}
