import Documents
import Foundation
import Hardware
import Testing
import Configuration

@Suite("The circuits around a board")
struct CircuitTests {
    private static let boards = ["pi3", "pi4", "pi5", "zero2w", "cm4"]

    private static func plan(_ name: String) throws -> WiringPlan {
        WiringPlan(try BoardFile.read(named: name, in: [root + "/boards"]))
    }

    @Test("Each part of the bill of materials is drawn once, and each drawn part is in the bill.")
    func bill() {
        let drawn = CircuitDrawing.all.flatMap(\.parts)
        #expect(drawn.sorted() == BillOfMaterials.rows.flatMap(\.names).sorted())
    }

    @Test("Each part and each value is in only one row of the bill of materials.")
    func rows() {
        let names = BillOfMaterials.rows.flatMap(\.names)
        #expect(Set(names).count == names.count)
        let values = BillOfMaterials.rows.map(\.value)
        #expect(Set(values).count == values.count)
    }

    @Test("Each row of the bill of materials has a reason with a figure or a data sheet, and states what to buy.")
    func reasons() {
        for row in BillOfMaterials.rows where !row.reason.contains("data sheet") {
            let withoutNames = row.names.reduce(row.reason) { $0.replacing($1, with: "") }
            #expect(withoutNames.contains(/[0-9] (V|A|mA|µA|W|Ω|kΩ|F|ms|µs|mΩ|s)\b/), "\(row.names)")
            #expect(!row.choice.isEmpty, "\(row.names)")
        }
    }

    @Test("Each part in a wire of a header's drawing is in the bill of materials and in a circuit.", arguments: boards)
    func wires(name: String) throws {
        let names = Set(try Self.plan(name).parts.flatMap(\.wires).compactMap(\.through))
        #expect(names.isSubset(of: CircuitDrawing.all.flatMap(\.parts)))
        #expect(names.isSuperset(of: ["U1", "U4", "U5", "U7"]))
        #expect(names.contains("Q1") == (name != "pi5"))
    }

    @Test("The pins in the circuits are the pins of each board.", arguments: boards)
    func pins(name: String) throws {
        let plan = try Self.plan(name)
        for (part, circuit) in [("GPS receiver", "receiver"), ("Ignition", "ignition"), ("Power fail", "power-fail")] {
            let text = try #require(CircuitDrawing.all.first { $0.name == circuit }).text
            let wires = try #require(plan.parts.first { $0.name == part }).wires
            for wire in wires where HeaderPin.all[wire.pin - 1] != .ground || circuit != "receiver" {
                #expect(text.contains(">\(HeaderPin.all[wire.pin - 1].name)<"), "\(circuit) pin \(wire.pin)")
                #expect(text.contains(">pin \(wire.pin)<"), "\(circuit) pin \(wire.pin)")
            }
        }
    }

    @Test("The drawing of a header shows a box for each part in a wire.")
    func boxes() throws {
        let text = WiringDrawing(try BoardFile.read(named: "pi4", in: [root + "/boards"])).text
        for name in ["Q1", "U1", "U4", "U5", "U7"] { #expect(text.contains(">\(name)</text>"), "\(name)") }
    }

    @Test("The capacitors supply each board for more than the 500 ms that trackerd may need to write its data.")
    func holdUp() throws {
        for name in ["pi3", "pi4", "pi5", "zero2w"] {
            let need = try #require(SupplyNeed(try BoardFile.read(named: name, in: [root + "/boards"])))
            #expect(need.holdUp > 0.5, "\(name)")
            #expect(need.inputCurrent * 1.25 <= Double(need.fuse), "\(name)")
            #expect([2, 3, 5].contains(need.fuse), "\(name)")
        }
    }

    @Test("The daily charge is computed from the board's current, the voltages and the converter's efficiency.")
    func perDay() throws {
        let need = try #require(SupplyNeed(try BoardFile.read(named: "pi4", in: [root + "/boards"])))
        // The board draws 540 mA · 5 V / (0.8 · 12.5 V) = 270 mA. With the 5 mA of the converter, this is 275 mA for 24 h.
        #expect(abs(need.perDay(at: 12.5) - 6.6) < 0.001)
        // The board draws 270 mA · 5 V / (0.8 · 25 V) = 67.5 mA. With the 5 mA of the converter, this is 72.5 mA for 24 h.
        #expect(abs(try #require(need.perDayHalted(at: 25)) - 1.74) < 0.001)
    }

    @Test("The table of boards omits a board that does not run at 5 V.")
    func noSupply() throws {
        #expect(SupplyNeed(try BoardFile.read(named: "cm4", in: [root + "/boards"])) == nil)
    }
}
