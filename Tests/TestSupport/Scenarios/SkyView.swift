import Quantities
import Recordings
import Tracking

package enum SkyView: Sendable, Hashable, CaseIterable {
    /// An open sky: the position has a slowly wandering error with a standard deviation of 2 m along each axis.
    ///
    /// The receiver reports an accuracy of 3 to 6 m.
    case open
    /// A broken antenna or a street canyon: the receiver reports a fix every 3 to 15 s, sometimes without speed.
    ///
    /// The receiver reports an accuracy of 80 to 400 m, which is right for 68 % of the fixes. Between the fixes, it reports
    /// no position.
    case poor
    /// No sky: reports without a position.
    case none
    /// The receiver hangs and repeats its last report.
    ///
    /// If there is no last report, it repeats a report without a position.
    case frozen
    case silent
}

/// Makes a receiver's reports, one per second, from the true position of the vehicle.
struct ReceiverNoise: Sendable {
    /// The parameters of a Gauss-Markov process: the factors per second for the old error and for the new noise.
    private struct Wander: Sendable {
        let kept: Double
        let new: Double

        /// The error is correlated over about a minute, like errors from the atmosphere after the receiver's filter.
        static let slow = Wander(kept: 0.9835, new: 0.181)
        /// The error is correlated over about 20 s, like errors from reflections.
        static let quick = Wander(kept: 0.951, new: 0.309)
    }

    private static let openError = 2.0
    private static let poorErrors = 80.0...400.0

    private var random: SplitMix
    private let speedNoise: Double
    private var east = 0.0
    private var north = 0.0
    private var poorUntil = 0
    private var last: Fix?

    init(seed: UInt64) {
        random = SplitMix(seed: seed)
        speedNoise = random.uniform(0.1...0.3)
        east = random.normal()
        north = random.normal()
    }

    /// Returns the report of a second, or nil if the receiver is silent.
    mutating func report(_ skyView: SkyView, at place: Coordinate?, speed: Double, course: Double, second: Int)
        -> Fix?
    {
        let time = SimulatedDate.epoch + .seconds(second)
        switch skyView {
        case .open:
            wander(.slow)
            let stated = random.uniform(3...6)
            last = fix(
                time, place, error: Self.openError, stated: stated, speed: noisy(speed, by: speedNoise), course: course)
        case .poor:
            wander(.quick)
            last = poor(time, place, speed: speed, course: course, second: second)
        case .none:
            last = Fix(mode: .noFix, time: time)
        case .frozen:
            last = last ?? Fix(mode: .noFix, time: time)
        case .silent:
            return nil
        }
        return last
    }

    private mutating func poor(_ time: Timestamp, _ place: Coordinate?, speed: Double, course: Double, second: Int)
        -> Fix
    {
        guard second >= poorUntil else { return Fix(mode: .noFix, time: time) }
        poorUntil = second + 3 + Int(random.next() % 13)
        let stated = random.uniform(Self.poorErrors)
        let hasSpeed = random.next() % 10 < 6
        // Two errors of σ along the axes are together within 1.51 σ in 68 % of the cases.
        return fix(
            time, place, error: stated / 1.51, stated: stated, speed: hasSpeed ? noisy(speed, by: 1) : nil,
            course: course, speedAccuracy: 1)
    }

    private mutating func wander(_ wander: Wander) {
        east = wander.kept * east + wander.new * random.normal()
        north = wander.kept * north + wander.new * random.normal()
    }

    private mutating func fix(
        _ time: Timestamp, _ place: Coordinate?, error: Double, stated: Double, speed: Double?, course: Double,
        speedAccuracy: Double? = nil
    ) -> Fix {
        // The error also contains noise that is new in each second; it is a tenth as strong as the wandering part.
        let east = error * (east + 0.1 * random.normal())
        let north = error * (north + 0.1 * random.normal())
        return Fix(
            mode: .threeDimensional, time: time, coordinate: place?.moved(east: Metres(east), north: Metres(north)),
            accuracy: Metres(stated), altitude: Metres(3), speed: speed.map(MetresPerSecond.init),
            speedAccuracy: MetresPerSecond(speedAccuracy ?? speedNoise),
            course: (speed ?? 0) > 1 ? Degrees(course) : nil, satellites: stated < 10 ? 9 : 4)
    }

    /// A receiver measures speed along two axes, so at rest it reports a little more than zero.
    private mutating func noisy(_ speed: Double, by noise: Double) -> Double {
        let (along, across) = (speed + noise * random.normal(), noise * random.normal())
        return (along * along + across * across).squareRoot()
    }
}
