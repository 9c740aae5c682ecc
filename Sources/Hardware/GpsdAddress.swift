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
