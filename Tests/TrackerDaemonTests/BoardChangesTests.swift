import Hardware
import Quantities
import Testing

@testable import Configuration

@Suite("The section `board` of the configuration file")
struct BoardChangesTests {
    @Test("The section `board` can change one key of a board and leave the others.")
    func oneKey() throws {
        let changes = "board:\n  accelerometer: {address: 0x18, interrupt: {line: GPIO5}}"
        let board = try BoardReaderTests.read(BoardReaderTests.van, changes: changes)
        #expect(board.accelerometer?.address == 0x18)
        #expect(board.accelerometer?.model == "LIS3DH")
        #expect(board.accelerometer?.wakeThreshold == Acceleration(0.8))
        #expect(
            board.accelerometer?.interrupt
                == LineReference(chip: "soc", line: .name("GPIO5"), isActiveLow: true, bias: .pullUp))
        #expect(board.supply.ignition?.line == .name("GPIO24"))
    }

    @Test("`none` removes a part, and frees its line.")
    func removal() throws {
        let changes =
            "board: {ignition: none, powerFail: {line: GPIO24}, bluetooth: none, indicator: none, supplyMonitor: none}"
        let board = try BoardReaderTests.read(BoardReaderTests.van, changes: changes)
        #expect(board.supply == SupplyWiring(powerFail: LineReference(chip: "soc", line: .name("GPIO24"))))
        #expect(board.bluetooth == nil)
        #expect(board.indicator == nil)
    }

    @Test("The section `board` can set that the receiver is always powered.")
    func receiver() throws {
        let board = try BoardReaderTests.read(BoardReaderTests.van, changes: "board: {receiverPower: {kind: none}}")
        #expect(board.receiverPower.kind == .none)
        #expect(board.receiverPower.gpsdControl == "/run/gpsd.sock")
    }

    @Test("A line that the board file uses cannot be used again, and the error names both places.")
    func twice() {
        let error = #expect(throws: ConfigurationError.self) {
            try BoardReaderTests.read(BoardReaderTests.van, changes: "board:\n  powerFail: {line: GPIO24}")
        }
        #expect(
            error?.description == """
                config.yaml:3: `board.powerFail` uses soc GPIO24, which `ignition` also uses (van.yaml:17). Choose another line for one of these keys.
                """)
    }

    @Test("The section `board` is checked without the board, so that `config check` finds errors.")
    func check() {
        let error = #expect(throws: ConfigurationError.self) {
            try Configuration.parse(
                "device: van1\nboard:\n  accelerometer: {adress: 0x18}\n  ignition: {bias: up}", file: "config.yaml")
        }
        #expect(
            error?.description == """
                config.yaml:3: `board.accelerometer.adress` is not an option. Did you mean `address`?
                config.yaml:4: `board.ignition.bias` must be `none` or `pullUp` or `pullDown`; `up` is not.
                """)
    }

    @Test("A configuration without the section has no changes.")
    func absent() throws {
        #expect(try Configuration.parse("device: van1", file: "config.yaml").board == nil)
    }

    @Test("A part that the section adds to the board needs all required keys of the part.")
    func incomplete() {
        let error = #expect(throws: ConfigurationError.self) {
            try BoardReaderTests.read("description: bare", changes: "board:\n  accelerometer: {chip: LIS3DH}")
        }
        #expect(
            error?.description == """
                config.yaml:3: `board.accelerometer.bus` is missing. Set the I²C bus, such as `bus: /dev/i2c-1`.
                """)
    }
}
