package import Quantities

/// Tells an impact from a pothole, and from a rough road.
package struct ImpactDetector: Sendable, Hashable {
    /// While driving: 2.0 g beyond the steady acceleration.
    ///
    /// A published crash detection uses 2.0 g since 3.0 g missed about half; the hardest blow of the ordinary car drives that
    /// were recorded has 1.7 g.
    private static let drivingLimit = Acceleration(2.0 * 9.80665)
    /// Slower than 25 km/h, what is felt is kerbs and doors; the same detection draws the line there.
    private static let drivingSpeed = MetresPerSecond(25 / 3.6)
    /// At any speed, also parked: 4 g, the usual limit of high-g interrupts of trackers; no door does that to a chassis.
    private static let anyLimit = Acceleration(4.0 * 9.80665)
    /// It stands out so much from the blows before it: a recorded motorcycle has ten of 2 to 3.7 g in two minutes, and they are
    /// up to 4.8 times the usual one.
    private static let prominence = 6.0
    /// Over so many windows that usual one is taken.
    private static let memory = 30

    private var usual = Acceleration.zero
    private var count = 0

    /// Makes a detector that has felt nothing.
    package init() {}

    /// Whether the hardest blow of a window was an impact; `speed` is the highest of the last seconds, since an impact takes it
    /// away.
    package mutating func isImpact(_ blow: Forces.Blow, speed: MetresPerSecond?) -> Bool {
        let isProminent = blow.peak >= usual * Self.prominence
        count = min(count + 1, Self.memory)
        usual = usual + (blow.peak - usual) * (1 / Double(count))
        guard isProminent else { return false }
        let isDriving = speed.map { $0 >= Self.drivingSpeed } ?? false
        return blow.peak >= (isDriving ? Self.drivingLimit : Self.anyLimit)
    }
}
