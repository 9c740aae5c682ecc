package import Motion
package import Quantities
package import Tracking

/// The devices of a board, as the board's file describes them.
package struct BoardDescription: Sendable, Hashable {
    /// The name that selects the board on the command line.
    package var name: String
    package var text: String
    /// Whether recordings replace the devices.
    package var isSimulated: Bool
    /// The address at which gpsd listens.
    package var gpsd: GpsdAddress
    /// The wiring that switches the receiver on and off.
    package var receiverPower = ReceiverPowerWiring()
    /// The accelerometer; nil if there is none.
    package var accelerometer: AccelerometerWiring?
    /// The number of the Bluetooth adapter that scans for beacons (0 for `hci0`); nil if no adapter scans.
    package var bluetooth: Int?
    /// The inputs for ignition and supply.
    package var supply = SupplyWiring()
    /// The input of the private switch, active while the switch is on; nil if there is no switch.
    package var privateSwitch: LineReference?
    /// The indicator light; nil if there is none.
    package var indicator: IndicatorWiring?
    /// The system settings that apply while the vehicle is parked.
    package var restSettings: [RestSetting] = []
    /// The part that boots the board again after a halt; nil if the board does not halt while the vehicle is parked.
    package var wakeUp: WakeUp?
    /// The rules by which the board reduces its current or halts.
    package var power = PowerPolicy()
    /// The connections of the 40-pin header; nil if they are unknown.
    package var header: HeaderWiring?
    package var currents: Currents

    /// Makes a board that has no part except gpsd.
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

/// The address at which gpsd listens, and the path of the receiver among gpsd's devices.
package struct GpsdAddress: Sendable, Hashable, CustomStringConvertible {
    /// The host's name or address.
    package var host: String
    package var port: UInt16
    /// The receiver's path in gpsd's reports; nil means any receiver.
    package var device: String?

    /// Makes an address; the default is gpsd on this computer.
    package init(host: String = "localhost", port: UInt16 = 2947, device: String? = nil) {
        self.host = host
        self.port = port
        self.device = device
    }

    /// The address in the form for messages, such as `gpsd at localhost:2947`.
    package var description: String { "gpsd at \(host):\(port)" }

    /// Describes that gpsd does not use the device, with a remedy; `others` contains the devices that gpsd uses.
    ///
    /// If gpsd uses other devices and `base` is not nil, the remedy contains the board `base`. Without a base, a
    /// section `board` changes the board `bare`.
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

/// The wiring that switches the GPS receiver on and off.
package struct ReceiverPowerWiring: Sendable, Hashable {
    /// The part that switches the receiver off.
    package enum Kind: Sendable, Hashable {
        /// Nothing switches the receiver off; gpsd only releases it.
        case none
        /// A load switch in the receiver's supply, which this line drives; the line never switches the receiver's backup supply.
        case rail(LineReference)
        /// The receiver's own standby, which u-blox messages on its serial port start and end.
        case ubx
    }

    /// The part that switches the receiver off.
    package var kind: Kind
    /// The time from switching on the supply to the first message of the receiver.
    package var powerUpTime: Duration
    /// The line from this computer to the receiver's input; it must not drive the receiver while the receiver has no
    /// supply.
    ///
    /// While the receiver is off, the line is an input; while the receiver is on, the kernel uses the line. On a
    /// Raspberry Pi, a pin that the program has made an input does not return to the serial port. gpsd can then only
    /// read from the receiver. If gpsd must also send to the receiver, insert a buffer whose supply is on the switched
    /// rail, and leave out this line.
    package var transmit: LineReference?
    /// The line to the receiver's reset input; nil if it is not connected.
    package var reset: LineReference?
    /// gpsd's control socket, through which the program sends commands to the receiver, and removes or adds the receiver in gpsd.
    ///
    /// If the value is nil, the program sends no such commands.
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

/// The bus and the address of the accelerometer, and how the accelerometer wakes the program.
package struct AccelerometerWiring: Sendable, Hashable {
    /// The device of the bus, such as `/dev/i2c-1`.
    package var bus: String
    /// The model's name in the catalogue of chips.
    package var model: String
    /// The address on the bus; nil means the model's usual address.
    package var address: UInt8?
    /// The interrupt line; nil if the program polls the chip instead.
    package var interrupt: LineReference?
    /// The acceleration at which the chip wakes the program.
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

/// The inputs for the vehicle's ignition and supply.
package struct SupplyWiring: Sendable, Hashable {
    /// An INA219 or INA226 on an I²C bus, which measures the voltage of the vehicle's battery.
    package struct Monitor: Sendable, Hashable {
        /// The device of the bus, such as `/dev/i2c-1`.
        package var bus: String
        /// The address on the bus, 0x40 to 0x4F.
        package var address: UInt8
        /// The ratio of the voltage divider in front of the chip; 1 if there is no divider.
        package var divider: Double

        /// The highest voltage that the bus input of an INA219 tolerates (its data sheet SBOS448, section 6.3).
        package static let chipMaximum = Volts(26)
        /// The battery voltage that separates vehicles with 12 V from vehicles with 24 V (ISO 16750-2, tables 1 and 2).
        ///
        /// The charging voltage of a vehicle with 12 V reaches 16 V.
        package static let highVoltage = Volts(18)

        /// Returns the voltage in a vehicle after its battery is disconnected during charging (ISO 16750-2, load dump with
        /// suppression in the alternator).
        package static func loadDump(at voltage: Volts) -> Volts { Volts(voltage < highVoltage ? 35 : 58) }

        package init(bus: String, address: UInt8 = 0x40, divider: Double = 1) {
            self.bus = bus
            self.address = address
            self.divider = divider
        }

        /// The bus and the address, such as `/dev/i2c-1 address 0x40`.
        package var place: String { "\(bus) address 0x\(String(address, radix: 16))" }

        /// The highest voltage that may be connected to the divider.
        package var maximum: Volts { Self.chipMaximum * divider }
    }

    /// The ignition input, active while the ignition is on.
    package var ignition: LineReference?
    /// The power-fail input, active when the supply is about to fail.
    package var powerFail: LineReference?
    package var monitor: Monitor?

    /// Makes the inputs; an input that is left out is not connected.
    package init(ignition: LineReference? = nil, powerFail: LineReference? = nil, monitor: Monitor? = nil) {
        self.ignition = ignition
        self.powerFail = powerFail
        self.monitor = monitor
    }
}

/// The light that shows whether trackerd tracks the vehicle.
package enum IndicatorWiring: Sendable, Hashable {
    /// A light of the kernel, with its name in `/sys/class/leds`.
    case led(String)
    /// A light on a GPIO line.
    case line(LineReference)
}

/// A file of the system, with the value that reduces the board's current while the vehicle is parked.
package struct RestSetting: Sendable, Hashable {
    /// The file, below `/sys`.
    package var path: String
    /// The value while the vehicle is parked; the program restores the former value when the vehicle moves.
    package var value: String

    package init(path: String, value: String) {
        self.path = path
        self.value = value
    }
}

/// The part that boots a halted board.
package enum WakeUp: String, Sendable, Hashable, CaseIterable {
    /// The accelerometer's interrupt line, which is connected to the pin that boots this board.
    case line
    /// The board's real-time clock; the program sets the clock's alarm before the halt.
    case clock
    /// The supply, which another device switches off and on again.
    case supply
}

/// The connections of the 40-pin header, and the settings that the boot loader needs for them.
///
/// The daemon does not use this value; it opens only devices. `trackerd-docs` generates the wiring tables and drawings
/// from this value, and the doctor reads its chip. The board reader rejects a line that has two uses.
package struct HeaderWiring: Sendable, Hashable {
    /// The label of the GPIO chip to which the header's lines belong.
    package var chip: String
    /// The data line of the accelerometer's I²C bus.
    package var data: Int?
    /// The clock line of the accelerometer's I²C bus.
    package var clock: Int?
    /// The line that sends from this computer to the receiver.
    package var transmit: Int?
    /// The line that sends from the receiver to this computer.
    package var receive: Int?
    /// The lines that the file `config.txt` must contain.
    package var bootLines: [String]
    /// Further notes for the person who solders; each note has one or two sentences.
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

/// The currents that a board draws from 5 V, from which the program estimates the charge of a drive.
package struct Currents: Sendable, Hashable {
    /// The current of the board without the receiver, while the program runs and waits, in mA.
    package var board_mA: Double
    /// The current of the halted board, in mA; nil if it was not measured.
    package var halted_mA: Double?
    /// The current of the receiver while it searches for satellites, in mA; nil means the same value as `tracking_mA`.
    package var searching_mA: Double?
    /// The current of the receiver while it has a fix, in mA.
    package var tracking_mA: Double

    package init(
        board_mA: Double = 0, halted_mA: Double? = nil, searching_mA: Double? = nil, tracking_mA: Double = 0
    ) {
        self.board_mA = board_mA
        self.halted_mA = halted_mA
        self.searching_mA = searching_mA
        self.tracking_mA = tracking_mA
    }

    /// Returns the charge in mAh for `span`, during which the receiver is on for `receiverOn`.
    ///
    /// The calculation uses the current of tracking for the search for satellites too. The search lasts a few seconds
    /// per hour, and draws only a few mA more.
    package func charge(over span: Duration, receiverOn: Duration) -> Double {
        (board_mA * span.inSeconds + tracking_mA * receiverOn.inSeconds) / 3600
    }
}
