package import Configuration
package import Hardware
package import Upload

/// What the checks judge. Nil stands for a part that was not examined; no check reports on it.
package struct Facts: Sendable, Hashable {
    package var user: UserFacts?
    package var configuration: ConfigurationFacts?
    package var board: BoardDescription?
    package var entry: BoardEntry?
    package var bus: BusFacts?
    package var wire: WireFacts?
    package var daemonFaults: [String] = []
    package var lines: [ExaminedLine] = []
    package var receiver: ReceiverFacts?
    package var adapter: AdapterFacts?
    package var monitor: MonitorFacts?
    package var files: [ExaminedFile] = []
    /// Nil if the daemon never halts the board.
    package var haltRight: HaltRight?
    /// Nil if the options are unknown or do not matter.
    package var gpsdOptions: [String]?
    /// Nil if the daemon never halts the board.
    package var bootSettings: [String: String]?
    package var store: StoreFacts?
    package var clock: ClockFacts?
    package var targets: [ExaminedTarget] = []

    package init() {}
}

package struct ExaminedLine: Sendable, Hashable {
    package var key: String
    package var line: LineReference
    package var facts: LineFacts
    package var isWronglyActive = false
}

package struct ExaminedFile: Sendable, Hashable {
    package enum Purpose: String, Sendable, Hashable { case atRest, light, alarm }

    package var purpose: Purpose
    package var path: String
    package var facts: FileFacts
}

package struct ExaminedTarget: Sendable, Hashable {
    package var name: String
    package var host: String
    package var facts: TargetProbe.Outcome
}

package struct UserFacts: Sendable, Hashable {
    package var name: String
    package var isRoot: Bool
    package var isInGroup: Bool
}

package enum ConfigurationFacts: Sendable, Hashable {
    case wrong([ConfigurationError.Problem])
    case right(path: String, targets: Int, notes: [ConfigurationError.Problem])
}

package enum StoreFacts: Sendable, Hashable {
    /// The text states the reason and the remedy.
    case unusable(String)
    case damaged(String)
    case working(path: String, free_bytes: Int)
}

package struct ClockFacts: Sendable, Hashable {
    package var isSynchronised: Bool
    package var hasTimeOfFix: Bool
    package var isSetByReceiver = false

    /// With this file `trackerd-clock` makes the receiver a source of chrony.
    package static let receiverSource = "/etc/chrony/conf.d/trackerd.conf"
}
