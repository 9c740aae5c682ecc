package import Quantities

/// Words of which an option takes one.
package protocol OptionChoice: CaseIterable, Sendable, Hashable {
    /// What it is called in the configuration.
    var name: String { get }
}

extension OptionChoice where Self: RawRepresentable, RawValue == String {
    /// What it is called in the configuration.
    package var name: String { rawValue }
}

/// What is recorded unasked, as in OwnTracks; the numbers are those of its `monitoring`.
package enum MonitoringMode: Int, Sendable, Hashable, Codable, CaseIterable, OptionChoice {
    /// Nothing but what was asked for.
    case quiet = -1
    /// Region events.
    case manual = 0
    /// Significant changes of place.
    case significant = 1
    /// The whole way.
    case move = 2

    /// What it is called in the configuration.
    package var name: String { "\(self)" }

    /// Whether the way is recorded unasked.
    package var recordsUnasked: Bool {
        switch self {
        case .quiet, .manual: false
        case .significant, .move: true
        }
    }

    /// Whether anything needs to know where the vehicle is.
    package var usesReceiver: Bool { recordsUnasked || recordsRegions }

    /// Whether entering and leaving a region is recorded.
    package var recordsRegions: Bool {
        switch self {
        case .quiet: false
        case .manual, .significant, .move: true
        }
    }
}

/// How good a fix must be before it is taken, and how hard the receiver is driven.
package enum DesiredAccuracy: String, Sendable, Hashable, Codable, CaseIterable, OptionChoice {
    /// The best that the receiver has.
    case best
    /// A horizontal error of at most 20 m.
    case high
    /// At most 100 m.
    case medium
    /// At most 1000 m.
    case low
    /// The receiver is never powered; fixes that are there anyway are taken.
    case none
}

/// How the time rule and the distance rule go together.
package enum UpdateRule: String, Sendable, Hashable, Codable, CaseIterable, OptionChoice {
    /// Whichever comes first.
    case any
    /// Both must hold.
    case all
}

/// Which records are uploaded.
package enum SyncRule: String, Sendable, Hashable, Codable, CaseIterable, OptionChoice {
    /// All of them.
    case all
    /// Stops, and leaving regions.
    case stopsAndExits
    /// None; they stay on the device.
    case none
}

/// Which records that could not be delivered at once are delivered later.
package enum ReplayRule: String, Sendable, Hashable, Codable, CaseIterable, OptionChoice {
    /// All of them.
    case all
    /// Stops.
    case stops
    /// None.
    case none
}

/// When a light on the board shows that the vehicle is tracked.
package enum Indicator: String, Sendable, Hashable, Codable, CaseIterable, OptionChoice {
    /// Never.
    case off
    /// It blinks at each record.
    case updates
    /// As long as the program runs.
    case always
}

extension TrackingOptions {
    /// Whether the receiver is powered unasked.
    package var powersReceiver: Bool { desiredAccuracy.powersReceiver && monitoring.usesReceiver }
}

extension DesiredAccuracy {
    /// The horizontal error that is waited for; that of `best` is what a good receiver reaches under an open sky.
    package var limit: Metres {
        switch self {
        case .best: Metres(10)
        case .high: Metres(20)
        case .medium: Metres(100)
        case .low, .none: Metres(1000)
        }
    }

    /// Whether the receiver may be powered for it.
    package var powersReceiver: Bool { self != .none }
}
