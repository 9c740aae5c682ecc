package import Hardware
package import Upload

/// The facts that the doctor's checks judge; a part that was not examined is nil, and no check reports it.
package struct Facts: Sendable, Hashable {
    /// The user of the doctor.
    package var user: UserFacts?
    /// The configuration file.
    package var configuration: ConfigurationFacts?
    /// The wiring by the board file; nil if that cannot be read.
    package var board: BoardDescription?
    /// The accelerometer's bus.
    package var bus: BusFacts?
    /// The lines of the board.
    package var lines: [ExaminedLine] = []
    /// gpsd and the receiver.
    package var receiver: ReceiverFacts?
    /// The Bluetooth adapter.
    package var adapter: AdapterFacts?
    /// The database.
    package var store: StoreFacts?
    /// The clock.
    package var clock: ClockFacts?
    /// The servers, in the order of the file.
    package var targets: [ExaminedTarget] = []

    /// Makes facts without any examined part.
    package init() {}
}

/// A line, what it is for, and what was found about it.
package struct ExaminedLine: Sendable, Hashable {
    /// The key of the board's file that names it.
    package var key: String
    /// The line.
    package var line: LineReference
    /// What was found.
    package var facts: LineFacts

    /// Notes what was found about a line.
    package init(key: String, line: LineReference, facts: LineFacts) {
        self.key = key
        self.line = line
        self.facts = facts
    }
}

/// A server, and the result of connecting to it.
package struct ExaminedTarget: Sendable, Hashable {
    /// Its name in the configuration.
    package var name: String
    /// Its host.
    package var host: String
    /// The result.
    package var facts: TargetProbe.Outcome

    /// Notes the result of connecting to a server.
    package init(name: String, host: String, facts: TargetProbe.Outcome) {
        self.name = name
        self.host = host
        self.facts = facts
    }
}

/// The user who runs the doctor.
package struct UserFacts: Sendable, Hashable {
    /// The name.
    package var name: String
    /// Whether it may do anything, as root may.
    package var isRoot: Bool
    /// Whether it is in the group `trackerd`.
    package var isInGroup: Bool

    /// Describes a user.
    package init(name: String, isRoot: Bool, isInGroup: Bool) {
        self.name = name
        self.isRoot = isRoot
        self.isInGroup = isInGroup
    }
}

/// What was found in the configuration file and the board's.
package enum ConfigurationFacts: Sendable, Hashable {
    /// They are wrong in these ways.
    case wrong([ConfigurationError.Problem])
    /// They are valid; notes are hints without effect on tracking.
    case right(path: String, targets: Int, notes: [String])
}

/// What was found about the database.
package enum StoreFacts: Sendable, Hashable {
    /// It cannot be opened or written, in the store's own words.
    case unusable(String)
    /// It is damaged, in the store's own words.
    case damaged(String)
    /// It works, and the disk has this much space left.
    case working(path: String, free_bytes: Int)
}

/// What was found about the clock.
package struct ClockFacts: Sendable, Hashable {
    /// Whether the kernel's clock is synchronised.
    package var isSynchronised: Bool
    /// Whether a fix has provided the time.
    package var hasTimeOfFix: Bool

    /// Describes a clock.
    package init(isSynchronised: Bool, hasTimeOfFix: Bool) {
        self.isSynchronised = isSynchronised
        self.hasTimeOfFix = hasTimeOfFix
    }
}
