import Motion
import Quantities

/// How much a vehicle is shaken: the standard deviation of the acceleration in a second lies in this range, in m/s².
///
/// The levels are those that were measured with phones and chips that lay or were screwed down in cars.
package struct VibrationProfile: Sendable, Hashable {
    /// The least and the most.
    let levels: ClosedRange<Double>
    /// Where a blow falls, seconds after the beginning, and how hard it is; nothing else lasts less than a second.
    var blow: Blow?

    struct Blow: Sendable, Hashable {
        let range: ClosedRange<Double>
        let level: Double
    }

    /// Any range.
    package init(_ levels: ClosedRange<Double>) { self.levels = levels }

    /// The engine is off; 99 % of the seconds in a parked car are below 0.08.
    package static let rest = VibrationProfile(0.02...0.08)
    /// The engine of a car idles.
    package static let idling = VibrationProfile(0.08...0.11)
    /// Roads in town: 95 % of the seconds are above 0.26, and the median is 0.4 to 0.7.
    package static let road = VibrationProfile(0.26...0.7)
    /// The smoothest motorway that was measured: 95 % of the seconds are above 0.092, and the median is 0.18.
    package static let motorway = VibrationProfile(0.08...0.28)
    /// Wind and rain on a parked roof.
    package static let weather = VibrationProfile(0.02...0.15)
}

/// Makes the readings of an accelerometer that is shaken.
struct Shaker: Sendable {
    private static let gravity = 9.81

    private var random: SplitMix
    private var level = 0.0
    private var holdUntil = 0

    init(seed: UInt64) { random = SplitMix(seed: seed) }

    /// The level in that second of the scenario: it stays for one to four of them, as gusts and road surfaces do.
    mutating func level(of vibration: VibrationProfile, second: Int, isNew: Bool) -> Double {
        if isNew || second >= holdUntil {
            level = random.uniform(vibration.levels)
            holdUntil = second + 1 + Int(random.next() % 4)
        }
        return level
    }

    /// A reading at this level, while the vehicle accelerates by so many m/s².
    mutating func sample(level: Double, acceleration: Double) -> AccelerationSample {
        AccelerationSample(x: acceleration, y: 0, z: Self.gravity + level * random.normal())
    }
}
