package import Quantities

package struct MarkedBeacon: Sendable, Hashable, Codable {
    package enum Role: String, Sendable, Hashable, Codable, CaseIterable {
        case vehicle, driver
    }

    package var beacon: BeaconIdentity
    package var name: String
    package var role: Role

    package init(_ beacon: BeaconIdentity, name: String, role: Role) {
        self.beacon = beacon
        self.name = name
        self.role = role
    }
}

/// For each role, the beacon with the strongest mean signal in the first 60 s of the trip sets the name in the records.
/// In these 60 s, the strongest so far does; after them the name is final. Without a beacon in the first 60 s, the
/// first beacon later in the trip sets the name. Of equally strong beacons, the first in the configuration counts.
package struct VehicleIdentification: Sendable, Hashable {
    /// The names of this trip, which survive a restart.
    package struct Names: Sendable, Hashable, Codable {
        package fileprivate(set) var vehicle: String?
        package fileprivate(set) var driver: String?
    }

    package enum Event: Sendable, Hashable {
        case tripBegan
        case sighting(BeaconSighting)
        /// This event comes after the records of the stop.
        case tripEnded
    }

    private enum Phase: Sendable, Hashable {
        case noTrip
        case comparing(since: Instant)
        /// Known names are final; a role without a name takes that of its first beacon.
        case settled
    }

    package private(set) var names: Names

    private let marked: [MarkedBeacon]
    private var strengths: [MeanStrength]
    private var phase: Phase
    /// When the trip began; nil without a trip, and if it began in an earlier run.
    private var began: Instant?

    /// Restored names are final.
    package init(_ marked: [MarkedBeacon], restoring names: Names = Names(), isOnTrip: Bool = false) {
        self.marked = marked
        self.names = names
        strengths = marked.map { _ in MeanStrength() }
        phase = isOnTrip ? .settled : .noTrip
    }

    var hasBeacons: Bool { !marked.isEmpty }

    var isOnTrip: Bool { phase != .noTrip }

    func driver(at now: Instant) -> DriverWitness {
        guard marked.contains(where: { $0.role == .driver }) else { return .none }
        guard isOnTrip else { return .awaited }
        guard names.driver == nil else { return .heard }
        guard let began else { return .none }
        return now - began > ScanDuty.fullAtStart ? .absent : .awaited
    }

    package mutating func handle(_ event: Event, at now: Instant) -> Bool {
        let before = names
        switch (event, phase) {
        case (.tripBegan, _):
            begin(.comparing(since: now))
            began = now
        case (.tripEnded, _):
            begin(.noTrip)
        case (.sighting, .comparing(let since)) where now - since > ScanDuty.fullAtStart:
            // The scan is continuous for this time, and the names are final after it.
            phase = .settled
            return handle(event, at: now)
        case (.sighting(let sighting), .comparing):
            compare(sighting)
        case (.sighting(let sighting), .settled):
            for mark in marked where names[keyPath: mark.role.name] == nil && mark.beacon.matches(sighting) {
                names[keyPath: mark.role.name] = mark.name
            }
        case (.sighting, .noTrip):
            break
        }
        return names != before
    }

    private mutating func begin(_ phase: Phase) {
        self.phase = phase
        began = nil
        names = Names()
        strengths = marked.map { _ in MeanStrength() }
    }

    private mutating func compare(_ sighting: BeaconSighting) {
        for index in marked.indices where marked[index].beacon.matches(sighting) {
            strengths[index].add(sighting.rssi)
        }
        for role in MarkedBeacon.Role.allCases {
            names[keyPath: role.name] = strongest(role)?.name
        }
    }

    private func strongest(_ role: MarkedBeacon.Role) -> MarkedBeacon? {
        let heard = zip(marked, strengths).filter { $0.0.role == role && $0.1.value != nil }
        return heard.max { ($0.1.value ?? 0) < ($1.1.value ?? 0) }?.0
    }
}

extension MarkedBeacon.Role {
    fileprivate var name: WritableKeyPath<VehicleIdentification.Names, String?> {
        switch self {
        case .vehicle: \.vehicle
        case .driver: \.driver
        }
    }
}

/// A beacon's mean signal in dBm; the mean reduces the effect of one strong sighting among several.
private struct MeanStrength: Sendable, Hashable {
    private var sum = 0
    private var count = 0

    var value: Double? { count == 0 ? nil : Double(sum) / Double(count) }

    mutating func add(_ rssi: Int8) {
        sum += Int(rssi)
        count += 1
    }
}
