package import Quantities

/// What trackerd uploads unasked, and whether it records a track; the raw values are OwnTracks'.
package enum MonitoringMode: Int, Sendable, Hashable, Codable, CaseIterable, OptionChoice {
    /// There is no track. Only answers to requests and orders are uploaded, and waypoints when somebody sets them.
    case quiet = -1
    /// In addition to `quiet`, region events are uploaded.
    case manual = 0
    /// Significant changes of place are recorded; all records are uploaded.
    case significant = 1
    /// The whole route is recorded.
    case move = 2

    package var name: String { "\(self)" }

    /// If false, departures, trips and the like stay on the device.
    package var recordsUnasked: Bool {
        switch self {
        case .quiet, .manual: false
        case .significant, .move: true
        }
    }

    package var usesReceiver: Bool { recordsUnasked || recordsRegions }

    package var recordsRegions: Bool {
        switch self {
        case .quiet: false
        case .manual, .significant, .move: true
        }
    }
}

package enum DesiredAccuracy: String, Sendable, Hashable, Codable, CaseIterable, OptionChoice {
    case best
    /// A horizontal error of at most 20 m.
    case high
    /// A horizontal error of at most 100 m.
    case medium
    /// A horizontal error of at most 1000 m.
    case low
    case none
}

package enum UpdateRule: String, Sendable, Hashable, Codable, CaseIterable, OptionChoice {
    case any
    case all
}

package enum SyncRule: String, Sendable, Hashable, Codable, CaseIterable, OptionChoice {
    case all
    /// Besides answers, uploads only arrivals and departures, the beginnings and ends of trips and visits, and exits from
    /// regions.
    case stopsAndExits
    case none
}

package enum ReplayRule: String, Sendable, Hashable, Codable, CaseIterable, OptionChoice {
    case all
    case stops
    case none
}

package enum Indicator: String, Sendable, Hashable, Codable, CaseIterable, OptionChoice {
    case off
    /// Blinks at each record.
    case updates
    /// The light is on while tracking is on.
    case always
}

extension DesiredAccuracy {
    /// The largest horizontal error that ends a search; that of `best` is what a good receiver reaches under an open
    /// sky.
    package var limit: Metres {
        switch self {
        case .best: Metres(10)
        case .high: Metres(20)
        case .medium: Metres(100)
        case .low, .none: Metres(1000)
        }
    }

    package var powersReceiver: Bool { self != .none }
}
