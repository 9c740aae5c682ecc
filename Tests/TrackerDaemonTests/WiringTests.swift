import Foundation
import Hardware
import Testing
import TrackerDaemon

@Suite("The wiring document")
struct WiringTests {
    private static let docs = BoardFileTests.folder + "/../docs"

    private static func boards() throws -> [BoardDescription] {
        try BoardFile.names(in: [BoardFileTests.folder]).map {
            try BoardFile.read(named: $0, in: [BoardFileTests.folder])
        }
    }

    @Test("has the tables that the program makes; `trackerd manual wiring --into docs` puts them there")
    func tables() throws {
        let document = try String(contentsOfFile: Self.docs + "/wiring.md", encoding: .utf8)
        let text = WiringManual.text(try Self.boards())
        #expect(document.contains("<!-- trackerd manual wiring -->\n\(text)\n<!-- end -->"))
    }

    @Test("has the drawings that the program makes", arguments: ["pi3", "pi4", "pi5", "zero2w", "cm4"])
    func drawings(name: String) throws {
        let board = try BoardFile.read(named: name, in: [BoardFileTests.folder])
        let drawing = try String(contentsOfFile: "\(Self.docs)/wiring/\(name).svg", encoding: .utf8)
        #expect(drawing == WiringDrawing(board).text)
    }

    @Test("knows the header of a Raspberry Pi", arguments: [(2, 3), (3, 5), (14, 8), (18, 12), (24, 18), (21, 40)])
    func header(line: Int, pin: Int) {
        #expect(HeaderPin.number(ofLine: line) == pin)
        #expect(HeaderPin.all.count == 40)
    }

    @Test(
        "connects nothing twice, and supplies only to pins that give them",
        arguments: ["pi3", "pi4", "pi5", "zero2w", "cm4"])
    func plan(name: String) throws {
        let plan = WiringPlan(try BoardFile.read(named: name, in: [BoardFileTests.folder]))
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

    @Test("shows the whole of a Raspberry Pi 4")
    func pi4() throws {
        let plan = WiringPlan(try BoardFile.read(named: "pi4", in: [BoardFileTests.folder]))
        let wires = plan.parts.map { "\($0.name): \($0.wires.map { "\($0.pin) \($0.end)" }.joined(separator: ", "))" }
        #expect(
            wires == [
                "Accelerometer: 1 VDD, 5 INT1 by Q1, 7 SDA, 9 ground, SDO, 29 SCL",
                "GPS receiver: 4 switch VIN, 6 ground, 8 RX by U1, 10 TX, 12 switch ON",
                "Ignition: 18 collector, 20 emitter",
                "Power fail: 30 ground, 32 output",
            ])
    }

    @Test("leaves out what the configuration file takes away")
    func changed() throws {
        var board = try BoardFile.read(named: "pi4", in: [BoardFileTests.folder])
        board.supply = SupplyWiring()
        board.receiverPower.kind = .none
        let plan = WiringPlan(board)
        #expect(plan.parts.map(\.name) == ["Accelerometer", "GPS receiver"])
        #expect(plan.parts.last?.wires.map(\.end) == ["VCC", "ground", "RX", "TX"])
    }

    @Test("has nothing about a board without a header")
    func bare() throws {
        #expect(WiringPlan(BoardDescription(name: "bare")).parts.isEmpty)
    }
}
