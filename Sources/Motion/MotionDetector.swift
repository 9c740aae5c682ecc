// Motion: turns acceleration into verdicts. There is no clock here: each sample comes with its time, and drivers use
// the bus that the caller passes. Start reading here; `MotionWindow` computes the statistics behind a verdict.

package import Quantities

/// Judges the vibration of the vehicle in windows of one second. A window is active above `movingLevel`, and still
/// below `stillLevel`. Between the two it is like the window before, so that an idling vehicle does not change the
/// verdict constantly. Motion begins with three active windows among the last four, because a shock shorter than a
/// second, such as a slammed door, affects two at most. It ends when fewer than two of the four are active.
package struct MotionDetector: Sendable {
    package struct Thresholds: Sendable, Hashable {
        package var movingLevel: Acceleration
        package var stillLevel: Acceleration

        /// The levels lie between recordings of parked cars (99 % of the seconds below 0.08 m/s², 0.10 with an idling
        /// engine) and of driving (95 % of the seconds above 0.26 m/s²). The published levels of phone trackers, 0.30
        /// and 0.15 m/s², are higher.
        package init(movingLevel: Acceleration = Acceleration(0.20), stillLevel: Acceleration = Acceleration(0.12)) {
            self.movingLevel = movingLevel
            self.stillLevel = stillLevel
        }
    }

    /// The rate in Hz. At a lower one, averaging removes the vibration before the chip samples it.
    package static let minimumRate = 5.0

    private static let windowLength = Duration.seconds(1)

    private let thresholds: Thresholds
    private var window = MotionWindow()
    private var windowEnd: Instant?
    private var activity: [(isActive: Bool, began: Instant)] = []
    private var isMoving = false
    private var onset: Instant?

    package init(thresholds: Thresholds = Thresholds()) { self.thresholds = thresholds }

    /// Returns the verdict on a window when the first sample after the window arrives, and otherwise nil; also nil if the
    /// window has fewer than five samples, as with a slow chip.
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
        // The chip may have been turned during a pause, so the mean before it is no reference.
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
        activity = activity.suffix(3) + [(isActive: isActive, began: began)]
        isMoving = activity.count { $0.isActive } >= (isMoving ? 2 : 3)
        onset = isMoving ? onset ?? activity.first { $0.isActive }?.began : nil
        return MotionVerdict(
            isMoving: isMoving, isActive: isActive, onset: onset, forces: window.forces(over: Self.windowLength),
            deviation: window.deviation)
    }
}
