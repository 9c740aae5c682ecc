import Motion
import Quantities

/// The range of a vehicle's vibration: the standard deviation of the acceleration within a second, in m/s².
///
/// The levels come from measurements with phones and chips that lay loose in cars or were screwed to the cars.
package struct VibrationProfile: Sendable, Hashable {
    let levels: ClosedRange<Double>
    /// A shock that lasts less than a second.
    var shock: Shock?

    struct Shock: Sendable, Hashable {
        /// Seconds since the start of the phase.
        let range: ClosedRange<Double>
        let level: Double
    }

    package init(_ levels: ClosedRange<Double>) { self.levels = levels }

    /// A parked car with its engine off: the level is below 0.08 in 99 % of the seconds.
    package static let rest = VibrationProfile(0.02...0.08)
    package static let idling = VibrationProfile(0.08...0.11)
    /// Roads in town: the level is above 0.26 in 95 % of the seconds, and its median is 0.4 to 0.7.
    package static let road = VibrationProfile(0.26...0.7)
    /// The smoothest measured motorway: the level is above 0.092 in 95 % of the seconds, and its median is 0.18.
    package static let motorway = VibrationProfile(0.08...0.28)
    /// Wind and rain on the roof of a parked vehicle.
    package static let weather = VibrationProfile(0.02...0.15)
}

/// Makes the samples of a vibrating accelerometer.
struct Shaker: Sendable {
    private static let gravity = 9.81

    private var random: SplitMix
    private var level = 0.0
    private var holdUntil = 0

    init(seed: UInt64) { random = SplitMix(seed: seed) }

    /// Returns the level in a second of the scenario; the level is constant for one to four seconds, like gusts and
    /// road surfaces.
    mutating func level(of vibration: VibrationProfile, second: Int, isNew: Bool) -> Double {
        if isNew || second >= holdUntil {
            level = random.uniform(vibration.levels)
            holdUntil = second + 1 + Int(random.next() % 4)
        }
        return level
    }

    /// Returns a sample at this level while the vehicle accelerates by `acceleration` in m/s².
    mutating func sample(level: Double, acceleration: Double) -> AccelerationSample {
        AccelerationSample(x: acceleration, y: 0, z: Self.gravity + level * random.normal())
    }
}
