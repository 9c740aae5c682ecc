package import Quantities

/// The doctor's probes of a board's devices; the doctor does not examine a device without a probe.
package struct DeviceProbes {
    /// The probe for the accelerometer.
    package var bus: (any BusProbe)?
    /// The probe for the GPIO lines.
    package var line: (any LineProbe)?
    /// The probe for the receiver.
    package var receiver: (any ReceiverProbe)?
    /// The probe for the Bluetooth adapter.
    package var adapter: (any AdapterProbe)?
    /// The battery monitor.
    package var monitor: (any MonitorProbe)?
    /// Files and rights of the system.
    package var system: (any SystemProbe)?

    /// Makes a set of probes.
    package init(
        bus: (any BusProbe)? = nil, line: (any LineProbe)? = nil, receiver: (any ReceiverProbe)? = nil,
        adapter: (any AdapterProbe)? = nil, monitor: (any MonitorProbe)? = nil, system: (any SystemProbe)? = nil
    ) {
        self.bus = bus
        self.line = line
        self.receiver = receiver
        self.adapter = adapter
        self.monitor = monitor
        self.system = system
    }
}

/// Searches for an accelerometer.
package protocol BusProbe {
    /// Opens the bus, addresses each chip on it and reads identities; changes nothing.
    func bus(of accelerometer: AccelerometerWiring) -> BusFacts
}

/// What the probe found where the accelerometer should be.
package enum BusFacts: Sendable, Hashable {
    /// A chip that answers on a bus.
    package struct Answer: Sendable, Hashable {
        /// The chip's address.
        package var address: UInt8
        /// The models that have this identity; empty if it matches no known model.
        package var models: [String]
        /// The kernel driver that uses the chip; if there is one, the probe did not read the identity.
        package var driver: String?

        /// Makes an answer.
        package init(_ address: UInt8, _ models: String..., driver: String? = nil) {
            self.address = address
            self.models = models
            self.driver = driver
        }
    }

    /// A bus, and the chips that answer on it.
    package struct Bus: Sendable, Hashable {
        /// The device of the bus, such as `/dev/i2c-3`.
        package var path: String
        /// The answers, by address; empty if the bus cannot be used.
        package var answers: [Answer]

        /// Makes a bus.
        package init(_ path: String, answers: [Answer] = []) {
            self.path = path
            self.answers = answers
        }
    }

    /// The bus does not exist; `others` are the buses that exist.
    case absent(others: [Bus])
    /// The user may not open the bus.
    case forbidden
    /// The bus cannot be used, for this reason.
    case failing(String)
    /// The answers on the bus, by address; if the expected model did not answer there, also the answers on the other buses.
    case scanned(answers: [Answer], elsewhere: [Bus])
}

/// Examines GPIO lines.
package protocol LineProbe {
    /// Examines a line without requesting it.
    func line(_ line: LineReference) -> LineFacts
}

/// What the probe found out about a GPIO line.
package enum LineFacts: Sendable, Hashable {
    /// No chip has the label; `labels` contains the labels that exist.
    case noChip(labels: [String])
    /// The user may not open the chip.
    case forbidden
    /// The chip has no such line; `names` contains the names of its lines.
    case noLine(names: [String])
    /// The line is in use: the consumer's name, and the program if the probe found it.
    case held(by: String, program: String?)
    /// The line is free.
    case free
}

/// Searches for a receiver.
package protocol ReceiverProbe {
    /// Asks gpsd for its devices, and listens to the receiver for some seconds.
    func receiver(at address: GpsdAddress) -> ReceiverFacts
}

/// What gpsd and the receiver reported.
package enum ReceiverFacts: Sendable, Hashable {
    /// gpsd does not answer, for this reason.
    case noGpsd(reason: String)
    /// gpsd does not use the receiver; `others` contains the devices that it uses.
    case noDevice(others: [String])
    /// gpsd cannot use the receiver, for this reason.
    case deviceFailing(device: String, reason: String)
    /// gpsd uses the receiver, but the receiver has sent nothing for `span`.
    case silent(device: String, span: Duration)
    /// The receiver sends reports, but has no fix: the number of satellites it uses and sees.
    case searching(device: String, used: Int, seen: Int)
    /// The receiver has a fix: its error and the number of satellites it uses; nil if gpsd does not report them.
    case fix(device: String, error: Metres?, used: Int?)
}

/// Searches for a Bluetooth adapter.
package protocol AdapterProbe {
    /// Examines the adapter with this number.
    func adapter(_ number: Int) -> AdapterFacts
}

/// What the probe found out about the Bluetooth adapter.
package enum AdapterFacts: Sendable, Hashable {
    /// The adapter does not exist; `others` contains the numbers of the adapters that exist.
    case absent(others: [Int])
    /// rfkill blocks the adapter, by a switch of the computer (hard) or by software.
    case blocked(isHard: Bool)
    /// The adapter is switched off.
    case down
    /// The program lacks these capabilities.
    case forbidden(capabilities: [String])
    /// Another program uses the adapter exclusively.
    case taken
    /// The adapter supports only Bluetooth Classic.
    case noLowEnergy
    /// The kernel reports nothing about the adapter.
    case failing
    /// The adapter can scan.
    case ready
}
