// Motion: turns acceleration into verdicts. This target has no clock, and drivers use the bus that the caller passes; each sample
// comes with its time. Start reading here; `MotionWindow` computes the statistics behind a verdict.

package import Quantities

/// Judges the vibration of the vehicle in windows of one second, with two thresholds.
///
/// A window above `movingLevel` is active, and a window below `stillLevel` is still. A window between the two levels is
/// active only if the window before it is active. This rule prevents constant changes of the verdict on an idling
/// vehicle. Motion begins with three active windows among the last four, because a shock shorter than a second, such as
/// a slammed door, affects two windows at most. Motion ends when fewer than two of the four windows are active.
package struct MotionDetector: Sendable {
    package struct Thresholds: Sendable, Hashable {
        package var movingLevel: Acceleration
        package var stillLevel: Acceleration

        /// Makes a pair of levels.
        ///
        /// The defaults are between recordings of parked cars (99 % of the seconds below 0.08 m/s², 0.10 with an idling
        /// engine) and of driving (95 % of the seconds above 0.26 m/s²). The published levels of phone trackers, 0.30
        /// and 0.15 m/s², are higher and have a similar gap.
        package init(movingLevel: Acceleration = Acceleration(0.20), stillLevel: Acceleration = Acceleration(0.12)) {
            self.movingLevel = movingLevel
            self.stillLevel = stillLevel
        }
    }

    /// The minimum sampling rate in Hz; at lower rates, averaging removes the vibration before the chip samples it.
    package static let minimumRate = 5.0

    private static let windowLength = Duration.seconds(1)

    private let thresholds: Thresholds
    private var window = MotionWindow()
    private var windowEnd: Instant?
    private var activity: [Activity] = []
    private var isMoving = false
    private var onset: Instant?

    private struct Activity: Sendable {
        let isActive: Bool
        let began: Instant
    }

    package init(thresholds: Thresholds = Thresholds()) { self.thresholds = thresholds }

    /// Returns the verdict if the sample is the first after a window's end, unless the window has fewer than five samples: the
    /// chip is too slow, or has paused.
    package mutating func add(_ sample: AccelerationSample, at now: Instant) -> MotionVerdict? {
        guard let end = windowEnd else {
            begin(with: sample, after: sample, at: now)
            return nil
        }
        guard now >= end else {
            window.add(sample)
            return nil
        }
        let finished = window
        // Somebody may have turned the chip during a pause, so the mean before the pause is no reference.
        let isPaused = now - end > Self.windowLength
        begin(with: sample, after: isPaused ? sample : finished.meanSample, at: now)
        return finished.count < Int(Self.minimumRate) ? nil : judge(finished, from: end - Self.windowLength)
    }

    private mutating func begin(with sample: AccelerationSample, after reference: AccelerationSample, at now: Instant) {
        window = MotionWindow(reference: reference)
        window.add(sample)
        windowEnd = now + Self.windowLength
    }

    private mutating func judge(_ window: MotionWindow, from began: Instant) -> MotionVerdict {
        let isActive: Bool
        switch window.deviation {
        case thresholds.movingLevel...: isActive = true
        case ..<thresholds.stillLevel: isActive = false
        default: isActive = activity.last?.isActive ?? false
        }
        activity = activity.suffix(3) + [Activity(isActive: isActive, began: began)]
        isMoving = activity.count { $0.isActive } >= (isMoving ? 2 : 3)
        onset = isMoving ? onset ?? activity.first { $0.isActive }?.began : nil
        return MotionVerdict(
            isMoving: isMoving, isActive: isActive, onset: onset, forces: window.forces(over: Self.windowLength),
            deviation: window.deviation)
    }
}
