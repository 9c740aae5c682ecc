package import Hardware

/// The parts and wires on the header of a board, as its board file describes them.
package struct WiringPlan: Sendable, Hashable {
    /// A wire from a pin of the header to a part.
    package struct Wire: Sendable, Hashable {
        /// The number of the pin, counted from 1.
        package var pin: Int
        /// The terminal of the part.
        package var end: String
        /// The level or the direction.
        package var level: String
        /// A note on how to connect it.
        package var note: String
    }

    /// A part and its wires.
    package struct Part: Sendable, Hashable {
        /// The name in the drawing.
        package var name: String
        /// A description of a few words.
        package var text: String
        /// Its wires, by pin.
        package var wires: [Wire]
    }

    /// The board.
    package let board: BoardDescription
    /// The parts, sorted by their place on the header.
    package let parts: [Part]

    /// Plans the wires of a board; the plan is empty if the board file does not describe the header.
    package init(_ board: BoardDescription) {
        self.board = board
        let parts = [
            Self.accelerometer(board), Self.receiver(board), Self.ignition(board), Self.powerFail(board),
            Self.indicator(board),
        ]
        self.parts = board.header == nil ? [] : parts.compactMap { $0 }
    }

    /// The components between the header and the parts, and the components without a wire.
    package var components: [String] {
        var list: [String] = []
        if board.accelerometer?.interrupt?.isActiveLow == true { list.append("Q1: 2N7002, inverts INT1") }
        if case .rail = board.receiverPower.kind {
            list += ["switch: TPS22918 or similar", "U1: 74LVC1G34, module's 3.3 V"]
        }
        if board.supply.ignition != nil { list.append("optocoupler: PC817, 2.2 kΩ") }
        if case .led(let name) = board.indicator { list.append("light: LED \(name) of the board") }
        return list + ["5 V in: USB, or pin 2"]
    }

    private static func part(_ name: String, _ text: String, _ wires: [Wire?]) -> Part {
        Part(name: name, text: text, wires: wires.compactMap { $0 }.sorted { $0.pin < $1.pin })
    }

    private static func wire(
        _ line: Int?, _ end: String, _ level: String, _ note: String = ""
    ) -> Wire? {
        line.flatMap(HeaderPin.number).map { Wire(pin: $0, end: end, level: level, note: note) }
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
                    note: "0.1 mA is enough; also supplies the pull-ups of a breakout board."),
                wire(header.data, "SDA", "3.3 V", "Pull-up of 4.7 to 10 kΩ to 3.3 V; breakout boards have one."),
                wire(header.clock, "SCL", "3.3 V", "Pull-up like SDA."),
                wire(
                    wiring.interrupt?.number, isInverted ? "INT1 by Q1" : "INT1",
                    isInverted ? "in, active low" : "in, active high",
                    isInverted
                        ? "Q1 is a 2N7002: gate on INT1 (100 kΩ to ground), source on ground, drain on this pin."
                        : "Directly; the pin's own pull-down keeps it low."),
                Wire(pin: 9, end: "ground, SDO", level: "0 V", note: "SDO on ground sets address 0x18."),
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
                    pin: 4, end: rail == nil ? "VCC" : "switch VIN", level: "5 V",
                    note: rail == nil
                        ? "A module with its own regulator."
                        : "Load switch such as TPS22918; VOUT feeds the module. V_BCKP stays on a cell or on 3.3 V, never behind the switch."
                ),
                Wire(pin: 6, end: "ground", level: "0 V", note: "Also the ground of the switch and of U1."),
                wire(
                    header.transmit, rail == nil ? "RX" : "RX by U1", "out, 3.3 V",
                    rail == nil
                        ? ""
                        : "U1 is a 74LVC1G34, supplied from the module's 3.3 V: without supply its output floats, so this pin cannot feed a receiver that is off."
                ),
                wire(header.receive, "TX", "in, 3.3 V", "Directly; a 5 V module needs a divider."),
                wire(
                    rail?.number, "switch ON", rail?.isActiveLow == true ? "out, active low" : "out, active high",
                    "100 kΩ to the inactive level, so that the receiver is off while the computer boots."),
            ])
    }

    private static func ignition(_ board: BoardDescription) -> Part? {
        guard let line = board.supply.ignition else { return nil }
        return part(
            "Ignition", "with an optocoupler",
            [
                wire(
                    line.number, "collector", level(line),
                    "Optocoupler such as PC817; its LED between terminal 15 of the vehicle (with 2.2 kΩ, 1 W, a fuse, and an antiparallel 1N4148) and the vehicle's ground."
                ),
                Wire(pin: 20, end: "emitter", level: "0 V", note: ""),
            ])
    }

    private static func powerFail(_ board: BoardDescription) -> Part? {
        guard let line = board.supply.powerFail else { return nil }
        return part(
            "Power fail", "supply monitor",
            [
                wire(
                    line.number, "output", level(line),
                    "Open-drain comparator that watches the input of the 5 V converter and pulls low below about 9 V; after that, the 5 V must last for 500 ms."
                ),
                Wire(pin: 30, end: "ground", level: "0 V", note: ""),
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

/// A pin of the 40-pin header of all Raspberry Pi computers since 2014.
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

    /// Returns the number of a GPIO line's pin, counted from 1, or nil if the header does not have it.
    package static func number(ofLine line: Int) -> Int? {
        all.firstIndex(of: .line(line)).map { $0 + 1 }
    }

    /// The label of a pin.
    package var name: String {
        switch self {
        case .line(let line): "GPIO\(line)"
        case .volts3: "3.3 V"
        case .volts5: "5 V"
        case .ground: "ground"
        }
    }
}
