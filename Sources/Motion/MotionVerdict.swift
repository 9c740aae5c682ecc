package import Quantities

/// What one window of acceleration says.
package struct MotionVerdict: Sendable, Hashable {
    /// Whether the vehicle moves, as far as an accelerometer can tell.
    package let isMoving: Bool
    /// What was felt; nothing when only the chip's own judgement is known.
    package let forces: Forces?
    /// How much the readings varied, as the standard deviation of their magnitude; nothing as above.
    package let deviation: Acceleration?

    /// Makes a verdict.
    package init(isMoving: Bool, forces: Forces? = nil, deviation: Acceleration? = nil) {
        self.isMoving = isMoving
        self.forces = forces
        self.deviation = deviation
    }
}
