package import Quantities

/// The probes by which the doctor examines a board's devices; a device without a probe is not examined.
package struct DeviceProbes {
    /// The accelerometer.
    package var bus: (any BusProbe)?
    /// The GPIO lines.
    package var line: (any LineProbe)?
    /// The receiver.
    package var receiver: (any ReceiverProbe)?
    /// The Bluetooth adapter.
    package var adapter: (any AdapterProbe)?

    /// Makes a set of probes.
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

/// Searches for an accelerometer.
package protocol BusProbe {
    /// Opens the bus, addresses each chip on it and reads identities; changes nothing.
    func bus(of accelerometer: AccelerometerWiring) -> BusFacts
}

/// What was found where the accelerometer should be.
package enum BusFacts: Sendable, Hashable {
    /// A chip that answers on a bus.
    package struct Answer: Sendable, Hashable {
        /// The chip's address.
        package var address: UInt8
        /// The models that have this identity; empty if no known model has.
        package var models: [String]
        /// The kernel driver that uses the chip, in which case its identity was not read.
        package var driver: String?

        /// Describes an answer.
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

        /// Describes a bus.
        package init(_ path: String, answers: [Answer] = []) {
            self.path = path
            self.answers = answers
        }
    }

    /// The bus does not exist; `others` do.
    case absent(others: [Bus])
    /// The user may not open the bus.
    case forbidden
    /// The bus cannot be used, for this reason.
    case failing(String)
    /// The answers on the bus, by address; if the expected model is not among them, also those on the other buses.
    case scanned(answers: [Answer], elsewhere: [Bus])
}

/// Examines GPIO lines.
package protocol LineProbe {
    /// Examines a line without requesting it.
    func line(_ line: LineReference) -> LineFacts
}

/// What was found about a GPIO line.
package enum LineFacts: Sendable, Hashable {
    /// No chip has the label; `labels` exist.
    case noChip(labels: [String])
    /// The user may not open the chip.
    case forbidden
    /// The chip has no such line; `names` are those of its lines.
    case noLine(names: [String])
    /// The line is in use: the consumer's name, and the program if it could be found.
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
    /// gpsd does not have the receiver; it has the devices `others`.
    case noDevice(others: [String])
    /// gpsd cannot use the receiver, for this reason.
    case deviceFailing(device: String, reason: String)
    /// gpsd has the receiver, which has sent nothing for `span`.
    case silent(device: String, span: Duration)
    /// The receiver reports, but has no fix: the satellites it uses and sees.
    case searching(device: String, used: Int, seen: Int)
    /// The receiver has a fix: its error and the satellites it uses; nil if gpsd does not report them.
    case fix(device: String, error: Metres?, used: Int?)
}

/// Searches for a Bluetooth adapter.
package protocol AdapterProbe {
    /// Examines the adapter with this number.
    func adapter(_ number: Int) -> AdapterFacts
}

/// What was found about the Bluetooth adapter.
package enum AdapterFacts: Sendable, Hashable {
    /// The adapter does not exist; the adapters with the numbers `others` do.
    case absent(others: [Int])
    /// rfkill has switched it off, by a switch of the computer (hard) or by software.
    case blocked(isHard: Bool)
    /// The adapter is down.
    case down
    /// The program lacks these capabilities.
    case forbidden(capabilities: [String])
    /// Another program uses the adapter exclusively.
    case taken
    /// The adapter supports only Bluetooth Classic.
    case noLowEnergy
    /// The kernel reports nothing about it.
    case failing
    /// The adapter can scan.
    case ready
}
