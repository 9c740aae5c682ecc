/// What the kernel's own buses occupy on the 40-pin header, and what the boot loader must be told for it.
///
/// The program itself opens devices and never looks at this: it is here so that the wiring tables and drawings are made
/// from the very file that the daemon reads, and so that no line is given away twice.
package struct HeaderWiring: Sendable, Hashable {
    /// The label of the GPIO chip whose lines are on the header.
    package var chip: String
    /// The line that carries data of the accelerometer's I²C bus.
    package var data: Int?
    /// The line that carries the clock of that bus.
    package var clock: Int?
    /// The line on which this computer talks to the receiver.
    package var transmit: Int?
    /// The line on which the receiver talks to this computer.
    package var receive: Int?
    /// The lines that `config.txt` needs.
    package var bootLines: [String]
    /// What else a person with a soldering iron has to know, a sentence or two each.
    package var notes: [String]

    /// Describes a header.
    package init(
        chip: String, data: Int? = nil, clock: Int? = nil, transmit: Int? = nil, receive: Int? = nil,
        bootLines: [String] = [], notes: [String] = []
    ) {
        self.chip = chip
        self.data = data
        self.clock = clock
        self.transmit = transmit
        self.receive = receive
        self.bootLines = bootLines
        self.notes = notes
    }
}
