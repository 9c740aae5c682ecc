package import Quantities

/// Statistics of a one-second window. Motion shows in the length of the vector alone, so the mounting does not matter
/// and gravity needs no calibration.
package struct MotionWindow: Sendable, Hashable {
    /// A reading farther than this from the reference belongs to a shock. Fewer than one in a hundred seconds of the
    /// recorded drives contain one.
    package static let shockLevel = Acceleration(9.80665)
    private static let shockSquared = shockLevel.value * shockLevel.value

    package private(set) var count = 0
    private var firstMagnitude = 0.0
    private var sum = 0.0
    private var squares = 0.0
    private let reference: AccelerationSample
    private var beyond = AccelerationSample.zero
    private var strongest = 0.0
    private var shocks = 0

    /// Shocks are measured relative to `reference`, such as the mean of the previous window.
    package init(reference: AccelerationSample = .zero) { self.reference = reference }

    /// Magnitudes are added relative to the first sample, so that gravity does not cost precision.
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

    /// The standard deviation of the magnitude; zero for fewer than two samples.
    package var deviation: Acceleration {
        guard count >= 2 else { return .zero }
        return Acceleration(max(0, (squares - sum * sum / Double(count)) / Double(count)).squareRoot())
    }

    var meanSample: AccelerationSample { reference + beyond * (1 / Double(max(1, count))) }

    func forces(over length: Duration) -> WindowForces {
        let shock = WindowForces.Shock(
            peak: Acceleration(strongest.squareRoot()), lasted: length * (Double(shocks) / Double(max(1, count))))
        return WindowForces(mean: meanSample, shock: shock)
    }
}

package struct WindowForces: Sendable, Hashable, Codable {
    /// A shock relative to the mean of the window before (after a pause, to the first sample), and therefore without
    /// gravity and braking.
    package struct Shock: Sendable, Hashable, Codable {
        package let peak: Acceleration
        /// How long readings were beyond `MotionWindow.shockLevel`; zero if none was.
        package let lasted: Duration

        package init(peak: Acceleration, lasted: Duration) {
            self.peak = peak
            self.lasted = lasted
        }
    }

    /// The mean of the window: gravity, and the vehicle's changes of speed and course.
    package let mean: AccelerationSample
    package let shock: Shock

    package init(mean: AccelerationSample, shock: Shock) {
        self.mean = mean
        self.shock = shock
    }
}

package struct MotionVerdict: Sendable, Hashable, Codable {
    package let isMoving: Bool
    /// A window between the two levels counts as the one before it.
    package let isActive: Bool
    /// When the motion began; nil without motion, or if only the chip's own verdict is known.
    package let onset: Instant?
    /// Nil if no window was measured, for example with only the chip's own verdict.
    package let forces: WindowForces?
    /// The standard deviation of the magnitude; nil if no window was measured.
    package let deviation: Acceleration?

    /// `isActive` is `isMoving` unless given.
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
