package import Motion
import Quantities
package import Tracking

/// A recorded drive: what each sensor of a vehicle reported, and when, counted from the beginning of the recording.
package struct Drive: Sendable {
    /// Something that a sensor reported.
    package struct Timed<Value: Sendable>: Sendable {
        /// Since the drive began; a bare number, because a day of driving has millions of samples.
        let nanoseconds: Int64
        /// What was reported.
        package let value: Value

        /// Since the drive began.
        package var time: Duration { .nanoseconds(nanoseconds) }

        /// When it was, in a drive that began at `start`.
        func moment(after start: Instant) -> Instant { Instant(nanoseconds: start.nanoseconds + nanoseconds) }

        /// Dates a value.
        package init(_ time: Duration, _ value: Value) {
            nanoseconds = time.nanoseconds
            self.value = value
        }
    }

    /// Readings of the accelerometer.
    package var samples: [Timed<AccelerationSample>] = []
    /// Reports of the receiver; their own times count from the beginning of the drive too.
    package var fixes: [Timed<Fix>] = []
    /// Changes of the ignition line, and beacons heard.
    package var others: [Timed<Event>] = []

    /// Makes an empty drive.
    package init() {}

    /// How long it lasts.
    package var length: Duration {
        .nanoseconds(max(samples.last?.nanoseconds ?? 0, fixes.last?.nanoseconds ?? 0, others.last?.nanoseconds ?? 0))
    }

    /// Readings a second of the accelerometer, on average; zero when there are none.
    package var sampleRate: Double {
        guard let first = samples.first, let last = samples.last, last.time > first.time else { return 0 }
        return Double(samples.count - 1) / (last.time - first.time).inSeconds
    }

    /// Whether its accelerometer is quick enough to tell motion from rest.
    package var hasMotionSensor: Bool { sampleRate >= MotionDetector.slowestRate }

    /// Takes in what another file tells about the same drive.
    package mutating func merge(_ other: Drive) {
        samples = Self.inOrder(samples + other.samples)
        fixes = Self.inOrder(fixes + other.fixes)
        others = Self.inOrder(others + other.others)
    }

    /// In order of time; what happened at the same time stays as it was.
    private static func inOrder<Value>(_ items: [Timed<Value>]) -> [Timed<Value>] {
        items.enumerated().sorted { ($0.element.nanoseconds, $0.offset) < ($1.element.nanoseconds, $1.offset) }
            .map(\.element)
    }

    /// Leaves out readings so that at most `rate` a second are left.
    package mutating func thin(toRate rate: Double) {
        let spacing = Duration(inSeconds: 1 / rate)
        var next = samples.first?.time ?? .zero
        samples = samples.filter { sample in
            // A tenth early is on time: recorded spacings jitter.
            guard sample.time >= next - spacing / 10 else { return false }
            next = max(next + spacing, sample.time)
            return true
        }
    }
}
