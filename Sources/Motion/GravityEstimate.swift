/// Where down is for the chip, learnt while the vehicle stands.
package struct GravityEstimate: Sendable, Hashable, Codable {
    /// Fewer windows than these say nothing.
    private static let fewestWindows = 5
    /// So many windows are remembered, about: roads slope both ways, and the mean of many stops is level.
    private static let memory = 120
    /// The cosine of 20°: what is tilted further was mounted anew, for the steepest streets rise by 35 %, which is 19°.
    private static let remountedCosine = 0.9397
    /// So many tilted windows in a row are no mistake.
    private static let remountedAfter = 3

    private var mean = AccelerationSample.zero
    private var count = 0
    private var tilted = 0

    /// Makes an estimate that knows nothing.
    package init() {}

    /// What the chip reads at rest; nothing before enough was learnt.
    package var gravity: AccelerationSample? { count < Self.fewestWindows ? nil : mean }

    /// Learns from the mean of a window in which the vehicle stood; says whether the chip was found mounted anew.
    package mutating func learn(atRest window: AccelerationSample) -> Bool {
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
