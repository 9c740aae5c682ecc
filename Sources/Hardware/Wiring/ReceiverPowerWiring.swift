/// How the GPS receiver is switched.
package struct ReceiverPowerWiring: Sendable, Hashable {
    /// What takes the power away.
    package enum Kind: Sendable, Hashable {
        /// Nothing: the receiver stays on, and gpsd is told to let go of it.
        case none
        /// A load switch in the supply, driven by this line; its backup supply is never switched.
        case rail(LineReference)
        /// The receiver's own standby, by u-blox messages on its serial port.
        case ubx
    }

    /// What takes the power away.
    package var kind: Kind
    /// How long the receiver takes from power to speech.
    package var powerUpTime: Duration
    /// The line of this computer that feeds the receiver's input, and must not while the receiver has no supply.
    ///
    /// It is held as an input while the receiver is off, and given back to the kernel while it is on. On a Raspberry Pi a pin
    /// that was held like that does not become the serial port's again, so that gpsd can only read; who wants it to send puts
    /// a buffer between that is supplied by the switched rail, and names no line here.
    package var transmit: LineReference?
    /// The receiver's own reset input, if one is wired.
    package var reset: LineReference?
    /// The control socket of gpsd, by which a device is taken away and given back; nothing: gpsd notices by itself.
    package var gpsdControl: String?

    /// Describes a receiver's supply.
    package init(
        kind: Kind = .none, powerUpTime: Duration = .milliseconds(500), transmit: LineReference? = nil,
        reset: LineReference? = nil, gpsdControl: String? = nil
    ) {
        self.kind = kind
        self.powerUpTime = powerUpTime
        self.transmit = transmit
        self.reset = reset
        self.gpsdControl = gpsdControl
    }
}
