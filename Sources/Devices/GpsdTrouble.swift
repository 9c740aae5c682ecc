package import Hardware

/// Why there are no reports of gpsd.
package enum GpsdTrouble: Error, Sendable, Hashable, CustomStringConvertible {
    /// The connection could not be made.
    case unreachable(GpsdAddress, reason: String)
    /// gpsd closed the connection.
    case closed(GpsdAddress)
    /// A line did not end: this is not gpsd's protocol.
    case overlong(GpsdAddress)
    /// gpsd is connected, or is being connected to, but sends nothing.
    case silent(GpsdAddress)

    /// What was attempted, what happened, and what the user can do.
    package var description: String {
        switch self {
        case .unreachable(let address, let reason):
            "\(address): cannot be connected to (\(reason)). Check that it runs: `systemctl status gpsd.socket`."
        case .closed(let address):
            "\(address): closed the connection. If it keeps doing so, see `journalctl -u gpsd`."
        case .overlong(let address):
            "\(address): sends a line of more than 64 KiB, as gpsd never does. Check what listens there: `ss -ltnp`."
        case .silent(let address):
            "\(address): no report of \(address.device ?? "any receiver") for a minute. See what `gpspipe -w` shows."
        }
    }
}
