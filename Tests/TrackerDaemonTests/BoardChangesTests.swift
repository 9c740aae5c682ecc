import Hardware
import Quantities
import Testing

@testable import TrackerDaemon

@Suite("The section `board` of the configuration file")
struct BoardChangesTests {
    @Test("changes one key and leaves the others")
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

    @Test("takes a part away with `none`, and its line is free then")
    func removal() throws {
        let changes =
            "board: {ignition: none, powerFail: {line: GPIO24}, bluetooth: none, indicator: none, supplyMonitor: none}"
        let board = try BoardReaderTests.read(BoardReaderTests.van, changes: changes)
        #expect(board.supply == SupplyWiring(powerFail: LineReference(chip: "soc", line: .name("GPIO24"))))
        #expect(board.bluetooth == nil)
        #expect(board.indicator == nil)
    }

    @Test("lets the receiver have its power always")
    func receiver() throws {
        let board = try BoardReaderTests.read(BoardReaderTests.van, changes: "board: {receiverPower: {kind: none}}")
        #expect(board.receiverPower.kind == .none)
        #expect(board.receiverPower.gpsdControl == "/run/gpsd.sock")
    }

    @Test("does not take a line that the board's file uses; the message names both places")
    func twice() {
        let error = #expect(throws: ConfigurationError.self) {
            try BoardReaderTests.read(BoardReaderTests.van, changes: "board:\n  powerFail: {line: GPIO24}")
        }
        #expect(
            error?.description == """
                config.yaml:3: `board.powerFail` uses soc GPIO24, which `ignition` uses too (van.yaml:17). Give one of them another line.
                """)
    }

    @Test("is looked over without the board, so that `config check` finds a slip")
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

    @Test("is nothing when it is not there")
    func absent() throws {
        #expect(try Configuration.parse("device: van1", file: "config.yaml").boardChanges == nil)
    }

    @Test("on a board without that part has to say all that the part needs")
    func incomplete() {
        let error = #expect(throws: ConfigurationError.self) {
            try BoardReaderTests.read("description: bare", changes: "board:\n  accelerometer: {chip: LIS3DH}")
        }
        #expect(
            error?.description == """
                config.yaml:3: `board.accelerometer.bus` is missing. Name the I²C bus, such as `bus: /dev/i2c-1`.
                """)
    }
}
