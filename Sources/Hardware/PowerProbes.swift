package import Quantities

package protocol MonitorProbe {
    /// Reads the last measurement, and changes nothing.
    func monitor(_ wiring: SupplyWiring.Monitor) -> MonitorFacts
}

package enum MonitorFacts: Sendable, Hashable {
    /// At the battery, before the divider.
    case measures(Volts)
    case foreign(String)
    case absent
    case forbidden
    case failing(String)
}

package protocol SystemProbe {
    /// Changes nothing.
    func file(_ path: String) -> FileFacts

    func haltRight() -> HaltRight

    /// Such as `-n`; nil if gpsd does not run, or if they cannot be read.
    func gpsdOptions() -> [String]?

    /// Such as `WAKE_ON_GPIO`; empty if there are none.
    func bootSettings() -> [String: String]
}

package enum FileFacts: Sendable, Hashable {
    case usable
    case missing
    case forbidden
}

package enum HaltRight: Sendable, Hashable {
    case allowed
    case forbidden
    /// The login manager did not answer, or cannot halt this computer.
    case unknown
}
