package import Quantities

/// What is left of the samples of about one second: how many, and how much their magnitude varied.
///
/// Only the length of the vector counts, so that the mounting does not matter and gravity needs no calibration.
package struct MotionWindow: Sendable, Hashable {
    /// How many samples came.
    package private(set) var count = 0
    private var mean = 0.0
    private var squares = 0.0

    /// Makes an empty window.
    package init() {}

    /// Takes a sample in (Welford's method, which loses no digits to the large mean that gravity is).
    package mutating func add(_ sample: AccelerationSample) {
        count += 1
        let magnitude = sample.magnitude
        let difference = magnitude - mean
        mean += difference / Double(count)
        squares += difference * (magnitude - mean)
    }

    /// Standard deviation of the magnitude; zero for fewer than two samples.
    package var deviation: Acceleration {
        Acceleration(count < 2 ? 0 : (squares / Double(count)).squareRoot())
    }
}
