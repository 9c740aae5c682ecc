/// What is wired to a board, as its file says.
package struct BoardDescription: Sendable, Hashable {
    /// Where gpsd listens.
    package struct Gpsd: Sendable, Hashable {
        /// Name or address of the machine.
        package var host: String
        /// TCP port.
        package var port: UInt16
        /// The device that counts; nothing: all of them.
        package var device: String?

        /// Makes an address.
        package init(host: String = "localhost", port: UInt16 = 2947, device: String? = nil) {
            self.host = host
            self.port = port
            self.device = device
        }
    }

    /// What it is called on the command line.
    package var name: String
    /// What it is, in a sentence.
    package var text: String
    /// Whether its devices are recordings.
    package var isSimulated: Bool
    /// Where gpsd listens.
    package var gpsd: Gpsd
    /// What it draws.
    package var currents: Currents

    /// Describes a board.
    package init(name: String, text: String, isSimulated: Bool, gpsd: Gpsd, currents: Currents) {
        self.name = name
        self.text = text
        self.isSimulated = isSimulated
        self.gpsd = gpsd
        self.currents = currents
    }
}
