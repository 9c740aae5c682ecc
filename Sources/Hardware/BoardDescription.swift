/// What is wired to a board, as its file says.
package struct BoardDescription: Sendable, Hashable {
    /// What it is called on the command line.
    package var name: String
    /// What it is, in a sentence.
    package var text: String
    /// Whether its devices are recordings.
    package var isSimulated: Bool
    /// Where gpsd listens.
    package var gpsd: GpsdAddress
    /// What it draws.
    package var currents: Currents

    /// Describes a board.
    package init(name: String, text: String, isSimulated: Bool, gpsd: GpsdAddress, currents: Currents) {
        self.name = name
        self.text = text
        self.isSimulated = isSimulated
        self.gpsd = gpsd
        self.currents = currents
    }
}
