package import Quantities

/// What is left of the samples of about one second: how many, how much their magnitude varied, and what they felt.
///
/// For motion only the length of the vector counts, so that the mounting does not matter and gravity needs no calibration.
package struct MotionWindow: Sendable, Hashable {
    /// Readings that lie more than 1 g beyond the reference belong to a blow; in the car drives that were recorded hardly one
    /// second in a hundred has one.
    package static let blowLevel = Acceleration(9.80665)
    private static let blowSquared = blowLevel.value * blowLevel.value

    /// How many samples came.
    package private(set) var count = 0
    private var firstMagnitude = 0.0
    private var sum = 0.0
    private var squares = 0.0
    private let reference: AccelerationSample
    private var beyond = AccelerationSample.zero
    private var hardest = 0.0
    private var blows = 0

    /// Makes an empty window; blows are what goes beyond `reference`, such as the mean of the window before.
    package init(reference: AccelerationSample = .zero) { self.reference = reference }

    /// Takes a sample in.
    ///
    /// Magnitudes are counted from the first one: no digits are lost to the large mean that gravity is, and nothing is divided.
    package mutating func add(_ sample: AccelerationSample) {
        let magnitude = sample.magnitude
        if count == 0 { firstMagnitude = magnitude }
        count += 1
        let difference = magnitude - firstMagnitude
        sum += difference
        squares += difference * difference
        let excess = sample - reference
        beyond = beyond + excess
        let squared = excess.along(excess)
        hardest = max(hardest, squared)
        if squared > Self.blowSquared { blows += 1 }
    }

    /// Standard deviation of the magnitude; zero for fewer than two samples.
    package var deviation: Acceleration {
        guard count >= 2 else { return .zero }
        return Acceleration(max(0, (squares - sum * sum / Double(count)) / Double(count)).squareRoot())
    }

    /// The mean of the samples; the reference when there are none.
    var meanSample: AccelerationSample { reference + beyond * (1 / Double(max(1, count))) }

    /// What they felt, if they took so long.
    func forces(over length: Duration) -> Forces {
        let blow = Forces.Blow(
            peak: Acceleration(hardest.squareRoot()), lasted: length * (Double(blows) / Double(max(1, count))))
        return Forces(mean: meanSample, blow: blow)
    }
}
