package import Quantities

/// The share of the time in which the Bluetooth adapter scans for beacons.
package enum ScanDuty: Sendable, Hashable, CaseIterable {
    case off
    /// A short scan in each interval.
    case low
    case full

    /// How long the adapter scans continuously at the start of a trip; trackerd identifies the vehicle in this time.
    package static let fullAtStart = Duration.seconds(60)

    /// Returns the duty to use; `tripAge` is the time since the trip began, nil while the vehicle is stationary.
    package static func duty(tripAge: Duration?, hasBeaconRegions: Bool, isOn: Bool) -> ScanDuty {
        guard isOn else { return .off }
        guard let tripAge else { return hasBeaconRegions ? .low : .off }
        return tripAge < fullAtStart ? .full : .low
    }

    /// How long the adapter scans in each interval; nil if the adapter does not scan.
    package var window: Duration? {
        switch self {
        case .off: nil
        // The slowest common tags advertise once per second. The adapter therefore receives each tag about once in a
        // window of one second.
        case .low: .seconds(1)
        case .full: interval
        }
    }

    /// Time from one window to the next; nil if the adapter does not scan.
    package var interval: Duration? {
        switch self {
        case .off: nil
        // A Bluetooth controller can time intervals of up to 10.24 s by itself (Core Specification, LE Set Scan
        // Parameters). The processor can sleep during such an interval.
        case .low: .seconds(10)
        // Apple specifies one iBeacon advertisement per 100 ms, and the adapter changes the channel after each
        // interval.
        case .full: .milliseconds(100)
        }
    }
}

/// The methods to recover a lost receiver without a power cut, the gentlest first.
package enum ReceiverRecovery: String, Sendable, Hashable, CaseIterable {
    /// Close the receiver's device in the program that reads it, and open the device again.
    case reopen
    /// Reset the receiver without deleting its orbit data and clock data.
    case reset
}

/// The request for regions that the targets' servers receive.
package struct RegionQuery: Sendable, Hashable {
    /// Where the vehicle was when it last left the area of the regions; nil if servers may not learn the position, or if it is
    /// unknown.
    package let place: Coordinate?
    /// The number of regions that the tracker watches.
    package let limit: Int

    package init(place: Coordinate?, limit: Int) { (self.place, self.limit) = (place, limit) }
}

/// Whether servers may receive records now.
package enum UploadPermission: UInt8, Sendable {
    case allowed
    /// The program uploads the waiting records for at most ten minutes, and then suspends uploads.
    case finishing
    /// No upload begins, and an upload in progress pauses.
    case suspended
}

/// A decision of the engine with its reason, in words for the owner.
package struct Decision: Sendable, Hashable, Codable {
    package enum Subject: String, Sendable, Codable {
        /// Whether the vehicle has started.
        case start
        /// Whether the vehicle has stopped.
        case stop
        /// The power and the condition of the receiver.
        case receiver
        /// A sensor became available or unavailable, or the receiver simulates its positions.
        case sensor
        /// Beacons identified the vehicle or its driver.
        case beacon
        /// A location request, or a command to start a trip, that the engine did not carry out.
        case request
        /// A waypoint that the engine rejected because its region is not valid.
        case region
        /// The schedule opened or closed, or the options allow or forbid tracking outside the schedule.
        case schedule
        /// A private period began or ended.
        case privacy
        /// The options changed, a trial of options ended, or the engine continued from an earlier state.
        case options
        /// The vehicle's battery, or the board's own power.
        case power
    }

    package let subject: Subject
    /// The decision in one sentence.
    package let text: String

    package init(_ subject: Subject, _ text: String) {
        self.subject = subject
        self.text = text
    }
}
