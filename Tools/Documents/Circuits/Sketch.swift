/// Pixels count from the top left corner; a part's value comes from the bill of materials.
struct Sketch {
    /// The kinds of wire, in the colours of the wiring drawings.
    enum Kind: String {
        case line, supply, ground
    }

    enum Side {
        case left, right, above, below
    }

    private(set) var lines: [String] = []
    private(set) var parts: [String] = []

    mutating func wire(_ kind: Kind = .line, _ points: (Int, Int)...) {
        let text = points.map { "\($0.0),\($0.1)" }.joined(separator: " ")
        add(#"<polyline class="wire \#(kind.rawValue)" points="\#(text)"/>"#)
    }

    mutating func dot(_ x: Int, _ y: Int, _ kind: Kind = .line) {
        add(#"<circle class="\#(kind.rawValue)" cx="\#(x)" cy="\#(y)" r="4"/>"#)
    }

    /// Draws the end of a wire, with its name.
    mutating func terminal(_ x: Int, _ y: Int, _ name: String, _ side: Side = .right) {
        add(#"<circle class="shape" cx="\#(x)" cy="\#(y)" r="5"/>"#)
        text(name, near: (x, y), side, gap: 10)
    }

    /// Draws the end of a wire at a pin of the board's header.
    mutating func header(_ x: Int, _ y: Int, _ name: String, pin: Int) {
        terminal(x, y, name, .above)
        text("pin \(pin)", near: (x, y), .below, gap: 9, style: "quiet")
    }

    mutating func ground(_ x: Int, _ y: Int) {
        wire(.ground, (x, y), (x, y + 8))
        for (index, half) in [10, 6, 2].enumerated() {
            wire(.ground, (x - half, y + 8 + index * 4), (x + half, y + 8 + index * 4))
        }
    }

    /// `style` is the class of the text in the style sheet.
    mutating func text(_ text: String, near point: (Int, Int), _ side: Side, gap: Int = 14, style: String = "label") {
        let (x, y, anchor) =
            switch side {
            case .left: (point.0 - gap, point.1 + 4, "end")
            case .right: (point.0 + gap, point.1 + 4, "start")
            case .above: (point.0, point.1 - gap, "middle")
            case .below: (point.0, point.1 + gap + 8, "middle")
            }
        add(#"<text class="\#(style)" x="\#(x)" y="\#(y)" text-anchor="\#(anchor)">\#(text)</text>"#)
    }

    /// Writes the name and the value of a part, and records that the part is drawn.
    mutating func label(_ name: String, near point: (Int, Int), _ side: Side, gap: Int = 14) {
        let lift =
            switch side {
            case .left, .right: (-7, 8)
            case .above: (-14, 0)
            case .below: (0, 14)
            }
        parts.append(name)
        text(name, near: (point.0, point.1 + lift.0), side, gap: gap, style: "strong")
        text(BillOfMaterials.value(name), near: (point.0, point.1 + lift.1), side, gap: gap, style: "quiet")
    }

    mutating func add(_ line: String) { lines.append(line) }
}
