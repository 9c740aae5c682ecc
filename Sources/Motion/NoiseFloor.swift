package import Quantities

/// What the accelerometer feels while the vehicle stands, learnt on the way: parked, and with the engine idling.
///
/// Each level is the one that nine windows of a second in ten stay below. It begins as the mean of the first ten, and then goes
/// up by nine small steps where a window is above, down by one where it is below (Robbins and Monro 1951, for a quantile): it
/// doubles within a minute, and halves within six. Single knocks hardly move it.
package struct NoiseFloor: Sendable, Hashable, Codable {
    /// One level and how much was heard for it.
    package struct Level: Sendable, Hashable, Codable {
        /// Windows before the level is told.
        private static let enough = 60
        /// Windows whose mean it begins with.
        private static let beginning = 10
        /// The steps, as a share of the level.
        private static let step = 0.02
        /// The share of the windows that stay below.
        private static let quantile = 0.9

        private var count = 0
        private var estimate = 0.0

        /// Begins without knowing anything.
        package init() {}

        /// The level; nothing before a minute was heard.
        package var level: Acceleration? { count >= Self.enough ? Acceleration(estimate) : nil }

        /// Takes the standard deviation of a window.
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

    /// While nothing runs.
    package var parked = Level()
    /// While the vehicle stands on its way, as at a traffic light.
    package var idling = Level()

    /// Begins without knowing anything.
    package init() {}
}
