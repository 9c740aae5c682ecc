package import Quantities
import RealModule

/// The smoothed signal strength of a beacon, and the distance that follows from it.
///
/// The distance only hints which of several beacons is the nearest; it is never a position. A hand on the antenna costs
/// as much signal as the distance to the other end of the car.
package struct BeaconSignal: Sendable, Hashable {
    /// Distance classes as in Apple's Core Location.
    package enum Proximity: String, Sendable, Hashable, Codable, CaseIterable {
        /// It was not received lately, or does not state its power.
        case unknown
        /// Within half a metre.
        case immediate
        /// Within 3 m.
        case near
        /// More than 3 m.
        case far
    }

    private struct Reading: Sendable, Hashable {
        let rssi: Int8
        let at: Instant
    }

    /// The window, and the share cut off at its top and at its bottom, are those of the AltBeacon library's running
    /// average.
    private static let window = Duration.seconds(20)
    private static let trimmedShare = 10
    /// A beacon may advertise every 20 ms; more readings would not improve the mean, and would only use memory.
    private static let mostReadings = 50
    /// The low end of the values measured inside cars and rooms (2.5 to 4): signals fade slowly between metal walls.
    private static let exponent = 2.5
    private static let immediateLimit = Metres(0.5)
    private static let nearLimit = Metres(3)

    private var readings: [Reading] = []
    private var measuredPower: Int8?

    /// Makes a signal without readings.
    package init() {}

    /// Adds a sighting.
    package mutating func add(_ sighting: BeaconSighting, at now: Instant) {
        let fresh = fresh(at: now).suffix(Self.mostReadings - 1)
        readings = fresh + [Reading(rssi: sighting.rssi, at: now)]
        measuredPower = sighting.measuredPower ?? measuredPower
    }

    /// Mean strength over the last 20 s in dBm, without the strongest and the weakest tenth; nil without a sighting.
    package func strength(at now: Instant) -> Double? {
        let sorted = fresh(at: now).map { Int($0.rssi) }.sorted()
        let outliers = sorted.count / Self.trimmedShare
        let kept = sorted.dropFirst(outliers).dropLast(outliers)
        return kept.isEmpty ? nil : Double(kept.reduce(0, +)) / Double(kept.count)
    }

    /// Estimated distance; nil without a recent sighting, or if the beacon does not state its power at 1 m.
    package func distance(at now: Instant) -> Metres? {
        guard let strength = strength(at: now), let measuredPower else { return nil }
        return Metres(pathLoss: Double(measuredPower) - strength, exponent: Self.exponent)
    }

    /// The distance class.
    package func proximity(at now: Instant) -> Proximity {
        guard let distance = distance(at: now) else { return .unknown }
        if distance < Self.immediateLimit { return .immediate }
        return distance <= Self.nearLimit ? .near : .far
    }

    private func fresh(at now: Instant) -> ArraySlice<Reading> { readings.drop { now - $0.at > Self.window } }
}

extension Metres {
    /// The distance at which a radio signal is this many decibels weaker than at 1 m.
    ///
    /// It uses the log-distance model, whose exponent is 2 in free space and 2.5 to 4 in rooms and inside cars. A
    /// negative loss gives a distance below 1 m.
    package init(pathLoss decibels: Double, exponent: Double) {
        self.init(.exp10(decibels / (10 * exponent)))
    }
}
