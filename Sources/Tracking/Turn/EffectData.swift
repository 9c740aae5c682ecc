package import Quantities

/// How much of the time the adapter scans for beacons.
package enum ScanDuty: Sendable, Hashable, CaseIterable {
    case off
    case low
    case full

    /// The duration of the full scan at the start of a trip, when trackerd identifies the vehicle.
    package static let fullAtStart = Duration.seconds(60)

    /// `tripAge` is nil while parked.
    package static func duty(tripAge: Duration?, hasBeaconRegions: Bool, isOn: Bool) -> ScanDuty {
        guard isOn else { return .off }
        guard let tripAge else { return hasBeaconRegions ? .low : .off }
        return tripAge < fullAtStart ? .full : .low
    }

    /// The length of the scan in each interval.
    package var window: Duration? {
        switch self {
        case .off: nil
        // The slowest common tags advertise once per second, so each is received about once in this window.
        case .low: .seconds(1)
        case .full: interval
        }
    }

    /// The time from the start of one scan to that of the next.
    package var interval: Duration? {
        switch self {
        case .off: nil
        // A Bluetooth controller can time intervals of up to 10.24 s by itself (Core Specification, LE Set Scan
        // Parameters). The processor can sleep during such an interval.
        case .low: .seconds(10)
        // Apple specifies an iBeacon advertisement per 100 ms; the adapter changes the channel after each interval.
        case .full: .milliseconds(100)
        }
    }
}

/// The ways to recover a receiver without a power cut, the gentlest first.
package enum ReceiverRecovery: String, Sendable, Hashable, CaseIterable {
    /// The program that reads the receiver opens its device again.
    case reopen
    /// The receiver restarts, but keeps its orbit and clock data.
    case reset
}

package struct RegionQuery: Sendable, Hashable {
    /// The centre of the regions, which changes when the vehicle leaves their area; nil if unknown or hidden from servers.
    package let place: Coordinate?
    package let limit: Int

    package init(place: Coordinate?, limit: Int) { (self.place, self.limit) = (place, limit) }
}

package enum UploadPermission: UInt8, Sendable {
    case allowed
    /// Records that wait are uploaded for at most ten minutes, and then none.
    case finishing
    /// Even uploads under way pause.
    case suspended
}

/// What the engine decided, in words for the owner.
package struct Decision: Sendable, Hashable, Codable {
    package enum Subject: String, Sendable, Codable {
        case start
        case stop
        case receiver
        /// A sensor is available or not, or its positions are simulated or unusable.
        case sensor
        case beacon
        /// A request, or a command to start a trip, was not carried out.
        case request
        /// A waypoint was rejected, because its region is not valid.
        case region
        case schedule
        case privacy
        case options
        case power
    }

    package let subject: Subject
    package let text: String

    package init(_ subject: Subject, _ text: String) {
        self.subject = subject
        self.text = text
    }
}
