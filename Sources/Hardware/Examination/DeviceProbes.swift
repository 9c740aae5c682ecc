/// Looks for an accelerometer.
package protocol BusProbe {
    /// Opens the bus, asks each address whether anybody is there, and reads identities; changes nothing.
    func bus(of accelerometer: AccelerometerWiring) -> BusFacts
}

/// Looks at GPIO lines.
package protocol LineProbe {
    /// Looks at a line without asking for it.
    func line(_ line: LineReference) -> LineFacts
}

/// Looks for a receiver.
package protocol ReceiverProbe {
    /// Asks gpsd for its devices, and listens to the receiver for some seconds.
    func receiver(at address: GpsdAddress) -> ReceiverFacts
}

/// Looks for a Bluetooth adapter.
package protocol AdapterProbe {
    /// Looks at the adapter of that number.
    func adapter(_ number: Int) -> AdapterFacts
}

/// Who looks at the devices of a board; what nobody looks at, the doctor says nothing about.
package struct DeviceProbes {
    /// The accelerometer.
    package var bus: (any BusProbe)?
    /// The lines.
    package var line: (any LineProbe)?
    /// The receiver.
    package var receiver: (any ReceiverProbe)?
    /// The Bluetooth adapter.
    package var adapter: (any AdapterProbe)?

    /// Names who looks.
    package init(
        bus: (any BusProbe)? = nil, line: (any LineProbe)? = nil, receiver: (any ReceiverProbe)? = nil,
        adapter: (any AdapterProbe)? = nil
    ) {
        self.bus = bus
        self.line = line
        self.receiver = receiver
        self.adapter = adapter
    }
}
