package import Motion
package import Quantities
package import Tracking

package struct BoardDescription: Sendable, Hashable {
    /// Selects the board on the command line.
    package var name: String
    package var text: String
    package var isSimulated: Bool
    package var gpsd: GpsdAddress
    package var receiverPower = ReceiverPowerWiring()
    package var accelerometer: AccelerometerWiring?
    /// 0 for `hci0`; nil if no adapter scans.
    package var bluetooth: Int?
    package var supply = SupplyWiring()
    /// Active while the switch is on.
    package var privateSwitch: LineReference?
    package var indicator: IndicatorWiring?
    package var restSettings: [RestSetting] = []
    /// Nil if the board does not halt while parked.
    package var wakeUp: WakeUp?
    package var power = PowerPolicy()
    package var header: HeaderWiring?
    package var currents: Currents

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

package struct GpsdAddress: Sendable, Hashable, CustomStringConvertible {
    package var host: String
    package var port: UInt16
    /// The device in gpsd's reports; nil means any receiver.
    package var device: String?

    package init(host: String = "localhost", port: UInt16 = 2947, device: String? = nil) {
        self.host = host
        self.port = port
        self.device = device
    }

    package var description: String { "gpsd at \(host):\(port)" }

    /// Also true if no device is configured, or if gpsd omits the name.
    package func permits(_ reporting: String?) -> Bool { reporting == nil || device == nil || reporting == device }

    /// The fault that gpsd does not use the configured device; `others` are the devices that it uses. The remedy changes the
    /// board `base`; without `base`, it is for the board `bare`.
    package func absence(others: [String], base: String? = nil) -> (cause: String, remedy: String) {
        guard let first = others.first else {
            return (
                "gpsd is running but has no device",
                "Add the receiver under DEVICES in /etc/default/gpsd and run `sudo systemctl restart gpsd`, or install udev/99-trackerd.rules, which adds /dev/gps0, and reboot."
            )
        }
        return (
            "gpsd does not use \(device ?? "a receiver"); it uses \(others.joined(separator: ", "))",
            "Write `board: {\(base.map { "base: \($0), " } ?? "")gpsd: {device: \(first)}}`."
        )
    }
}

package struct ReceiverPowerWiring: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        /// Nothing switches the receiver; gpsd only releases it.
        case none
        /// Drives a load switch in the receiver's supply, never in its backup supply.
        case rail(LineReference)
        /// The standby of a u-blox receiver, which a message on its serial port starts and any byte ends.
        case ubx
    }

    package var kind: Kind
    /// The time from the supply to the receiver's first message.
    package var powerUpTime: Duration
    /// The line to the receiver's input. It must not drive a receiver without supply, so the program makes it an input
    /// while the receiver is off; otherwise the kernel has the line. On a Raspberry Pi, a pin that the
    /// program has made an input does not return to the serial port, so gpsd can then only read. For gpsd to send too,
    /// insert a buffer whose supply is on the switched rail, and leave out this line.
    package var transmit: LineReference?
    package var reset: LineReference?
    /// The path of gpsd's control socket, through which the program sends commands to the receiver, and adds the
    /// receiver's device to gpsd or removes it; nil if the program does neither.
    package var gpsdControl: String?

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

package struct AccelerometerWiring: Sendable, Hashable {
    package var bus: String
    /// As in the catalogue of chips.
    package var model: String
    /// Nil means the model's usual address.
    package var address: UInt8?
    /// Nil if the chip is polled.
    package var interrupt: LineReference?
    package var wakeThreshold: Acceleration
    package var levels: MotionDetector.Thresholds

    package init(
        bus: String, model: String, address: UInt8? = nil, interrupt: LineReference? = nil,
        wakeThreshold: Acceleration = Acceleration(0.5),
        levels: MotionDetector.Thresholds = MotionDetector.Thresholds()
    ) {
        self.bus = bus
        self.model = model
        self.address = address
        self.interrupt = interrupt
        self.wakeThreshold = wakeThreshold
        self.levels = levels
    }
}

package struct SupplyWiring: Sendable, Hashable {
    /// An INA219 or INA226, which measures the battery's voltage.
    package struct Monitor: Sendable, Hashable {
        package var bus: String
        /// 0x40 to 0x4F.
        package var address: UInt8
        /// The battery's voltage divided by the voltage at the chip; 1 without a divider.
        package var divider: Double

        /// What the bus input of an INA219 tolerates (SBOS448, section 6.3).
        package static let chipMaximum = Volts(26)
        /// A battery below this voltage belongs to a vehicle with 12 V, which charges with up to 16 V, and any other to
        /// one with 24 V (ISO 16750-2, tables 1 and 2).
        package static let highVoltage = Volts(18)

        /// The voltage if a battery is disconnected while it charges (ISO 16750-2, load dump with suppression in the
        /// alternator).
        package static func loadDump(at voltage: Volts) -> Volts { Volts(voltage < highVoltage ? 35 : 58) }

        package init(bus: String, address: UInt8 = 0x40, divider: Double = 1) {
            self.bus = bus
            self.address = address
            self.divider = divider
        }

        package var place: String { "\(bus) address 0x\(String(address, radix: 16))" }

        /// The maximum at the battery, before the divider.
        package var maximum: Volts { Self.chipMaximum * divider }
    }

    package var ignition: LineReference?
    /// Active when the supply is about to fail.
    package var powerFail: LineReference?
    package var monitor: Monitor?

    package init(ignition: LineReference? = nil, powerFail: LineReference? = nil, monitor: Monitor? = nil) {
        self.ignition = ignition
        self.powerFail = powerFail
        self.monitor = monitor
    }
}

package enum IndicatorWiring: Sendable, Hashable {
    /// An LED by its name in `/sys/class/leds`.
    case led(String)
    case line(LineReference)
}

package struct RestSetting: Sendable, Hashable {
    /// Below `/sys`.
    package var path: String
    /// The value while parked; the former value comes back when the vehicle moves.
    package var value: String

    package init(path: String, value: String) {
        self.path = path
        self.value = value
    }
}

package enum WakeUp: String, Sendable, Hashable, CaseIterable {
    /// A line wired to the pin that boots this board.
    case line
    /// A clock whose alarm is set before the halt.
    case clock
    case supply
}

/// The connections of the 40-pin header, and what the boot loader needs for them. The daemon itself does not use them.
/// `trackerd-docs` makes wiring tables and drawings from them, the doctor reads the chip, and the board reader refuses
/// a line with two uses.
package struct HeaderWiring: Sendable, Hashable {
    /// The label of its GPIO chip.
    package var chip: String
    package var data: Int?
    package var clock: Int?
    /// To the receiver.
    package var transmit: Int?
    /// From the receiver.
    package var receive: Int?
    /// The lines for `config.txt`.
    package var bootLines: [String]
    /// Notes for the person who solders, of one or two sentences each.
    package var notes: [String]

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

/// The currents drawn from 5 V, to estimate the charge of a drive.
package struct Currents: Sendable, Hashable {
    /// The current without the receiver, while the program waits.
    package var board_mA: Double
    /// Nil if the current was not measured.
    package var halted_mA: Double?
    /// Nil means the same as `tracking_mA`.
    package var searching_mA: Double?
    package var tracking_mA: Double

    package init(
        board_mA: Double = 0, halted_mA: Double? = nil, searching_mA: Double? = nil, tracking_mA: Double = 0
    ) {
        self.board_mA = board_mA
        self.halted_mA = halted_mA
        self.searching_mA = searching_mA
        self.tracking_mA = tracking_mA
    }

    /// The charge in mAh. The search counts like tracking: it takes a few seconds an hour, and a few mA more.
    package func charge(over span: Duration, receiverOn: Duration) -> Double {
        (board_mA * span.inSeconds + tracking_mA * receiverOn.inSeconds) / 3600
    }
}
