/// How much the Bluetooth adapter listens for beacons.
package enum ScanDuty: Sendable, Hashable, CaseIterable {
    /// Not at all.
    case off
    /// Now and then.
    case low
    /// All the time.
    case full

    /// At the start of a trip the adapter listens all the time for so long: then it is decided which vehicle it is.
    package static let fullAtStart = Duration.seconds(60)

    /// How much to listen; `tripAge` is the time since the trip began, nothing while the vehicle is stationary.
    package static func duty(tripAge: Duration?, hasBeaconRegions: Bool, isOn: Bool) -> ScanDuty {
        guard isOn else { return .off }
        guard let tripAge else { return hasBeaconRegions ? .low : .off }
        return tripAge < fullAtStart ? .full : .low
    }

    /// For how long the adapter listens in each interval; nothing when it does not.
    package var window: Duration? {
        switch self {
        case .off: nil
        // The slowest common tags advertise once a second, so that one window hears each of them about once.
        case .low: .seconds(1)
        case .full: interval
        }
    }

    /// How often it begins to listen; nothing when it does not.
    package var interval: Duration? {
        switch self {
        case .off: nil
        // A controller counts up to 10.24 s by itself (Core Specification, LE Set Scan Parameters): the processor sleeps on.
        case .low: .seconds(10)
        // The channel changes with each interval; 100 ms is how often Apple wants an iBeacon to advertise.
        case .full: .milliseconds(100)
        }
    }
}
