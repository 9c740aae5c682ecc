/// What one window of acceleration says.
package struct MotionVerdict: Sendable, Hashable {
    /// Whether the vehicle moves, as far as an accelerometer can tell.
    package let isMoving: Bool
    /// What was felt; nothing when only the chip's own judgement is known.
    package let forces: Forces?

    /// Makes a verdict.
    package init(isMoving: Bool, forces: Forces? = nil) {
        self.isMoving = isMoving
        self.forces = forces
    }
}
