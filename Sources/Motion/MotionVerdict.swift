/// What one window of acceleration says.
package struct MotionVerdict: Sendable, Hashable {
    /// Whether the vehicle moves, as far as an accelerometer can tell.
    package let isMoving: Bool

    /// Makes a verdict.
    package init(isMoving: Bool) { self.isMoving = isMoving }
}
