package import Quantities

/// When the board is to draw less than it does at rest, or nothing.
package struct PowerPolicy: Sendable, Hashable {
    /// Parked for so long, the board is halted; nothing: never.
    package var haltAfter: Duration?
    /// A board whose clock wakes it is woken so long after it was halted; nothing: something else wakes it.
    package var wakeAfter: Duration?
    /// Below this the vehicle's battery is low; nothing: its voltage is not judged.
    package var lowVoltage: Volts?

    /// Makes a policy; what is left out does not happen.
    package init(haltAfter: Duration? = nil, wakeAfter: Duration? = nil, lowVoltage: Volts? = nil) {
        self.haltAfter = haltAfter
        self.wakeAfter = wakeAfter
        self.lowVoltage = lowVoltage
    }
}
