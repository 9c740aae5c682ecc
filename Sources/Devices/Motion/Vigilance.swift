import Motion
import Quantities

/// Notices a chip that streams but says nothing, or always the same.
struct Vigilance: Sendable, Hashable {
    private var heardAt = Instant.boot
    private var last: AccelerationSample?
    private var changedAt = Instant.boot

    /// The chip begins to stream.
    mutating func begin(at now: Instant) {
        heardAt = now
        changedAt = now
        last = nil
    }

    /// Takes a batch; gives what is wrong with the chip, if anything is.
    mutating func note(_ samples: [AccelerationSample], at now: Instant) -> String? {
        guard let newest = samples.last else {
            guard now - heardAt >= ChipSensor.longestSilence else { return nil }
            return "the accelerometer has no samples though it was told to collect them. Is its supply steady?"
        }
        heardAt = now
        if samples.contains(where: { $0 != last ?? newest }) || last == nil { changedAt = now }
        last = newest
        guard now - changedAt >= ChipSensor.longestRepetition else { return nil }
        changedAt = now
        let span = Int(ChipSensor.longestRepetition.inSeconds)
        return "the accelerometer has repeated the same sample for \(span) s. It is set up anew."
    }
}
