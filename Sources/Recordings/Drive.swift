package import Motion
import Quantities
package import Tracking

/// A recorded drive: the reports of each sensor of a vehicle, timed from the start of the recording.
package struct Drive: Sendable {
    /// A report of a sensor with its time.
    package struct Timed<Value: Sendable>: Sendable {
        /// Time since the drive began; an integer, because a day of driving has millions of samples.
        let nanoseconds: Int64
        /// The report.
        package let value: Value

        /// Time since the drive began.
        package var time: Duration { .nanoseconds(nanoseconds) }

        /// Returns the moment of the report in a drive that began at `start`.
        func moment(after start: Instant) -> Instant { Instant(nanoseconds: start.nanoseconds + nanoseconds) }

        /// Makes a report `time` after the start of the drive.
        package init(_ time: Duration, _ value: Value) {
            nanoseconds = time.nanoseconds
            self.value = value
        }
    }

    /// Samples of the accelerometer.
    package var samples: [Timed<AccelerationSample>] = []
    /// Reports of the receiver.
    package var fixes: [Timed<Fix>] = []
    /// Changes of the ignition line, beacon sightings, and in recordings the verdicts of the accelerometer.
    package var others: [Timed<Event>] = []

    /// The tracker's state when the recording began; nil if unknown.
    package var opening: RecordingHeader?

    /// Makes an empty drive.
    package init() {}

    /// The time of the last report.
    package var length: Duration {
        .nanoseconds(max(samples.last?.nanoseconds ?? 0, fixes.last?.nanoseconds ?? 0, others.last?.nanoseconds ?? 0))
    }

    /// The mean sample rate of the accelerometer in Hz; zero without samples.
    package var sampleRate: Double {
        guard let first = samples.first, let last = samples.last, last.time > first.time else { return 0 }
        return Double(samples.count - 1) / (last.time - first.time).inSeconds
    }

    /// Whether the accelerometer's sample rate is high enough to distinguish motion from rest.
    package var hasMotionSensor: Bool { opening?.hasMotionSensor ?? (sampleRate >= MotionDetector.minimumRate) }

    /// Adds the reports of another file about the same drive.
    package mutating func merge(_ other: Drive) {
        opening = opening ?? other.opening
        samples = Self.inOrder(samples + other.samples)
        fixes = Self.inOrder(fixes + other.fixes)
        others = Self.inOrder(others + other.others)
    }

    /// Sorts by time; reports of the same time keep their order.
    private static func inOrder<Value>(_ items: [Timed<Value>]) -> [Timed<Value>] {
        items.enumerated().sorted { ($0.element.nanoseconds, $0.offset) < ($1.element.nanoseconds, $1.offset) }
            .map(\.element)
    }

    /// Drops samples so that at most `rate` per second remain.
    package mutating func thin(toRate rate: Double) {
        let spacing = Duration(inSeconds: 1 / rate)
        var next = samples.first?.time ?? .zero
        samples = samples.filter { sample in
            // Recorded spacings jitter, so the function keeps a sample that is early by up to a tenth of the spacing.
            guard sample.time >= next - spacing / 10 else { return false }
            next = max(next + spacing, sample.time)
            return true
        }
    }
}
