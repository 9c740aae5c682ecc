import Motion
import Quantities

/// Notices a chip that streams but says nothing, or always the same.
struct Vigilance: Sendable, Hashable {
    /// What is wrong with a chip.
    enum Fault: Sendable, Hashable {
        /// It has no samples.
        case silent
        /// Its samples have not changed, for so many times in a row as long as is borne.
        case repeating(times: Int)
    }

    private var heardAt = Instant.boot
    private var last: AccelerationSample?
    private var changedAt = Instant.boot
    private var repetitions = 0

    /// The chip begins to stream; one that then says what it said before still repeats itself.
    mutating func begin(at now: Instant) {
        heardAt = now
        changedAt = now
    }

    /// Takes a batch; gives what is wrong with the chip, if anything is.
    mutating func note(_ samples: [AccelerationSample], at now: Instant) -> Fault? {
        guard let newest = samples.last else {
            return now - heardAt >= ChipSensor.longestSilence ? .silent : nil
        }
        heardAt = now
        if last == nil || samples.contains(where: { $0 != last }) {
            changedAt = now
            repetitions = 0
        }
        last = newest
        guard now - changedAt >= ChipSensor.longestRepetition else { return nil }
        changedAt = now
        repetitions += 1
        return .repeating(times: repetitions)
    }
}
