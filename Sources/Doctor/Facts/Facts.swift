package import Configuration
package import Hardware
package import Upload

/// The facts that the doctor's checks judge.
///
/// If the doctor has not examined a part, the facts about this part are nil, and no check reports on the part.
package struct Facts: Sendable, Hashable {
    /// The user who runs the doctor.
    package var user: UserFacts?
    package var configuration: ConfigurationFacts?
    /// The wiring in the board file; nil if the doctor cannot read the file.
    package var board: BoardDescription?
    /// The key `board` of the configuration; nil if it is missing.
    package var entry: BoardEntry?
    /// The accelerometer's bus.
    package var bus: BusFacts?
    /// The accelerometer's interrupt wire.
    package var wire: WireFacts?
    /// The sentences of the running daemon about its faults.
    package var daemonFaults: [String] = []
    package var lines: [ExaminedLine] = []
    package var receiver: ReceiverFacts?
    package var adapter: AdapterFacts?
    package var monitor: MonitorFacts?
    /// The files for power saving, the light and the alarm.
    package var files: [ExaminedFile] = []
    /// Whether the user may halt the computer; nil if the daemon never halts the board.
    package var haltRight: HaltRight?
    /// The options of gpsd; nil if they are unknown or do not matter.
    package var gpsdOptions: [String]?
    /// The settings of the boot loader; nil if the daemon never halts the board.
    package var bootSettings: [String: String]?
    package var store: StoreFacts?
    package var clock: ClockFacts?
    /// The servers, in the order of the file.
    package var targets: [ExaminedTarget] = []

    /// Makes facts in which no part is examined.
    package init() {}
}

/// A GPIO line, its key, and the facts about it.
package struct ExaminedLine: Sendable, Hashable {
    /// The key in the board's file that sets the line.
    package var key: String
    package var line: LineReference
    package var facts: LineFacts
    /// Whether the line is active although it should be idle now.
    package var isWronglyActive = false

    /// Stores the facts about a line.
    package init(key: String, line: LineReference, facts: LineFacts, isWronglyActive: Bool = false) {
        self.isWronglyActive = isWronglyActive
        self.key = key
        self.line = line
        self.facts = facts
    }
}

/// A file of the system, its purpose, and the facts about it.
package struct ExaminedFile: Sendable, Hashable {
    /// What the daemon uses the file for.
    package enum Purpose: String, Sendable, Hashable { case atRest, light, alarm }

    package var purpose: Purpose
    package var path: String
    package var facts: FileFacts

    /// Stores the facts about a file.
    package init(_ purpose: Purpose, path: String, facts: FileFacts) {
        self.purpose = purpose
        self.path = path
        self.facts = facts
    }
}

/// A server, and the result of connecting to it.
package struct ExaminedTarget: Sendable, Hashable {
    /// The name of the server's target in the configuration.
    package var name: String
    /// The name or address of the server.
    package var host: String
    package var facts: TargetProbe.Outcome

    /// Stores the result of connecting to a server.
    package init(name: String, host: String, facts: TargetProbe.Outcome) {
        self.name = name
        self.host = host
        self.facts = facts
    }
}

/// The user who runs the doctor.
package struct UserFacts: Sendable, Hashable {
    package var name: String
    /// Whether the user is root, who has all permissions.
    package var isRoot: Bool
    /// Whether the user is in the group `trackerd`.
    package var isInGroup: Bool

    package init(name: String, isRoot: Bool, isInGroup: Bool) {
        self.name = name
        self.isRoot = isRoot
        self.isInGroup = isInGroup
    }
}

/// The facts about the configuration file and the board's file.
package enum ConfigurationFacts: Sendable, Hashable {
    /// The files have these errors.
    case wrong([ConfigurationError.Problem])
    /// The files are valid; the notes are hints that do not prevent tracking.
    case right(path: String, targets: Int, notes: [ConfigurationError.Problem])
}

/// The facts about the database.
package enum StoreFacts: Sendable, Hashable {
    /// The database cannot be opened or written; the text states the reason and the remedy.
    case unusable(String)
    /// The database is damaged; the text is the store's message.
    case damaged(String)
    /// The database works; the disk has this free space.
    case working(path: String, free_bytes: Int)
}

package struct ClockFacts: Sendable, Hashable {
    /// Whether the kernel's clock is synchronised.
    package var isSynchronised: Bool
    /// Whether the receiver has provided the time with a fix.
    package var hasTimeOfFix: Bool
    /// Whether chrony sets the clock from the receiver (`trackerd-clock on`).
    package var isSetByReceiver: Bool

    /// The file by which `trackerd-clock` makes the receiver a source of chrony.
    package static let receiverSource = "/etc/chrony/conf.d/trackerd.conf"

    package init(isSynchronised: Bool, hasTimeOfFix: Bool, isSetByReceiver: Bool = false) {
        self.isSynchronised = isSynchronised
        self.hasTimeOfFix = hasTimeOfFix
        self.isSetByReceiver = isSetByReceiver
    }
}
