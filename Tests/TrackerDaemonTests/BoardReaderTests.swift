import Compatibility
import Hardware
import Motion
import Quantities
import Testing
import Tracking

@testable import Configuration

@Suite("Reading a board file")
struct BoardReaderTests {
    @Test("A board file can set each value of a board description.")
    func whole() throws {
        let board = try Self.read(Self.van)
        #expect(board.text == "A van")
        #expect(board.gpsd == GpsdAddress(host: "localhost", port: 2948, device: "/dev/gps0"))
        #expect(
            board.accelerometer
                == AccelerometerWiring(
                    bus: "/dev/i2c-1", model: "LIS3DH", address: 0x19,
                    interrupt: LineReference(chip: "soc", line: .name("GPIO4"), isActiveLow: true, bias: .pullUp),
                    wakeThreshold: Acceleration(0.8)))
        #expect(
            board.receiverPower
                == ReceiverPowerWiring(
                    kind: .rail(LineReference(chip: "soc", line: .offset(18))), powerUpTime: .milliseconds(250),
                    transmit: LineReference(chip: "soc", line: .name("GPIO14")),
                    reset: LineReference(chip: "soc", line: .name("GPIO15")), gpsdControl: "/run/gpsd.sock"))
        #expect(board.bluetooth == 1)
        #expect(
            board.supply
                == SupplyWiring(
                    ignition: LineReference(chip: "soc", line: .name("GPIO24"), bias: .pullDown),
                    powerFail: LineReference(chip: "soc", line: .name("GPIO12")),
                    monitor: .init(bus: "/dev/i2c-3", address: 0x41, divider: 3)))
        let contact = LineReference(chip: "soc", line: .name("GPIO23"), isActiveLow: true, bias: .pullUp)
        #expect(board.privateSwitch == contact)
        #expect(board.indicator == .led("ACT"))
        #expect(board.restSettings == [RestSetting(path: "/sys/class/leds/PWR/brightness", value: "0")])
        #expect(board.wakeUp == .line)
        #expect(
            board.header
                == HeaderWiring(
                    chip: "soc", data: 2, clock: 3, bootLines: ["dtparam=i2c_arm=on"], notes: ["Mind the gap."]))
        #expect(board.currents == Currents(board_mA: 100, halted_mA: 5, searching_mA: 40, tracking_mA: 30))
    }

    @Test("All errors of a board file are reported at once, each with its line and how to correct it.")
    func mistakes() {
        let error = #expect(throws: ConfigurationError.self) {
            try Self.read(
                """
                acelerometer: {}
                accelerometer:
                  bus: i2c-1
                  address: 0x80
                  interrupt: {line: GPIO4, bias: up}
                receiverPower: {kind: rail}
                atRest:
                  - {file: /etc/passwd, value: x}
                  - {file: /sys/class/leds/ACT/trigger}
                wakeUp: sun
                """)
        }
        #expect(
            error?.description == """
                van.yaml:1: `acelerometer` is not an option. Did you mean `accelerometer`?
                van.yaml:3: `accelerometer.bus` must be the path of a device, such as `/dev/i2c-1`; `i2c-1` is not.
                van.yaml:3: `accelerometer.chip` is missing. Set the accelerometer model, such as `chip: LIS3DH`.
                van.yaml:4: `accelerometer.address` must be a whole number from 8 to 119; `0x80` is not.
                van.yaml:5: `accelerometer.interrupt.chip` is missing. Set the label of the GPIO chip, which `gpiodetect` shows.
                van.yaml:5: `accelerometer.interrupt.bias` must be `none` or `pullUp` or `pullDown`; `up` is not.
                van.yaml:6: `receiverPower.line` is missing. Set the line of the load switch, such as `line: {chip: pinctrl-bcm2711, line: GPIO18}`.
                van.yaml:8: `atRest.file` must be a file below /sys; `/etc/passwd` is not.
                van.yaml:9: an entry of `atRest` needs `file` and `value`. Write both.
                van.yaml:10: `wakeUp` must be `line` or `clock` or `supply`; `sun` is not.
                """)
    }

    @Test("A line cannot be used twice, by name or by number.")
    func twice() {
        let error = #expect(throws: ConfigurationError.self) {
            try Self.read(
                """
                ignition: {chip: soc, line: GPIO24}
                powerFail: {chip: soc, line: 24}
                """)
        }
        #expect(
            error?.description == """
                van.yaml:2: `powerFail` uses soc line 24, which `ignition` also uses (van.yaml:1). Choose another line for one of these keys.
                """)
    }

    @Test("The same line number can be used on two chips.")
    func twoChips() throws {
        let board = try Self.read("ignition: {chip: soc, line: 24}\npowerFail: {chip: expander, line: 24}")
        #expect(board.supply.powerFail?.chip == "expander")
    }

    @Test("An unknown accelerometer is an error that suggests the nearest known one.")
    func models() {
        let error = #expect(throws: ConfigurationError.self) {
            try Self.read("accelerometer: {bus: /dev/i2c-1, chip: LIS3HD}", models: ["LIS3DH", "ADXL345"])
        }
        #expect(
            error?.description == """
                van.yaml:1: `accelerometer.chip` must be one of ADXL345, LIS3DH; `LIS3HD` is not. Did you mean `LIS3DH`?
                """)
    }

    @Test(
        "The name of an accelerometer can be written without hyphens and in lower case.",
        arguments: ["MPU-6050", "mpu6050", "MPU6050"])
    func spelling(chip: String) throws {
        let board = try Self.read("accelerometer: {bus: /dev/i2c-1, chip: \(chip)}", models: ["MPU-6050"])
        #expect(board.accelerometer?.model == "MPU-6050")
    }

    @Test("`wakeUp: line` needs the accelerometer's interrupt line.")
    func wakeUp() {
        let error = #expect(throws: ConfigurationError.self) { try Self.read("wakeUp: line") }
        #expect(
            error?.description == """
                van.yaml:1: `wakeUp: line` needs the accelerometer's `interrupt`, which is missing. Add it, or write `wakeUp: none`.
                """)
    }

    @Test(
        "`wakeUp: line` needs the interrupt on the pin that boots the board, active low.",
        arguments: [
            (
                "{chip: pinctrl-bcm2711, line: GPIO27, activeLow: true}",
                "only line 3 of pinctrl-bcm2711, GPIO3, boots the halted board"
            ),
            ("{chip: pinctrl-bcm2835, line: 3}", "GPIO3 boots the halted board when it goes low"),
            (
                "{chip: pinctrl-rp1, line: GPIO3, activeLow: true}",
                "no line of pinctrl-rp1 boots a halted Raspberry Pi 5"
            ),
            ("{chip: pinctrl-bcm2711, line: 3, activeLow: true}", nil),
            ("{chip: pinctrl-bcm2711, line: GPIO3, activeLow: true}", nil),
            ("{chip: pinctrl-bcm2835, line: SCL1, activeLow: true}", nil), ("{chip: other, line: 7}", nil),
        ] as [(String, String?)])
    func wakePin(line: String, message: String?) {
        let text = "wakeUp: line\naccelerometer: {bus: /dev/i2c-3, chip: LIS3DH, interrupt: \(line)}"
        guard let message else {
            #expect(throws: Never.self) { try Self.read(text) }
            return
        }
        let error = #expect(throws: ConfigurationError.self) { try Self.read(text) }
        #expect(error?.description.hasPrefix("van.yaml:2: `wakeUp: line` cannot work: \(message)") == true)
    }

    @Test("A change of a shipped board that moves the interrupt to another pin is an error.")
    func wakePinOfChange() {
        let board = """
            wakeUp: line
            accelerometer:
              {bus: /dev/i2c-3, chip: LIS3DH, interrupt: {chip: pinctrl-bcm2711, line: 3, activeLow: true}}
            """
        let error = #expect(throws: ConfigurationError.self) {
            try Self.read(board, changes: "board: {haltAfter: 2h, accelerometer: {interrupt: {line: GPIO27}}}")
        }
        #expect(error?.description.contains("GPIO3, boots the halted board, and the interrupt is on") == true)
    }

    @Test(
        "A battery monitor needs a voltage divider that survives the vehicle's load dump.",
        arguments: [
            ("", "", "van.yaml:2: A 12 V supply reaches 35 V", "tolerate at most 26 V"),
            ("lowVoltage: 11.8", "", "van.yaml:2: A 12 V supply reaches 35 V", "tolerate at most 26 V"),
            ("lowVoltage: 23.5", ", divider: 2", "van.yaml:2: A 24 V supply reaches 58 V", "tolerate at most 52 V"),
        ])
    func divider(limit: String, ratio: String, begin: String, end: String) throws {
        let text = "wakeUp: supply\nsupplyMonitor: {ina219: {bus: /dev/i2c-1%}}\n\(limit)\n"
        let error = #expect(throws: ConfigurationError.self) { try Self.read(text.replacing("%", with: ratio)) }
        #expect(
            error?.description == """
                \(begin) if the vehicle's battery is disconnected during charging, but this INA219 and its divider \(end). Fit a voltage divider of 20 kΩ and 10 kΩ, and write its ratio: `supplyMonitor: {ina219: {divider: 3}}`.
                """)
        #expect(try Self.read(text.replacing("%", with: ", divider: 3")).supply.monitor?.divider == 3)
    }

    @Test("A board file sets the time until a halt, the time of sleep, and the voltage of a low battery.")
    func power() throws {
        let board = try Self.read(
            """
            supplyMonitor: {ina219: {bus: /dev/i2c-1, divider: 3}}
            wakeUp: clock
            haltAfter: 2h
            wakeAfter: 12h
            lowVoltage: 11.8
            """)
        let policy = PowerPolicy(haltAfter: .seconds(7200), wakeAfter: .seconds(43_200), lowVoltage: Volts(11.8))
        #expect(board.power == policy)
    }

    @Test(
        "A halt needs a way to wake up, and a low voltage needs a supply monitor.",
        arguments: [
            ("haltAfter: 2h", "van.yaml:1: `haltAfter` needs a way to boot the board again."),
            ("wakeUp: clock\nhaltAfter: 2h", "van.yaml:2: `wakeUp: clock` needs `wakeAfter`."),
            ("lowVoltage: 11.8", "van.yaml:1: `lowVoltage` needs a way to boot the board again."),
            ("wakeUp: clock\nlowVoltage: 11.8", "van.yaml:2: `wakeUp: clock` needs `wakeAfter`."),
            (
                "wakeUp: supply\nlowVoltage: 11.8",
                "van.yaml:2: `lowVoltage` needs a `supplyMonitor`, but the board has none."
            ),
            ("wakeUp: supply\nhaltAfter: 10s", "van.yaml:2: `haltAfter` must be a duration from"),
        ])
    func powerMistakes(text: String, message: String) {
        let error = #expect(throws: ConfigurationError.self) { try Self.read(text) }
        #expect(error?.description.hasPrefix(message) == true, "\(error?.description ?? "")")
    }

    @Test("The level of motion is above the level of stillness.")
    func levels() throws {
        let text = "accelerometer: {bus: /dev/i2c-1, chip: LIS3DH, movingLevel: 0.4, stillLevel: %}"
        let levels = try Self.read(text.replacing("%", with: "0.3")).accelerometer?.levels
        #expect(levels?.movingLevel == Acceleration(0.4) && levels?.stillLevel == Acceleration(0.3))
        let error = #expect(throws: ConfigurationError.self) { try Self.read(text.replacing("%", with: "0.5")) }
        #expect(
            error?.description == "van.yaml:1: `stillLevel` (0.5) is above `movingLevel` (0.4). Lower `stillLevel`.")
    }

    static let van = """
        description: A van
        gpsd: {port: 2948, device: /dev/gps0}
        accelerometer:
          bus: /dev/i2c-1
          chip: LIS3DH
          address: 0x19
          interrupt: {chip: soc, line: GPIO4, activeLow: true, bias: pullUp}
          wakeThreshold: 0.8
        receiverPower:
          kind: rail
          line: {chip: soc, line: 18}
          powerUpTime: 0.25
          transmit: {chip: soc, line: GPIO14}
          reset: {chip: soc, line: GPIO15}
          gpsdControl: /run/gpsd.sock
        bluetooth: 1
        ignition: {chip: soc, line: GPIO24, bias: pullDown}
        private: {chip: soc, line: GPIO23, activeLow: true, bias: pullUp}
        powerFail: {chip: soc, line: GPIO12}
        supplyMonitor: {ina219: {bus: /dev/i2c-3, address: 0x41, divider: 3}}
        indicator: {led: ACT}
        atRest:
          - {file: /sys/class/leds/PWR/brightness, value: "0"}
        wakeUp: line
        header: {chip: soc, data: 2, clock: 3, boot: [dtparam=i2c_arm=on], notes: [Mind the gap.]}
        currents_mA: {board: 100, halted: 5, searching: 40, tracking: 30}
        """

    static func read(
        _ text: String, changes: String? = nil, models: [String] = []
    ) throws(ConfigurationError) -> BoardDescription {
        var reader = try YAMLFile.parse(text, file: "van.yaml") { file -> BoardReader? in
            var reader = BoardReader(BoardDescription(name: "van"), models: models)
            reader.read(&file)
            return reader
        }
        if let changes {
            let configuration = try Configuration.parse("device: van1\n\(changes)", file: "config.yaml")
            try configuration.board?.apply(to: &reader)
        }
        return reader.board
    }
}
