package import Quantities

/// An accelerometer: reports `.motion` and `.motionSensor(isThere:)`.
package protocol MotionSensor: EventSource {
    /// Transfers that have failed since the program started.
    var errorCount: Int { get }

    /// Streams verdicts from now on, or reports only that motion has begun.
    func stream(_ isStreaming: Bool, at now: Instant)
}
