/// Where gpsd is, and which of its devices is meant.
package struct GpsdAddress: Sendable, Hashable, CustomStringConvertible {
    /// Name or number of the host.
    package var host: String
    /// TCP port.
    package var port: UInt16
    /// The path of the receiver, as gpsd calls it; all receivers when nothing is given.
    package var device: String?

    /// Names a gpsd; the one of this computer, when nothing is said.
    package init(host: String = "localhost", port: UInt16 = 2947, device: String? = nil) {
        self.host = host
        self.port = port
        self.device = device
    }

    /// As written in messages, such as `gpsd at localhost:2947`.
    package var description: String { "gpsd at \(host):\(port)" }
}

/// Why there are no reports of gpsd.
package enum GpsdTrouble: Error, Sendable, Hashable, CustomStringConvertible {
    /// The connection could not be made.
    case unreachable(GpsdAddress, reason: String)
    /// gpsd closed the connection, or sent what is not its protocol.
    case closed(GpsdAddress)
    /// gpsd is connected, or is being connected to, but sends nothing.
    case silent(GpsdAddress)

    /// What was attempted, what happened, and what the user can do.
    package var description: String {
        switch self {
        case .unreachable(let address, let reason):
            "\(address): cannot be connected to (\(reason)). Check that it runs: `systemctl status gpsd.socket`."
        case .closed(let address):
            "\(address): closed the connection. If it keeps doing so, see `journalctl -u gpsd`."
        case .silent(let address):
            "\(address): no report of \(address.device ?? "any receiver") for a minute. See what `gpspipe -w` shows."
        }
    }
}
