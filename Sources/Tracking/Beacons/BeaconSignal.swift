package import Quantities
import RealModule

/// The distance only suggests which of several beacons is nearest; no position is ever computed from it. A hand over
/// the antenna can weaken the signal as much as one more car length does.
package struct BeaconSignal: Sendable, Hashable {
    private struct Reading: Sendable, Hashable {
        let rssi: Int8
        let at: Instant
    }

    /// The running average of the AltBeacon library also covers 20 s, and leaves out the strongest and the weakest
    /// tenth.
    private static let window = Duration.seconds(20)
    private static let trimmedShare = 10
    /// A beacon may advertise every 20 ms; more readings do not improve the mean.
    private static let mostReadings = 50
    /// The exponent of the log-distance model: the lowest value measured inside cars and rooms (2.5 to 4).
    private static let exponent = 2.5
    private static let immediateLimit = Metres(0.5)
    private static let nearLimit = Metres(3)

    private var readings: [Reading] = []
    private var measuredPower: Int8?

    package mutating func add(_ sighting: BeaconSighting, at now: Instant) {
        let fresh = fresh(at: now).suffix(Self.mostReadings - 1)
        readings = fresh + [Reading(rssi: sighting.rssi, at: now)]
        measuredPower = sighting.measuredPower ?? measuredPower
    }

    /// The trimmed mean of the last 20 s in dBm; nil without a sighting in that time.
    package func strength(at now: Instant) -> Double? {
        let sorted = fresh(at: now).map { Int($0.rssi) }.sorted()
        let outliers = sorted.count / Self.trimmedShare
        let kept = sorted.dropFirst(outliers).dropLast(outliers)
        return kept.isEmpty ? nil : Double(kept.reduce(0, +)) / Double(kept.count)
    }

    /// Nil without a sighting in the last 20 s, or if the beacon does not state its power at 1 m.
    package func distance(at now: Instant) -> Metres? {
        guard let strength = strength(at: now), let measuredPower else { return nil }
        return Metres(pathLoss: Double(measuredPower) - strength, exponent: Self.exponent)
    }

    package func proximity(at now: Instant) -> BeaconReading.Proximity {
        guard let distance = distance(at: now) else { return .unknown }
        if distance < Self.immediateLimit { return .immediate }
        return distance <= Self.nearLimit ? .near : .far
    }

    package func reading(at now: Instant) -> BeaconReading? {
        strength(at: now).map { BeaconReading(rssi: $0, proximity: proximity(at: now)) }
    }

    private func fresh(at now: Instant) -> ArraySlice<Reading> { readings.drop { now - $0.at > Self.window } }
}

extension Metres {
    /// The distance at which a signal is `decibels` weaker than at 1 m, by the log-distance model: the exponent is 2 in
    /// free space and 2.5 to 4 in rooms and inside cars. A negative loss results in a distance below 1 m.
    package init(pathLoss decibels: Double, exponent: Double) {
        self.init(.exp10(decibels / (10 * exponent)))
    }
}
