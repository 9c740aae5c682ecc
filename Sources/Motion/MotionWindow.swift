package import Quantities

/// Running statistics of a one-second window: count, variance of the magnitude, mean and strongest shock.
///
/// The statistics use only the length of the vector to detect motion, so the mounting does not matter and gravity needs no
/// calibration.
package struct MotionWindow: Sendable, Hashable {
    /// Readings more than 1 g away from the reference belong to a shock.
    ///
    /// In the recorded car drives, fewer than one second in a hundred contains a shock.
    package static let shockLevel = Acceleration(9.80665)
    private static let shockSquared = shockLevel.value * shockLevel.value

    /// The number of samples.
    package private(set) var count = 0
    private var firstMagnitude = 0.0
    private var sum = 0.0
    private var squares = 0.0
    private let reference: AccelerationSample
    private var beyond = AccelerationSample.zero
    private var strongest = 0.0
    private var shocks = 0

    /// Makes an empty window.
    ///
    /// The window measures shocks relative to `reference`, such as the mean of the previous window.
    package init(reference: AccelerationSample = .zero) { self.reference = reference }

    /// Adds a sample.
    ///
    /// The window adds up magnitudes relative to the first sample. The large mean from gravity therefore does not reduce
    /// the precision.
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
        strongest = max(strongest, squared)
        if squared > Self.shockSquared { shocks += 1 }
    }

    /// Standard deviation of the magnitude; zero for fewer than two samples.
    package var deviation: Acceleration {
        guard count >= 2 else { return .zero }
        return Acceleration(max(0, (squares - sum * sum / Double(count)) / Double(count)).squareRoot())
    }

    /// The mean of the samples; the reference if there is no sample.
    var meanSample: AccelerationSample { reference + beyond * (1 / Double(max(1, count))) }

    func forces(over length: Duration) -> WindowForces {
        let shock = WindowForces.Shock(
            peak: Acceleration(strongest.squareRoot()), lasted: length * (Double(shocks) / Double(max(1, count))))
        return WindowForces(mean: meanSample, shock: shock)
    }
}

/// The mean acceleration of a window, and its strongest shock.
package struct WindowForces: Sendable, Hashable, Codable {
    /// A shock, measured relative to the mean of the previous window, or after a pause relative to the first sample.
    ///
    /// The shock therefore contains neither gravity nor steady braking.
    package struct Shock: Sendable, Hashable, Codable {
        package let peak: Acceleration
        /// How long the readings were beyond `MotionWindow.shockLevel`; zero if there was no such reading.
        package let lasted: Duration

        package init(peak: Acceleration, lasted: Duration) {
            self.peak = peak
            self.lasted = lasted
        }
    }

    /// The mean of the readings: gravity, and the vehicle's changes of speed and course.
    package let mean: AccelerationSample
    package let shock: Shock

    package init(mean: AccelerationSample, shock: Shock) {
        self.mean = mean
        self.shock = shock
    }
}

/// The judgement of one window.
package struct MotionVerdict: Sendable, Hashable, Codable {
    /// Whether the vehicle moves according to the accelerometer.
    package let isMoving: Bool
    /// Whether this window was active; a window between the two levels is active if the window before it was active.
    package let isActive: Bool
    /// The start of the first active window of the motion; nil without motion, or if only the verdict of the chip itself is known.
    package let onset: Instant?
    /// The forces; nil if no window was measured, for example if only the verdict of the chip itself is known.
    package let forces: WindowForces?
    /// Standard deviation of the magnitude; nil if no window was measured.
    package let deviation: Acceleration?

    /// Makes a verdict; if `isActive` is left out, it is equal to `isMoving`.
    package init(
        isMoving: Bool, isActive: Bool? = nil, onset: Instant? = nil, forces: WindowForces? = nil,
        deviation: Acceleration? = nil
    ) {
        self.isMoving = isMoving
        self.isActive = isActive ?? isMoving
        self.onset = onset
        self.forces = forces
        self.deviation = deviation
    }
}
