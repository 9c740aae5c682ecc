package import Quantities

package struct ImpactDetector: Sendable, Hashable {
    /// The limit beyond the steady acceleration, at driving speed. A published crash detection uses 2.0 g, because 3.0
    /// g missed about half of the crashes. The strongest shock in the recordings of ordinary car drives is 1.7 g.
    private static let drivingLimit = Acceleration(2.0 * 9.80665)
    /// Below 25 km/h, kerbs and doors cause strong shocks; a published crash detection has the same bound.
    private static let drivingSpeed = MetresPerSecond(25 / 3.6)
    /// The limit at any speed is 4 g, as usual for trackers' high-g interrupts. No door shakes a chassis this strongly.
    private static let anyLimit = Acceleration(4.0 * 9.80665)
    /// An impact is at least this multiple of the usual shock. A recorded motorcycle had ten shocks of 2 to 3.7 g, at
    /// most 4.8 times its usual one.
    private static let prominence = 6.0
    /// The number of windows over which the usual shock is averaged.
    private static let memory = 30

    private var usual = Acceleration.zero
    private var count = 0

    package init() {}

    /// Judges the shock, and learns the usual one from it. `speed` is the highest of the last seconds, because an
    /// impact stops the vehicle.
    package mutating func isImpact(_ shock: WindowForces.Shock, speed: MetresPerSecond?) -> Bool {
        let isProminent = shock.peak >= usual * Self.prominence
        count = min(count + 1, Self.memory)
        usual = usual + (shock.peak - usual) * (1 / Double(count))
        guard isProminent else { return false }
        let isDriving = speed.map { $0 >= Self.drivingSpeed } ?? false
        return shock.peak >= (isDriving ? Self.drivingLimit : Self.anyLimit)
    }
}
