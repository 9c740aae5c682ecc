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

/// What trackerd records without a request; the raw values are those of OwnTracks' `monitoring`.
package enum MonitoringMode: Int, Sendable, Hashable, Codable, CaseIterable, OptionChoice {
    /// Requests only.
    case quiet = -1
    /// Region events too.
    case manual = 0
    /// Significant changes of place too.
    case significant = 1
    /// The whole route.
    case move = 2

    /// The word in the configuration.
    package var name: String { "\(self)" }

    /// Whether the route is recorded without a request.
    package var recordsUnasked: Bool {
        switch self {
        case .quiet, .manual: false
        case .significant, .move: true
        }
    }

    /// Whether a rule of this mode needs positions.
    package var usesReceiver: Bool { recordsUnasked || recordsRegions }

    /// Whether entering and leaving a region is recorded.
    package var recordsRegions: Bool {
        switch self {
        case .quiet: false
        case .manual, .significant, .move: true
        }
    }
}

/// How accurate a fix must be, and how much power the receiver may use for it.
package enum DesiredAccuracy: String, Sendable, Hashable, Codable, CaseIterable, OptionChoice {
    /// The best accuracy of the receiver.
    case best
    /// A horizontal error of at most 20 m.
    case high
    /// At most 100 m.
    case medium
    /// At most 1000 m.
    case low
    /// The receiver is never powered; fixes that arrive anyway are used.
    case none
}

/// How trackerd combines the time rule and the distance rule.
package enum UpdateRule: String, Sendable, Hashable, Codable, CaseIterable, OptionChoice {
    /// One of the two is enough.
    case any
    /// Both must be met.
    case all
}

/// Which records trackerd uploads.
package enum SyncRule: String, Sendable, Hashable, Codable, CaseIterable, OptionChoice {
    /// All records.
    case all
    /// Stops, and departures from regions.
    case stopsAndExits
    /// No records; all remain on the device.
    case none
}

/// Which records trackerd delivers later if it could not deliver them at once.
package enum ReplayRule: String, Sendable, Hashable, Codable, CaseIterable, OptionChoice {
    /// All records.
    case all
    /// Stops.
    case stops
    /// No records.
    case none
}

/// When a light on the board shows that trackerd is tracking.
package enum Indicator: String, Sendable, Hashable, Codable, CaseIterable, OptionChoice {
    /// Never.
    case off
    /// The light blinks at each record.
    case updates
    /// The light is on as long as the program runs.
    case always
}

extension TrackingOptions {
    /// Whether the receiver may be powered without a request.
    package var powersReceiver: Bool { desiredAccuracy.powersReceiver && monitoring.usesReceiver }
}

extension DesiredAccuracy {
    /// The horizontal error to wait for.
    ///
    /// For `best`, a good receiver reaches the limit under an open sky.
    package var limit: Metres {
        switch self {
        case .best: Metres(10)
        case .high: Metres(20)
        case .medium: Metres(100)
        case .low, .none: Metres(1000)
        }
    }

    /// Whether the receiver may be powered.
    package var powersReceiver: Bool { self != .none }
}
