package import Quantities

/// An accelerometer: reports `.motion` and `.motionSensor(isThere:)`.
package protocol MotionSensor: EventSource {
    /// Streams verdicts from now on, or reports only that motion has begun.
    func stream(_ isStreaming: Bool, at now: Instant)
}
