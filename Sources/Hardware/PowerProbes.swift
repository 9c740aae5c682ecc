package import Quantities

/// Examines the battery monitor.
package protocol MonitorProbe {
    /// Reads the last measurement of the monitor, and changes nothing.
    func monitor(_ wiring: SupplyWiring.Monitor) -> MonitorFacts
}

/// The facts that the probe found about the battery monitor.
package enum MonitorFacts: Sendable, Hashable {
    /// The vehicle's battery has this voltage, computed from the measurement and the ratio of the divider.
    case measures(Volts)
    /// Another chip answers.
    case foreign(String)
    /// No chip answers at the address.
    case absent
    /// The user may not open the bus.
    case forbidden
    /// The probe cannot use the bus, for this reason.
    case failing(String)
}

/// Examines the files and rights of the system that the daemon needs for power saving and for the halt.
package protocol SystemProbe {
    /// Examines a file that the daemon reads and writes, and changes nothing.
    func file(_ path: String) -> FileFacts

    /// Examines whether this user may halt the computer.
    func haltRight() -> HaltRight

    /// Returns the options of the running gpsd, such as `-n`; nil if gpsd is not running, or if its options cannot be read.
    func gpsdOptions() -> [String]?

    /// Returns the settings of the boot loader, such as `WAKE_ON_GPIO`; empty if the program cannot find any.
    func bootSettings() -> [String: String]
}

/// The facts that the probe found about a file of the system.
package enum FileFacts: Sendable, Hashable {
    case usable
    case missing
    case forbidden
}

/// Whether a user may halt the computer.
package enum HaltRight: Sendable, Hashable {
    case allowed
    case forbidden
    /// The system's login manager did not answer, or reported that it cannot halt this computer.
    case unknown
}
