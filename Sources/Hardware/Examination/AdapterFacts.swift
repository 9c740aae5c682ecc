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
    /// It can listen.
    case ready
}
