import Documents
import Hardware
import Testing
import Configuration

@Suite("The wiring of a board")
struct WiringTests {
    private static let boards = [root + "/boards"]

    @Test(
        "GPIO lines are on the pins that the Raspberry Pi documentation states.",
        arguments: [(2, 3), (3, 5), (14, 8), (18, 12), (24, 18), (21, 40)])
    func header(line: Int, pin: Int) {
        #expect(HeaderPin.number(ofLine: line) == pin)
        #expect(HeaderPin.all.count == 40)
    }

    @Test(
        "No pin is used twice, and supply wires end on supply pins only.",
        arguments: ["pi3", "pi4", "pi5", "zero2w", "cm4"])
    func plan(name: String) throws {
        let plan = WiringPlan(try BoardFile.read(named: name, in: Self.boards))
        let wires = plan.parts.flatMap(\.wires)
        #expect(Set(wires.map(\.pin)).count == wires.count)
        for wire in wires {
            let pin = HeaderPin.all[wire.pin - 1]
            switch wire.level {
            case "0 V": #expect(pin == .ground)
            case "5 V": #expect(pin == .volts5)
            case "3.3 V" where wire.end == "VDD": #expect(pin == .volts3)
            default: #expect(pin != .ground && pin != .volts5 && pin != .volts3)
            }
        }
    }

    @Test("The plan for a Raspberry Pi 4 has each part with its pins.")
    func pi4() throws {
        let plan = WiringPlan(try BoardFile.read(named: "pi4", in: Self.boards))
        let lines = plan.parts.map { part in
            let wires = part.wires.map { "\($0.pin) \($0.end)" + ($0.through.map { " through \($0)" } ?? "") }
            return "\(part.name): \(wires.joined(separator: ", "))"
        }
        #expect(
            lines == [
                "Accelerometer: 1 VDD, 5 INT1 through Q1, 7 SDA, 9 ground, SDO, 29 SCL",
                "GPS receiver: 4 VCC through U7, 6 ground, 8 RX through U1, 10 TX, 12 ON of U7",
                "Ignition: 18 collector through U4, 20 emitter through U4",
                "Power fail: 30 V− through U5, 32 OUT through U5",
            ])
    }

    @Test("The plan omits a part that the configuration removes.")
    func changed() throws {
        var board = try BoardFile.read(named: "pi4", in: Self.boards)
        board.supply = SupplyWiring()
        board.receiverPower.kind = .none
        let plan = WiringPlan(board)
        #expect(plan.parts.map(\.name) == ["Accelerometer", "GPS receiver"])
        #expect(plan.parts.last?.wires.map(\.end) == ["VCC", "ground", "RX", "TX"])
    }

    @Test("A board without a header has no plan.")
    func bare() throws {
        #expect(WiringPlan(BoardDescription(name: "bare")).parts.isEmpty)
    }
}
