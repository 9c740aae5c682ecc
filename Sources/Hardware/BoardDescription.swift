package import Tracking

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
    /// How the receiver is switched.
    package var receiverPower = ReceiverPowerWiring()
    /// The accelerometer.
    package var accelerometer: AccelerometerWiring?
    /// The number of the Bluetooth adapter that listens for beacons, 0 for `hci0`.
    package var bluetooth: Int?
    /// Ignition and supply.
    package var supply = SupplyWiring()
    /// The light.
    package var indicator: IndicatorWiring?
    /// What is set while the vehicle is parked.
    package var restSettings: [RestSetting] = []
    /// What boots it again after a halt; nothing: it is never halted for being parked.
    package var wakeUp: WakeUp?
    /// When it draws less, or is halted.
    package var power = PowerPolicy()
    /// What lies on its 40-pin header.
    package var header: HeaderWiring?
    /// What it draws.
    package var currents: Currents

    /// Describes a board on which gpsd is all there is.
    package init(
        name: String, text: String = "", isSimulated: Bool = false, gpsd: GpsdAddress = GpsdAddress(),
        currents: Currents = Currents()
    ) {
        self.name = name
        self.text = text
        self.isSimulated = isSimulated
        self.gpsd = gpsd
        self.currents = currents
    }
}
