import Motion
import Quantities

/// Detects a streaming chip that returns no samples, or always the same sample.
struct StuckSensorDetector: Sendable, Hashable {
    /// A fault of a streaming chip.
    enum Finding: Sendable, Hashable {
        /// The chip has returned no samples for `ChipSensor.silenceTimeout`.
        case silent
        /// The samples did not change for this number of timeouts in a row.
        case repeating(times: Int)
    }

    private var heardAt = Instant.boot
    private var last: AccelerationSample?
    private var changedAt = Instant.boot
    private var repetitions = 0

    /// Notes the start of a stream.
    ///
    /// If the chip still returns the last sample from before the start, the detector treats this sample as a repetition.
    mutating func begin(at now: Instant) {
        heardAt = now
        changedAt = now
    }

    /// Examines a batch; returns the chip's fault; nil if the batch shows none.
    mutating func examine(_ samples: [AccelerationSample], at now: Instant) -> Finding? {
        guard let newest = samples.last else {
            return now - heardAt >= ChipSensor.silenceTimeout ? .silent : nil
        }
        heardAt = now
        if last == nil || samples.contains(where: { $0 != last }) {
            changedAt = now
            repetitions = 0
        }
        last = newest
        guard now - changedAt >= ChipSensor.stuckTimeout else { return nil }
        changedAt = now
        repetitions += 1
        return .repeating(times: repetitions)
    }
}
