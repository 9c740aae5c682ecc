/// What was found where the Bluetooth adapter should be.
package enum AdapterFacts: Sendable, Hashable {
    /// There is no such adapter; these there are, by number.
    case absent(others: [Int])
    /// It is switched off by rfkill, by a switch of the computer (hard) or by software.
    case blocked(isHard: Bool)
    /// It is down.
    case down
    /// The program lacks these capabilities.
    case forbidden(capabilities: [String])
    /// Another program has it for itself.
    case taken
    /// It knows only the older kind of Bluetooth.
    case noLowEnergy
    /// The kernel does not tell anything about it.
    case failing
    /// It can listen.
    case ready
}
