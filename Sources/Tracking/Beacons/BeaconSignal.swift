package import Quantities
import RealModule

/// The strength of a beacon's signal, smoothed, and how near that makes it.
///
/// A distance from it is a hint as to which of several beacons is the nearest, never a position: a hand on the antenna costs
/// as much signal as the way to the other end of the car.
package struct BeaconSignal: Sendable, Hashable {
    /// How near a beacon is, in the classes of Apple's Core Location.
    package enum Proximity: String, Sendable, Hashable, Codable, CaseIterable {
        /// It was not heard lately, or does not say how strong it is.
        case unknown
        /// Within half a metre.
        case immediate
        /// Within 3 m.
        case near
        /// Farther.
        case far
    }

    private struct Reading: Sendable, Hashable {
        let rssi: Int8
        let at: Instant
    }

    /// The window, and the share that is cut off at its top and at its bottom, of the AltBeacon library's running average.
    private static let window = Duration.seconds(20)
    private static let trimmedShare = 10
    /// A beacon may advertise every 20 ms; what it sends beyond this makes nothing smoother, and must not fill the memory.
    private static let mostReadings = 50
    /// The low end of what is measured inside cars and rooms (2.5 to 4): among metal walls signals die slowly.
    private static let exponent = 2.5
    private static let immediateLimit = Metres(0.5)
    private static let nearLimit = Metres(3)

    private var readings: [Reading] = []
    private var measuredPower: Int8?

    /// Makes a signal that was never heard.
    package init() {}

    /// Takes in what was heard.
    package mutating func add(_ sighting: BeaconSighting, at now: Instant) {
        let fresh = fresh(at: now).suffix(Self.mostReadings - 1)
        readings = fresh + [Reading(rssi: sighting.rssi, at: now)]
        measuredPower = sighting.measuredPower ?? measuredPower
    }

    /// Its mean strength in dBm over the last 20 s, without the strongest and the weakest tenth; nothing when it was not heard.
    package func strength(at now: Instant) -> Double? {
        let sorted = fresh(at: now).map { Int($0.rssi) }.sorted()
        let outliers = sorted.count / Self.trimmedShare
        let kept = sorted.dropFirst(outliers).dropLast(outliers)
        return kept.isEmpty ? nil : Double(kept.reduce(0, +)) / Double(kept.count)
    }

    /// How far away that makes it; nothing when it was not heard lately, or does not say how strong it is at 1 m.
    package func distance(at now: Instant) -> Metres? {
        guard let strength = strength(at: now), let measuredPower else { return nil }
        return Metres(pathLoss: Double(measuredPower) - strength, exponent: Self.exponent)
    }

    /// How near that is.
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
    /// The log-distance model. Its exponent is 2 in free space and 2.5 to 4 in rooms and inside cars. A negative loss
    /// gives a distance below 1 m.
    package init(pathLoss decibels: Double, exponent: Double) {
        self.init(.exp10(decibels / (10 * exponent)))
    }
}
