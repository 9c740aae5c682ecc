import Motion
import Quantities

/// The samples of a streaming chip: judges them, and detects a chip that returns none, or always the same.
struct SampleStream {
    enum Finding: Sendable, Hashable {
        /// The chip returns no samples; it has probably lost its settings.
        case silent
        /// The samples did not change for `stuckTimeout`; the chip may be stuck.
        case repeating
        /// The samples did not change although the sensor has set up the chip again several times.
        case stuck
    }

    /// The time without samples after which a streaming chip has probably lost its settings.
    private static let silenceTimeout = Duration.seconds(3)
    private static let stuckTimeout = Duration.seconds(10)
    /// The number of `stuckTimeout` periods in a row that are tolerated; the samples of a working chip vary with noise.
    private static let maximumRepetitions = 2

    private let levels: MotionDetector.Thresholds
    private var detector: MotionDetector
    private var heardAt = Instant.boot
    private var last: AccelerationSample?
    private var changedAt = Instant.boot
    private var repetitions = 0

    init(_ levels: MotionDetector.Thresholds) {
        self.levels = levels
        detector = MotionDetector(thresholds: levels)
    }

    /// Begins a stream; if the chip still returns the last sample from before, this sample counts as a repetition.
    mutating func begin(at now: Instant) {
        detector = MotionDetector(thresholds: levels)
        (heardAt, changedAt) = (now, now)
    }

    /// Examines a batch of samples that are `1 / rate` seconds apart; returns the verdicts, and the chip's fault if it has one.
    mutating func examine(
        _ batch: SampleBatch, rate: Double, at now: Instant
    ) -> (verdicts: [MotionVerdict], finding: Finding?) {
        let (samples, step) = (batch.samples, Duration(inSeconds: 1 / rate))
        let verdicts = samples.enumerated().compactMap { index, sample in
            detector.add(sample, at: now - step * (samples.count - 1 - index))
        }
        return (verdicts, finding(in: samples, at: now))
    }

    private mutating func finding(in samples: [AccelerationSample], at now: Instant) -> Finding? {
        guard let newest = samples.last else { return now - heardAt >= Self.silenceTimeout ? .silent : nil }
        heardAt = now
        if last == nil || samples.contains(where: { $0 != last }) {
            changedAt = now
            repetitions = 0
        }
        last = newest
        guard now - changedAt >= Self.stuckTimeout else { return nil }
        changedAt = now
        repetitions += 1
        return repetitions > Self.maximumRepetitions ? .stuck : .repeating
    }
}
