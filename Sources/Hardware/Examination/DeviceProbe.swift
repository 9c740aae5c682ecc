/// Looks at the devices that a board names, without changing anything that a running tracker would notice.
///
/// Each call takes a few seconds at most. What is not there, or may not be opened, is a fact and no error.
package protocol DeviceProbe {
    /// Looks for an accelerometer: opens its bus, asks each address, and reads identities.
    func bus(of accelerometer: AccelerometerWiring) -> BusFacts

    /// Looks at a line, without asking for it.
    func line(_ line: LineReference) -> LineFacts

    /// Asks gpsd for its devices, and listens to the receiver for a while.
    func receiver(at address: GpsdAddress) -> ReceiverFacts

    /// Looks at a Bluetooth adapter, by number.
    func adapter(_ number: Int) -> AdapterFacts
}
