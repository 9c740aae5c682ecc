package import Motion
import Quantities
package import Tracking

/// A recorded drive: the reports of each sensor of a vehicle, with times that count from the start of the recording.
package struct Drive: Sendable {
    /// A report of a sensor with its time.
    package struct Timed<Value: Sendable>: Sendable {
        /// The time since the drive began; an integer is exact and compact for the millions of samples in a day of driving.
        let nanoseconds: Int64
        package let value: Value

        /// The time since the drive began.
        package var time: Duration { .nanoseconds(nanoseconds) }

        /// Returns the moment of the report in a drive that begins at `start`.
        func moment(after start: Instant) -> Instant { Instant(nanoseconds: start.nanoseconds + nanoseconds) }

        /// Makes a report; `time` counts from the start of the drive.
        package init(_ time: Duration, _ value: Value) {
            nanoseconds = time.nanoseconds
            self.value = value
        }
    }

    package var samples: [Timed<AccelerationSample>] = []
    /// The reports of the receiver.
    package var fixes: [Timed<Fix>] = []
    /// The changes of the ignition line and the beacon sightings; in recordings by `trackerd record`, all reports
    /// except fixes.
    package var others: [Timed<Event>] = []

    /// The state of the tracker at the start of the recording; nil if unknown.
    package var opening: RecordingHeader?

    package init() {}

    /// The time of the last report.
    package var length: Duration {
        .nanoseconds(max(samples.last?.nanoseconds ?? 0, fixes.last?.nanoseconds ?? 0, others.last?.nanoseconds ?? 0))
    }

    /// The mean sample rate of the accelerometer in Hz; zero if there are no two samples with different times.
    package var sampleRate: Double {
        guard let first = samples.first, let last = samples.last, last.time > first.time else { return 0 }
        return Double(samples.count - 1) / (last.time - first.time).inSeconds
    }

    /// Whether the drive has an accelerometer that distinguishes motion from rest.
    ///
    /// A recording by `trackerd record` states this; in any other recording, the sample rate must be high enough.
    package var hasMotionSensor: Bool { opening?.hasMotionSensor ?? (sampleRate >= MotionDetector.minimumRate) }

    /// Adds the reports in another file about the same drive.
    package mutating func merge(_ other: Drive) {
        opening = opening ?? other.opening
        samples = Self.inOrder(samples + other.samples)
        fixes = Self.inOrder(fixes + other.fixes)
        others = Self.inOrder(others + other.others)
    }

    /// Sorts reports by time; reports with the same time remain in their order.
    private static func inOrder<Value>(_ items: [Timed<Value>]) -> [Timed<Value>] {
        items.enumerated().sorted { ($0.element.nanoseconds, $0.offset) < ($1.element.nanoseconds, $1.offset) }
            .map(\.element)
    }

    /// Drops samples until at most `rate` samples per second remain.
    package mutating func thin(toRate rate: Double) {
        let spacing = Duration(inSeconds: 1 / rate)
        var next = samples.first?.time ?? .zero
        samples = samples.filter { sample in
            // The spacing of recorded samples varies, so keep a sample that is early by up to a tenth of the spacing.
            guard sample.time >= next - spacing / 10 else { return false }
            next = max(next + spacing, sample.time)
            return true
        }
    }
}
