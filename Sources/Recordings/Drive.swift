package import Motion
import Quantities
package import Tracking

/// The reports of each sensor of a vehicle, with times that count from the start of the recording.
package struct Drive: Sendable {
    package struct Timed<Value: Sendable>: Sendable {
        /// Counts from the start of the drive; an integer is exact, and compact for the millions of samples in a day.
        let nanoseconds: Int64
        package let value: Value

        package var time: Duration { .nanoseconds(nanoseconds) }

        /// The time in a timeline in which the drive begins at `start`.
        func moment(after start: Instant) -> Instant { Instant(nanoseconds: start.nanoseconds + nanoseconds) }

        package init(_ time: Duration, _ value: Value) {
            nanoseconds = time.nanoseconds
            self.value = value
        }
    }

    package var samples: [Timed<AccelerationSample>] = []
    package var fixes: [Timed<Fix>] = []
    /// Changes of the ignition line and beacon sightings; in recordings by `trackerd record`, all reports except fixes.
    package var others: [Timed<Event>] = []

    /// The tracker's state at the start of the recording; nil if unknown.
    package var opening: RecordingHeader?

    package init() {}

    /// The time from the start to the last report.
    package var length: Duration {
        .nanoseconds(max(samples.last?.nanoseconds ?? 0, fixes.last?.nanoseconds ?? 0, others.last?.nanoseconds ?? 0))
    }

    /// The sample rate in Hz; zero if there are no two samples with different times.
    package var sampleRate: Double {
        guard let first = samples.first, let last = samples.last, last.time > first.time else { return 0 }
        return Double(samples.count - 1) / (last.time - first.time).inSeconds
    }

    /// Whether there is an accelerometer. A recording by `trackerd record` states this; for others, the sample rate
    /// decides.
    package var hasMotionSensor: Bool { opening?.hasMotionSensor ?? (sampleRate >= MotionDetector.minimumRate) }

    package mutating func merge(_ other: Drive) {
        opening = opening ?? other.opening
        samples = (samples + other.samples).sorted { $0.nanoseconds < $1.nanoseconds }
        fixes = (fixes + other.fixes).sorted { $0.nanoseconds < $1.nanoseconds }
        others = (others + other.others).sorted { $0.nanoseconds < $1.nanoseconds }
    }

    package mutating func thin(toRate rate: Double) {
        let spacing = Duration(inSeconds: 1 / rate)
        var next = samples.first?.time ?? .zero
        samples = samples.filter { sample in
            // The spacing of recorded samples varies, so a sample may be early by a tenth of the spacing.
            guard sample.time >= next - spacing / 10 else { return false }
            next = max(next + spacing, sample.time)
            return true
        }
    }
}
