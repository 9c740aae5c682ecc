package import Quantities

/// What one window of acceleration says.
package struct MotionVerdict: Sendable, Hashable {
    /// Whether the vehicle moves, as far as an accelerometer can tell.
    package let isMoving: Bool
    /// Whether this window by itself was lively.
    package let isLively: Bool
    /// What was felt; nothing when only the chip's own judgement is known.
    package let forces: Forces?
    /// How much the readings varied, as the standard deviation of their magnitude; nothing as above.
    package let deviation: Acceleration?

    /// Makes a verdict; its window was lively when motion is judged, unless something else is said.
    package init(isMoving: Bool, isLively: Bool? = nil, forces: Forces? = nil, deviation: Acceleration? = nil) {
        self.isMoving = isMoving
        self.isLively = isLively ?? isMoving
        self.forces = forces
        self.deviation = deviation
    }
}
