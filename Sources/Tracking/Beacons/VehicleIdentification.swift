package import Quantities

/// A beacon that tells which vehicle this is, or who drives it.
package struct MarkedBeacon: Sendable, Hashable, Codable {
    /// What the beacon tells.
    package enum Role: String, Sendable, Hashable, Codable, CaseIterable {
        case vehicle, driver
    }

    /// Which beacon.
    package var beacon: BeaconIdentity
    /// What the vehicle or the driver is called in records.
    package var name: String
    /// What it tells.
    package var role: Role

    /// Makes a mark.
    package init(_ beacon: BeaconIdentity, name: String, role: Role) {
        self.beacon = beacon
        self.name = name
        self.role = role
    }
}

/// Finds out by their beacons which vehicle is on a trip, and who drives it.
///
/// Of each role the beacon that is heard most strongly in the first 60 s of the trip gives its name to the records. From the
/// first sighting on that is the best one so far; after 60 s it stays what it is. When none was heard until then, the
/// first one that is heard later in the trip counts. Of equally strong ones that counts which was marked first.
package struct VehicleIdentification: Sendable, Hashable {
    /// What was found out; belongs into what survives a restart.
    package struct Names: Sendable, Hashable, Codable {
        /// The vehicle; nothing when it is not known.
        package fileprivate(set) var vehicle: String?
        /// The driver; nothing when it is not known.
        package fileprivate(set) var driver: String?

        /// Knows nothing.
        package init() {}
    }

    /// What is told to it.
    package enum Event: Sendable, Hashable {
        /// A trip began.
        case tripBegan
        /// A beacon was heard.
        case sighting(BeaconSighting)
        /// The trip is over, and its last record is written.
        case tripEnded
    }

    private enum Phase: Sendable, Hashable {
        case noTrip
        case comparing(since: Instant)
        /// What is known stays; the first beacon of a role that is not known gives it.
        case settled
    }

    /// So long is listened before it is settled.
    package static let time = ScanDuty.fullAtStart

    /// What is known of the trip that goes on.
    package private(set) var names: Names

    private let marked: [MarkedBeacon]
    private var strengths: [MeanStrength]
    private var phase: Phase

    /// Makes a detection; `names` is what was known when the program ended, and `isOnTrip` whether that was within a trip.
    ///
    /// What was known then is settled.
    package init(_ marked: [MarkedBeacon], restoring names: Names = Names(), isOnTrip: Bool = false) {
        self.marked = marked
        self.names = names
        strengths = marked.map { _ in MeanStrength() }
        phase = isOnTrip ? .settled : .noTrip
    }

    /// Takes in what happened at that moment, and says whether `names` are different now.
    package mutating func handle(_ event: Event, at now: Instant) -> Bool {
        let before = names
        switch (event, phase) {
        case (.tripBegan, _):
            begin(.comparing(since: now))
        case (.tripEnded, _):
            begin(.noTrip)
        case (.sighting, .comparing(let since)) where now - since > Self.time:
            phase = .settled
            return handle(event, at: now)
        case (.sighting(let sighting), .comparing):
            compare(sighting)
        case (.sighting(let sighting), .settled):
            for mark in marked where names[mark.role] == nil && mark.beacon.matches(sighting) {
                names[mark.role] = mark.name
            }
        case (.sighting, .noTrip):
            break
        }
        return names != before
    }

    private mutating func begin(_ phase: Phase) {
        self.phase = phase
        names = Names()
        strengths = marked.map { _ in MeanStrength() }
    }

    private mutating func compare(_ sighting: BeaconSighting) {
        for index in marked.indices where marked[index].beacon.matches(sighting) {
            strengths[index].add(sighting.rssi)
        }
        for role in MarkedBeacon.Role.allCases {
            names[role] = strongest(role)?.name
        }
    }

    private func strongest(_ role: MarkedBeacon.Role) -> MarkedBeacon? {
        let heard = zip(marked, strengths).filter { $0.0.role == role && $0.1.value != nil }
        return heard.max { ($0.1.value ?? 0) < ($1.1.value ?? 0) }?.0
    }
}

extension VehicleIdentification.Names {
    fileprivate subscript(role: MarkedBeacon.Role) -> String? {
        get {
            switch role {
            case .vehicle: vehicle
            case .driver: driver
            }
        }
        set {
            switch role {
            case .vehicle: vehicle = newValue
            case .driver: driver = newValue
            }
        }
    }
}

/// The mean of signal strengths, in dBm: one stray sighting of a beacon that is driven past does not make it the strongest.
private struct MeanStrength: Sendable, Hashable {
    private var sum = 0
    private var count = 0

    var value: Double? { count == 0 ? nil : Double(sum) / Double(count) }

    mutating func add(_ rssi: Int8) {
        sum += Int(rssi)
        count += 1
    }
}
