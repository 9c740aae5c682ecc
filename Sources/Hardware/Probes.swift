package import Quantities
package import Tracking

/// The doctor leaves out a device without a probe.
package struct DeviceProbes {
    package var bus: (any BusProbe)?
    package var wire: (any WireProbe)?
    package var line: (any LineProbe)?
    package var receiver: (any ReceiverProbe)?
    package var adapter: (any AdapterProbe)?
    package var monitor: (any MonitorProbe)?
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

package protocol BusProbe {
    /// Reads the identities of the chips on the bus, and changes nothing.
    func bus(of accelerometer: AccelerometerWiring) -> BusFacts
}

package enum BusFacts: Sendable, Hashable {
    package struct Answer: Sendable, Hashable {
        package var address: UInt8
        /// Empty if no known model has the chip's identity, or if the identity was not read.
        package var models: [String]
        /// A kernel driver that uses the chip, whose identity was then not read.
        package var driver: String?

        package init(_ address: UInt8, _ models: String..., driver: String? = nil) {
            self.address = address
            self.models = models
            self.driver = driver
        }
    }

    package struct Bus: Sendable, Hashable {
        package var path: String
        /// In order of the addresses; empty also if the bus cannot be used.
        package var answers: [Answer]

        package init(_ path: String, answers: [Answer] = []) {
            self.path = path
            self.answers = answers
        }
    }

    /// `others` are the buses that exist.
    case absent(others: [Bus])
    case forbidden
    case failing(String)
    /// In order of the addresses. If the expected model did not answer, `elsewhere` has the answers on other buses.
    case scanned(answers: [Answer], elsewhere: [Bus])
}

package protocol WireProbe {
    /// Changes the chip's pin for some milliseconds and reads the line; nil if that is impossible, for example because
    /// the daemon uses the line.
    func wire(of accelerometer: AccelerometerWiring) -> WireFacts?
}

package enum WireFacts: Sendable, Hashable {
    case works
    case faulty(String)
}

package protocol LineProbe {
    /// Examines a line without requesting it.
    func line(_ line: LineReference) -> LineFacts

    /// Requests an input for a moment; nil if it cannot be read.
    func isActive(_ input: LineReference) -> Bool?
}

extension LineProbe {
    package func isActive(_ input: LineReference) -> Bool? { nil }
}

package enum LineFacts: Sendable, Hashable {
    /// `labels` are those of the chips that exist.
    case noChip(labels: [String])
    case forbidden
    /// `names` are those of the chip's lines.
    case noLine(names: [String])
    /// `program` is nil if the probe has not found it.
    case held(by: String, program: String?)
    case free
}

package protocol ReceiverProbe {
    /// Listens for some seconds. A fix counts only if the engine accepts it with this limit of accuracy.
    func receiver(at address: GpsdAddress, accuracyLimit: Metres) -> ReceiverFacts
}

package enum ReceiverFacts: Sendable, Hashable {
    case noGpsd(reason: String)
    /// `others` are the devices that gpsd uses.
    case noDevice(others: [String])
    case deviceFailing(device: String, reason: String)
    /// Nothing arrived during `span`.
    case silent(device: String, span: Duration)
    /// The numbers are those of satellites; 0 if gpsd reports none.
    case searching(device: String, used: Int, seen: Int)
    /// The engine rejects all positions; `error` is that of the last one.
    case unusable(device: String, FixRejection, error: Metres?)
    /// A value is nil if gpsd does not report it.
    case fix(device: String, error: Metres?, used: Int?)
}

package protocol AdapterProbe {
    func adapter(_ number: Int) -> AdapterFacts
}

package enum AdapterFacts: Sendable, Hashable {
    /// `others` are the numbers of the adapters that exist.
    case absent(others: [Int])
    /// The adapter is blocked by a switch of the computer (`isHard`), or by software.
    case blocked(isHard: Bool)
    case down
    case forbidden(capabilities: [String])
    case taken
    case noLowEnergy
    case failing
    case ready
}

package protocol MonitorProbe {
    /// Reads the last measurement, and changes nothing.
    func monitor(_ wiring: SupplyWiring.Monitor) -> MonitorFacts
}

package enum MonitorFacts: Sendable, Hashable {
    /// The voltage at the battery, before the divider.
    case measures(Volts)
    case foreign(String)
    case absent
    case forbidden
    case failing(String)
}

package protocol SystemProbe {
    /// Tests whether the program may read and write the file, and changes nothing.
    func file(_ path: String) -> FileFacts

    func haltRight() -> HaltRight

    /// The options of gpsd, such as `-n`; nil if gpsd does not run, or if they cannot be read.
    func gpsdOptions() -> [String]?

    /// The settings of the boot loader, such as `WAKE_ON_GPIO`; empty if they cannot be read.
    func bootSettings() -> [String: String]
}

package enum FileFacts: Sendable, Hashable {
    case usable
    case missing
    case forbidden
}

package enum HaltRight: Sendable, Hashable {
    case allowed
    case forbidden
    /// The login manager did not answer, or cannot halt this computer.
    case unknown
}
