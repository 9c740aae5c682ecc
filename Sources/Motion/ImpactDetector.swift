package import Quantities

/// Distinguishes an impact from a pothole and from a rough road.
package struct ImpactDetector: Sendable, Hashable {
    /// The limit while driving: 2.0 g beyond the steady acceleration.
    ///
    /// A published crash detection uses 2.0 g, because 3.0 g missed about half of the crashes; the strongest shock of the
    /// ordinary car drives that were recorded has 1.7 g.
    private static let drivingLimit = Acceleration(2.0 * 9.80665)
    /// Below 25 km/h, kerbs and doors cause the shocks; the published detection has the same bound.
    private static let drivingSpeed = MetresPerSecond(25 / 3.6)
    /// The limit at any speed, also when parked: 4 g, the usual limit of trackers' high-g interrupts; no door shakes a chassis
    /// like this.
    private static let anyLimit = Acceleration(4.0 * 9.80665)
    /// The factor by which an impact exceeds the usual shock: a recorded motorcycle has ten shocks of 2 to 3.7 g in two minutes,
    /// up to 4.8 times its usual one.
    private static let prominence = 6.0
    /// The number of windows over which the usual shock is averaged.
    private static let memory = 30

    private var usual = Acceleration.zero
    private var count = 0

    /// Makes a detector without a shock so far.
    package init() {}

    /// Whether the strongest shock of a window was an impact.
    ///
    /// `speed` is the highest of the last seconds, because an impact ends the speed.
    package mutating func isImpact(_ shock: WindowForces.Shock, speed: MetresPerSecond?) -> Bool {
        let isProminent = shock.peak >= usual * Self.prominence
        count = min(count + 1, Self.memory)
        usual = usual + (shock.peak - usual) * (1 / Double(count))
        guard isProminent else { return false }
        let isDriving = speed.map { $0 >= Self.drivingSpeed } ?? false
        return shock.peak >= (isDriving ? Self.drivingLimit : Self.anyLimit)
    }
}
