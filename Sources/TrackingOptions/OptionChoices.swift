package import Quantities

/// An option with a fixed list of words.
package protocol OptionChoice: CaseIterable, Hashable, OptionRepresentable {
    /// The word in the configuration.
    var name: String { get }
}

extension OptionChoice where Self: RawRepresentable, RawValue == String {
    /// The word in the configuration.
    package var name: String { rawValue }
}

/// What trackerd uploads without a request, and whether it records a track; the raw values are those of OwnTracks.
package enum MonitoringMode: Int, Sendable, Hashable, Codable, CaseIterable, OptionChoice {
    /// trackerd records no track, and uploads only answers to requests and orders, and the owner's waypoints.
    case quiet = -1
    /// trackerd also records and uploads region events.
    case manual = 0
    /// trackerd also records significant changes of place, and uploads all records.
    case significant = 1
    /// trackerd records the whole route, and uploads all records.
    case move = 2

    /// The word in the configuration.
    package var name: String { "\(self)" }

    /// Whether trackerd records a track without a request; if not, departures, trips and similar records remain on the
    /// device.
    package var recordsUnasked: Bool {
        switch self {
        case .quiet, .manual: false
        case .significant, .move: true
        }
    }

    /// Whether a rule of this mode needs positions.
    package var usesReceiver: Bool { recordsUnasked || recordsRegions }

    /// Whether trackerd records when the vehicle enters or leaves a region.
    package var recordsRegions: Bool {
        switch self {
        case .quiet: false
        case .manual, .significant, .move: true
        }
    }
}

/// How accurate a fix must be, and whether trackerd may power the receiver for a fix.
package enum DesiredAccuracy: String, Sendable, Hashable, Codable, CaseIterable, OptionChoice {
    case best
    /// A horizontal error of at most 20 m.
    case high
    /// A horizontal error of at most 100 m.
    case medium
    /// A horizontal error of at most 1000 m.
    case low
    /// trackerd does not power the receiver.
    ///
    /// trackerd accepts fixes that arrive nevertheless. gpsd delivers no fix while the receiver is off.
    case none
}

/// How trackerd combines the time rule and the distance rule.
package enum UpdateRule: String, Sendable, Hashable, Codable, CaseIterable, OptionChoice {
    /// One of the two rules is enough.
    case any
    /// Both rules must request the record.
    case all
}

/// Which records trackerd uploads, in addition to the answers to requests and orders.
package enum SyncRule: String, Sendable, Hashable, Codable, CaseIterable, OptionChoice {
    case all
    /// Stops, departures, and exits from regions.
    case stopsAndExits
    /// No records; all remain on the device.
    case none
}

/// Which records trackerd delivers later if it could not deliver them at once.
package enum ReplayRule: String, Sendable, Hashable, Codable, CaseIterable, OptionChoice {
    case all
    case stops
    /// No records.
    case none
}

/// When a light on the board shows that trackerd is tracking.
package enum Indicator: String, Sendable, Hashable, Codable, CaseIterable, OptionChoice {
    case off
    /// The light blinks at each record.
    case updates
    /// The light is on while tracking is on.
    case always
}

extension TrackingOptions {
    /// Whether trackerd may power the receiver without a request.
    package var powersReceiver: Bool { desiredAccuracy.powersReceiver && monitoring.usesReceiver }
}

extension DesiredAccuracy {
    /// The largest horizontal error that ends a search.
    ///
    /// The limit of `best` is an error that a good receiver reaches under an open sky.
    package var limit: Metres {
        switch self {
        case .best: Metres(10)
        case .high: Metres(20)
        case .medium: Metres(100)
        case .low, .none: Metres(1000)
        }
    }

    /// Whether trackerd may power the receiver.
    package var powersReceiver: Bool { self != .none }
}
