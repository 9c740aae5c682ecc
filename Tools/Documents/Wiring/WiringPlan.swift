package import Hardware

/// The parts and wires on the header of a board, as its board file describes them.
package struct WiringPlan: Sendable, Hashable {
    /// A wire from a pin of the header to a part.
    package struct Wire: Sendable, Hashable {
        /// The number of the pin, counted from 1.
        package var pin: Int
        package var end: String
        /// The name of the part in the wire, as in the bill of materials; nil if the wire contains no part.
        package var through: String?
        /// Such as `3.3 V` or `in, active low`.
        package var level: String
        /// How to connect the wire; may be empty.
        package var note: String
    }

    package struct Part: Sendable, Hashable {
        package var name: String
        /// A description of a few words.
        package var text: String
        package var wires: [Wire]
    }

    package let board: BoardDescription
    package let parts: [Part]

    /// The plan is empty if the board file does not describe the header.
    package init(_ board: BoardDescription) {
        self.board = board
        let parts = [
            Self.accelerometer(board), Self.receiver(board), Self.ignition(board), Self.powerFail(board),
            Self.indicator(board),
        ]
        self.parts = board.header == nil ? [] : parts.compactMap { $0 }
    }

    /// The components that the drawing lists below the parts.
    package var components: [String] {
        var list: [String] = []
        let names = Set(parts.flatMap(\.wires).compactMap(\.through)).sorted()
        list += names.map { "\($0): \(BillOfMaterials.value($0))" }
        if case .led(let name) = board.indicator { list.append("light: LED \(name) of the board") }
        return list + ["inside of the parts: circuits.md", "5 V of the board: supply.md"]
    }

    private static func part(_ name: String, _ text: String, _ wires: [Wire?]) -> Part {
        Part(name: name, text: text, wires: wires.compactMap { $0 }.sorted { $0.pin < $1.pin })
    }

    private static func wire(
        _ line: Int?, _ end: String, through: String? = nil, _ level: String, _ note: String = ""
    ) -> Wire? {
        line.flatMap(HeaderPin.number).map { Wire(pin: $0, end: end, through: through, level: level, note: note) }
    }

    private static func accelerometer(_ board: BoardDescription) -> Part? {
        guard let wiring = board.accelerometer, let header = board.header else { return nil }
        let address = wiring.address.map { " at 0x\(String($0, radix: 16))" } ?? ""
        let isInverted = wiring.interrupt?.isActiveLow ?? false
        return part(
            "Accelerometer", "\(wiring.model)\(address)",
            [
                Wire(
                    pin: 1, end: "VDD", level: "3.3 V",
                    note: "At most 0.1 mA; also supplies a breakout board's pull-ups."),
                wire(
                    header.data, "SDA", "3.3 V",
                    "Pull-up of 4.7 to 10 kΩ to 3.3 V; breakout boards have one."),
                wire(header.clock, "SCL", "3.3 V", "Pull-up as for SDA."),
                wire(
                    wiring.interrupt?.number, "INT1", through: isInverted ? "Q1" : nil,
                    isInverted ? "in, active low" : "in, active high",
                    isInverted
                        ? "Q1: gate on INT1, with R10 to ground; source on ground; drain on the pin."
                        : "Directly; the pin's own pull-down keeps the line low."),
                Wire(pin: 9, end: "ground, SDO", level: "0 V", note: "Sets address 0x18."),
            ])
    }

    private static func receiver(_ board: BoardDescription) -> Part? {
        guard let header = board.header, header.receive != nil else { return nil }
        var rail: LineReference?
        if case .rail(let line) = board.receiverPower.kind { rail = line }
        return part(
            "GPS receiver", rail == nil ? "always on" : "behind a load switch",
            [
                Wire(
                    pin: 4, end: "VCC", through: rail == nil ? nil : "U7", level: "5 V",
                    note: rail == nil
                        ? "A module with its own regulator."
                        : "VIN of U7 on the pin, VOUT on VCC. V_BCKP goes to a cell or to 3.3 V, never behind U7."
                ),
                Wire(pin: 6, end: "ground", level: "0 V", note: "Also the ground of U1, U7 and U8."),
                wire(
                    header.transmit, "RX", through: rail == nil ? nil : "U1", "out, 3.3 V",
                    rail == nil
                        ? ""
                        : "A of U1 on the pin, Y on RX."
                ),
                wire(
                    header.receive, "TX", "in, 3.3 V",
                    "Directly; a module with 5 V levels needs a voltage divider."),
                wire(
                    rail?.number, "ON of U7", rail?.isActiveLow == true ? "out, active low" : "out, active high",
                    "R9 of 100 kΩ from ON to ground."),
            ])
    }

    private static func ignition(_ board: BoardDescription) -> Part? {
        guard let line = board.supply.ignition else { return nil }
        return part(
            "Ignition", "terminals 15 and 31",
            [
                wire(
                    line.number, "collector", through: "U4", level(line),
                    "LED side of U4: terminal 15 through F2 and R4, D3 across the LED."
                ),
                Wire(pin: 20, end: "emitter", through: "U4", level: "0 V", note: ""),
            ])
    }

    private static func powerFail(_ board: BoardDescription) -> Part? {
        guard let line = board.supply.powerFail else { return nil }
        return part(
            "Power fail", "divider R5, R6",
            [
                wire(
                    line.number, "OUT", through: "U5", level(line),
                    "V+ of U5 on pin 17."
                ),
                Wire(pin: 30, end: "V−", through: "U5", level: "0 V", note: ""),
            ])
    }

    private static func indicator(_ board: BoardDescription) -> Part? {
        guard case .line(let line) = board.indicator else { return nil }
        return part(
            "Light", "LED",
            [
                wire(line.number, "anode", "out", "Through 1 kΩ."),
                Wire(pin: 39, end: "cathode", level: "0 V", note: ""),
            ])
    }

    private static func level(_ line: LineReference) -> String {
        let pull =
            switch line.bias {
            case .pullUp: ", pull-up inside"
            case .pullDown: ", pull-down inside"
            case .none: ""
            }
        return (line.isActiveLow ? "in, active low" : "in, active high") + pull
    }
}

/// A pin of the 40-pin header that Raspberry Pi computers have had since the Model B+ of 2014.
package enum HeaderPin: Sendable, Hashable {
    case line(Int)
    case volts3
    case volts5
    case ground

    /// The pins from pin 1 on (Raspberry Pi's documentation, "GPIO and the 40-pin header").
    package static let all: [HeaderPin] = [
        .volts3, .volts5, .line(2), .volts5, .line(3), .ground, .line(4), .line(14), .ground, .line(15),
        .line(17), .line(18), .line(27), .ground, .line(22), .line(23), .volts3, .line(24), .line(10), .ground,
        .line(9), .line(25), .line(11), .line(8), .ground, .line(7), .line(0), .line(1), .line(5), .ground,
        .line(6), .line(12), .line(13), .ground, .line(19), .line(16), .line(26), .line(20), .ground, .line(21),
    ]

    /// Returns the number of a GPIO line's pin, counted from 1; nil if the header does not have the line.
    package static func number(ofLine line: Int) -> Int? {
        all.firstIndex(of: .line(line)).map { $0 + 1 }
    }

    package var name: String {
        switch self {
        case .line(let line): "GPIO\(line)"
        case .volts3: "3.3 V"
        case .volts5: "5 V"
        case .ground: "ground"
        }
    }
}
