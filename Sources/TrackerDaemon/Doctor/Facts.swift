package import Hardware
package import Upload

/// All that the doctor's checks judge; what was not looked at is nothing, and no check says anything about it.
package struct Facts: Sendable, Hashable {
    /// Who asks.
    package var user: UserFacts?
    /// The configuration file.
    package var configuration: ConfigurationFacts?
    /// What should be wired; nothing when the board's file cannot be read.
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

    /// Begins with nothing looked at.
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

/// A server, and what came of reaching it.
package struct ExaminedTarget: Sendable, Hashable {
    /// Its name in the configuration.
    package var name: String
    /// Its host.
    package var host: String
    /// What came of it.
    package var facts: TargetProbe.Outcome

    /// Notes what came of reaching a server.
    package init(name: String, host: String, facts: TargetProbe.Outcome) {
        self.name = name
        self.host = host
        self.facts = facts
    }
}

/// Who asks the doctor.
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
    /// They are right; notes are what works and is worth being told of.
    case right(path: String, targets: Int, notes: [String])
}

/// What was found about the database.
package enum StoreFacts: Sendable, Hashable {
    /// It cannot be opened or written, in the store's own words.
    case unusable(String)
    /// It is damaged, in the store's own words.
    case damaged(String)
    /// It works, and the disk has so many bytes left.
    case working(path: String, free_bytes: Int)
}

/// What was found about the clock.
package struct ClockFacts: Sendable, Hashable {
    /// Whether the kernel takes its clock for right.
    package var isSynchronised: Bool
    /// Whether a fix has told the time.
    package var hasTimeOfFix: Bool

    /// Describes a clock.
    package init(isSynchronised: Bool, hasTimeOfFix: Bool) {
        self.isSynchronised = isSynchronised
        self.hasTimeOfFix = hasTimeOfFix
    }
}
