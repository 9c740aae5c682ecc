package import Quantities
package import Tracking

/// The probes with which the doctor examines a board's devices; the doctor does not examine a device whose probe is nil.
package struct DeviceProbes {
    package var bus: (any BusProbe)?
    /// The test of the accelerometer's interrupt wire.
    package var wire: (any WireProbe)?
    /// The probe for the GPIO lines.
    package var line: (any LineProbe)?
    package var receiver: (any ReceiverProbe)?
    package var adapter: (any AdapterProbe)?
    package var monitor: (any MonitorProbe)?
    /// The probe for files and rights of the system.
    package var system: (any SystemProbe)?

    package init(
        bus: (any BusProbe)? = nil, wire: (any WireProbe)? = nil, line: (any LineProbe)? = nil,
        receiver: (any ReceiverProbe)? = nil,
        adapter: (any AdapterProbe)? = nil, monitor: (any MonitorProbe)? = nil, system: (any SystemProbe)? = nil
    ) {
        self.bus = bus
        self.wire = wire
        self.line = line
        self.receiver = receiver
        self.adapter = adapter
        self.monitor = monitor
        self.system = system
    }
}

/// Searches for an accelerometer.
package protocol BusProbe {
    /// Opens the bus, addresses the chips on it and reads their identities, but changes nothing.
    func bus(of accelerometer: AccelerometerWiring) -> BusFacts
}

/// The facts that the probe found about the accelerometer's bus.
package enum BusFacts: Sendable, Hashable {
    /// A chip that answers on a bus.
    package struct Answer: Sendable, Hashable {
        /// The chip's address.
        package var address: UInt8
        /// The models that have the chip's identity; empty if no known model has it.
        package var models: [String]
        /// The kernel driver that uses the chip; nil if there is none.
        ///
        /// If there is such a driver, the probe has not read the chip's identity.
        package var driver: String?

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
        /// The answers in the order of their addresses; empty if no chip answers, or if the probe cannot use the bus.
        package var answers: [Answer]

        package init(_ path: String, answers: [Answer] = []) {
            self.path = path
            self.answers = answers
        }
    }

    /// The bus does not exist; `others` are the buses that exist.
    case absent(others: [Bus])
    /// The user may not open the bus.
    case forbidden
    /// The probe cannot use the bus, for this reason.
    case failing(String)
    /// The answers on the bus, by address; `elsewhere` contains the answers on the other buses if the expected model did
    /// not answer on this bus.
    case scanned(answers: [Answer], elsewhere: [Bus])
}

/// Tests the interrupt wire of an accelerometer.
package protocol WireProbe {
    /// Changes the level of the chip's pin for some milliseconds, and reads the line; nil if the test is not possible, for
    /// example because the daemon uses the line.
    func wire(of accelerometer: AccelerometerWiring) -> WireFacts?
}

/// What the test of an interrupt wire has shown.
package enum WireFacts: Sendable, Hashable {
    /// The line follows the pin.
    case works
    case faulty(String)
}

/// Examines GPIO lines.
package protocol LineProbe {
    /// Examines a line without requesting it.
    func line(_ line: LineReference) -> LineFacts

    /// Requests an input for a moment; returns whether it is active, or nil if it cannot be read.
    func isActive(_ input: LineReference) -> Bool?
}

extension LineProbe {
    /// Returns nil; a probe of real lines reads them.
    package func isActive(_ input: LineReference) -> Bool? { nil }
}

/// The facts that the probe found about a GPIO line.
package enum LineFacts: Sendable, Hashable {
    /// No chip has this label; `labels` contains the labels of the chips that exist.
    case noChip(labels: [String])
    /// The user may not open the chip.
    case forbidden
    /// The chip has no such line; `names` contains the names of its lines.
    case noLine(names: [String])
    /// A program uses the line; the values are the name of the consumer, and the program if the probe has found it.
    case held(by: String, program: String?)
    /// No program uses the line.
    case free
}

/// Searches for a receiver.
package protocol ReceiverProbe {
    /// Requests the list of gpsd's devices, and listens to the receiver's reports for some seconds.
    ///
    /// A fix counts only if the engine accepts it with this limit of its error.
    func receiver(at address: GpsdAddress, accuracyLimit: Metres) -> ReceiverFacts
}

/// The facts that gpsd and the receiver reported.
package enum ReceiverFacts: Sendable, Hashable {
    /// gpsd does not answer, for this reason.
    case noGpsd(reason: String)
    /// gpsd does not use the receiver; `others` contains the devices that gpsd uses.
    case noDevice(others: [String])
    /// gpsd cannot use the receiver, for this reason.
    case deviceFailing(device: String, reason: String)
    /// gpsd uses the receiver, but the receiver has sent nothing during `span`.
    case silent(device: String, span: Duration)
    /// The receiver sends reports but has no fix; the values are the numbers of satellites that it uses and sees.
    ///
    /// A number that gpsd does not report is 0.
    case searching(device: String, used: Int, seen: Int)
    /// The receiver reports positions, but the engine rejects all of them; `error` is the error of the last one, nil if unknown.
    case unusable(device: String, FixRejection, error: Metres?)
    /// The receiver has a fix; the values are its error and the number of used satellites, each nil if gpsd does not report it.
    case fix(device: String, error: Metres?, used: Int?)
}

/// Searches for a Bluetooth adapter.
package protocol AdapterProbe {
    /// Examines the adapter with this number.
    func adapter(_ number: Int) -> AdapterFacts
}

/// The facts that the probe found about the Bluetooth adapter.
package enum AdapterFacts: Sendable, Hashable {
    /// The adapter does not exist; `others` contains the numbers of the adapters that exist.
    case absent(others: [Int])
    /// rfkill blocks the adapter, either through a switch of the computer (hard) or through software.
    case blocked(isHard: Bool)
    /// The adapter is switched off.
    case down
    /// The program lacks these capabilities.
    case forbidden(capabilities: [String])
    /// Another program uses the adapter exclusively.
    case taken
    /// The adapter supports only Bluetooth Classic.
    case noLowEnergy
    /// The probe cannot examine the adapter, for another reason.
    case failing
    /// The adapter can scan.
    case ready
}
