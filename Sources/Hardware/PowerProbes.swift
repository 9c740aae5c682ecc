package import Quantities

/// Examines the battery monitor.
package protocol MonitorProbe {
    /// Reads the last measurement of the monitor; changes nothing.
    func monitor(_ wiring: SupplyWiring.Monitor) -> MonitorFacts
}

/// What the probe found out about the battery monitor.
package enum MonitorFacts: Sendable, Hashable {
    /// The monitor measures this voltage, multiplied by the divider.
    case measures(Volts)
    /// No chip answers at the address.
    case absent
    /// The user may not open the bus.
    case forbidden
    /// The bus cannot be used, for this reason.
    case failing(String)
}

/// Examines files and rights of the system that the power saving needs.
package protocol SystemProbe {
    /// Examines a file that the daemon reads and writes; changes nothing.
    func file(_ path: String) -> FileFacts

    /// Examines whether this user may halt the computer.
    func haltRight() -> HaltRight

    /// Returns the options of the running gpsd, such as `-n`; nil if no gpsd is running, or if its options cannot be read.
    func gpsdOptions() -> [String]?

    /// Returns the settings of the boot loader, such as `WAKE_ON_GPIO`; empty if the program finds no settings.
    func bootSettings() -> [String: String]
}

/// What the probe found out about a file of the system.
package enum FileFacts: Sendable, Hashable {
    case usable
    case missing
    case forbidden
}

/// Whether a user may halt the computer.
package enum HaltRight: Sendable, Hashable {
    case allowed
    case forbidden
    /// The system's login manager did not answer.
    case unknown
}
