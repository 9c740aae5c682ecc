import Motion
import Quantities

/// Judges the samples, and detects a chip that returns none or repeats one.
struct SampleStream {
    enum Finding: Sendable, Hashable {
        case silent
        /// The chip has repeated its last sample for `stuckTimeout`.
        case repeating
        /// The chip repeats its last sample although it was set up again several times.
        case stuck
    }

    /// After this time without samples, a streaming chip has probably lost its settings.
    private static let silenceTimeout = Duration.seconds(3)
    private static let stuckTimeout = Duration.seconds(10)
    /// After more periods of `stuckTimeout` in a row than this, the chip is stuck; a working chip's samples have noise.
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

    /// `last` is kept, so a chip that still returns this sample counts as repeating.
    mutating func begin(at now: Instant) {
        detector = MotionDetector(thresholds: levels)
        (heardAt, changedAt) = (now, now)
    }

    /// The samples are `1 / rate` seconds apart.
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
