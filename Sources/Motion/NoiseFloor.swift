package import Quantities

/// What the accelerometer feels while the vehicle stands, learnt on the way: parked, and with the engine idling.
///
/// Each level is the one that nine windows of a second in ten stay below, followed by small steps: up by nine where a window
/// is above, down by one where it is below (Robbins and Monro 1951, for the quantile). Single knocks hardly move it.
package struct NoiseFloor: Sendable, Hashable, Codable {
    /// One level and how much was heard for it.
    package struct Level: Sendable, Hashable, Codable {
        /// Windows before the level is told.
        private static let enough = 60
        /// Steps of this share of the level: some hundred windows forget a wrong beginning.
        private static let step = 0.01
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
            guard estimate > 0 else {
                estimate = deviation.value
                return
            }
            // Early windows count for more, so that the first one does not stay for minutes.
            let step = estimate * max(Self.step, 0.5 / Double(count))
            estimate += deviation.value > estimate ? step * Self.quantile : -step * (1 - Self.quantile)
        }
    }

    /// While nothing runs.
    package var parked = Level()
    /// While the vehicle stands on its way, as at a traffic light.
    package var idling = Level()

    /// Begins without knowing anything.
    package init() {}
}
