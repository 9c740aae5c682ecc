//  Motion: acceleration in, verdicts out. Pure: no bus, no clock; the time of a sample comes with it.
//  Start reading here; `MotionWindow` is what a verdict rests on.

package import Quantities

/// Judges acceleration in windows of a second, by level and by duration, with two thresholds.
///
/// A window above `movingLevel` is lively, one below `stillLevel` quiet, and one between is what the window before it was:
/// the gap keeps a vehicle that idles from flickering. Motion begins with three lively windows among four: a blow that is shorter than a
/// second, such as a slammed door, touches two at most. It ends with the first window that leaves fewer than two.
package struct MotionDetector: Sendable {
    /// The levels that the detector compares with.
    package struct Thresholds: Sendable, Hashable {
        /// A window that varies at least this much is lively.
        package var movingLevel: Acceleration
        /// A window that varies less than this is quiet.
        package var stillLevel: Acceleration

        /// Makes a pair of levels.
        ///
        /// The defaults lie between what was recorded in parked cars (99 % of the seconds below 0.08 m/s², 0.10 with an idling
        /// engine) and while driving (95 % of the seconds above 0.26 m/s²); the published 0.30 and 0.15 m/s² of phone trackers
        /// have the same gap, higher up.
        package init(movingLevel: Acceleration = Acceleration(0.20), stillLevel: Acceleration = Acceleration(0.12)) {
            self.movingLevel = movingLevel
            self.stillLevel = stillLevel
        }
    }

    /// Slower than this, vibration is averaged away before it is sampled, and a window says nothing about motion.
    package static let slowestRate = 5.0

    private static let windowLength = Duration.seconds(1)

    private let thresholds: Thresholds
    private var window = MotionWindow()
    private var windowEnd: Instant?
    private var lively: [Bool] = []
    private var isMoving = false

    /// Makes a detector that knows nothing yet.
    package init(thresholds: Thresholds = Thresholds()) { self.thresholds = thresholds }

    /// Takes a sample in, and gives a verdict when it is the first one after the end of a window.
    ///
    /// A window with fewer than five samples gives none: the chip is too slow, or has paused.
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
        // After a pause nobody knows what the chip was turned to meanwhile.
        let isPaused = now - end > Self.windowLength
        begin(with: sample, after: isPaused ? sample : finished.meanSample, at: now)
        return finished.count < Int(Self.slowestRate) ? nil : judge(finished)
    }

    private mutating func begin(with sample: AccelerationSample, after reference: AccelerationSample, at now: Instant) {
        window = MotionWindow(reference: reference)
        window.add(sample)
        windowEnd = now + Self.windowLength
    }

    private mutating func judge(_ window: MotionWindow) -> MotionVerdict {
        let isLively: Bool
        switch window.deviation {
        case thresholds.movingLevel...: isLively = true
        case ..<thresholds.stillLevel: isLively = false
        default: isLively = lively.last ?? false
        }
        lively = lively.suffix(3) + [isLively]
        isMoving = lively.count { $0 } >= (isMoving ? 2 : 3)
        return MotionVerdict(
            isMoving: isMoving, isLively: isLively, forces: window.forces(over: Self.windowLength),
            deviation: window.deviation)
    }
}
