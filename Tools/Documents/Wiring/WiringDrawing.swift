package import Hardware

/// An SVG drawing of a board's header and the connected parts, as wide as a phone's screen.
package struct WiringDrawing {
    private static let width = 440
    private static let rowHeight = 30
    private static let top = 66
    /// The centres of the two columns of pins.
    private static let columns = (left: 206, right: 234)
    private static let box = (width: 128, margin: 6)

    private let plan: WiringPlan

    package init(_ board: BoardDescription) { plan = WiringPlan(board) }

    package var text: String {
        let height = Self.top + 20 * Self.rowHeight + 40
        var lines = DrawingStyle.head(
            width: Self.width, height: height, description: "Wiring of a \(plan.board.text)", title: plan.board.text,
            subtitle: "seen from above, with the even pins at the board's edge")
        lines += header
        for part in plan.parts {
            lines += drawing(of: part, isLeft: true) + drawing(of: part, isLeft: false)
        }
        lines += legend
        lines += [footer(at: height - 16), "</svg>", ""]
        return lines.joined(separator: "\n")
    }

    private var used: [Int] { plan.parts.flatMap { $0.wires.map(\.pin) } }

    private var header: [String] {
        let top = Self.top - 4
        let used = used
        var lines = [
            #"<rect class="header" x="\#(Self.columns.left - 14)" y="\#(top)" width="\#(Self.columns.right - Self.columns.left + 28)" height="\#(20 * Self.rowHeight + 8)" rx="4"/>"#
        ]
        for (index, pin) in HeaderPin.all.enumerated() {
            let number = index + 1
            let x = number % 2 == 1 ? Self.columns.left : Self.columns.right
            let y = Self.middle(of: number)
            let isUsed = used.contains(number)
            let shape = isUsed ? Self.kind(of: pin) : "free"
            lines.append(
                number == 1
                    ? #"<rect class="\#(shape)" x="\#(x - 11)" y="\#(y - 11)" width="22" height="22"/>"#
                    : #"<circle class="\#(shape)" cx="\#(x)" cy="\#(y)" r="11"/>"#)
            lines.append(
                #"<text class="\#(isUsed ? "number" : "unused")" x="\#(x)" y="\#(y + 4)">\#(number)</text>"#)
        }
        return lines
    }

    /// Returns the box of a part on one side of the header, and the wires of that side.
    private func drawing(of part: WiringPlan.Part, isLeft: Bool) -> [String] {
        let wires = part.wires.filter { ($0.pin % 2 == 1) == isLeft }
        guard let first = wires.first, let last = wires.last else { return [] }
        let x = isLeft ? Self.box.margin : Self.width - Self.box.margin - Self.box.width
        let top = Self.middle(of: first.pin) - 13
        let gap = Self.gap(in: wires.map(\.pin))
        // The name is between two wires if they leave enough room, otherwise below the last wire.
        let name = gap ?? Self.middle(of: last.pin) + 25
        let bottom = gap == nil ? name + 21 : Self.middle(of: last.pin) + 13
        var lines = [
            #"<rect class="box" x="\#(x)" y="\#(top)" width="\#(Self.box.width)" height="\#(bottom - top)" rx="5"/>"#,
            #"<text class="strong" x="\#(x + 8)" y="\#(name)">\#(part.name)</text>"#,
            #"<text class="quiet" x="\#(x + 8)" y="\#(name + 14)">\#(part.text)</text>"#,
        ]
        for wire in wires { lines += drawing(of: wire, isLeft: isLeft) }
        return lines
    }

    private func drawing(of wire: WiringPlan.Wire, isLeft: Bool) -> [String] {
        let pin = HeaderPin.all[wire.pin - 1]
        let y = Self.middle(of: wire.pin)
        let edge = Self.box.margin + Self.box.width
        let (start, end) =
            isLeft ? (edge, Self.columns.left - 14) : (Self.columns.right + 14, Self.width - edge)
        let anchor = isLeft ? "end" : "start"
        return [
            #"<line class="wire \#(Self.kind(of: pin))" x1="\#(start)" y1="\#(y)" x2="\#(end)" y2="\#(y)"/>"#,
            #"<text class="label" x="\#((start + end) / 2)" y="\#(y - (wire.through == nil ? 4 : 10))" text-anchor="middle" font-size="11">\#(pin.name)</text>"#,
            #"<text class="label" x="\#(isLeft ? edge - 6 : Self.width - edge + 6)" y="\#(y + 4)" text-anchor="\#(anchor)">\#(wire.end)</text>"#,
        ] + (wire.through.map { chip($0, x: (start + end) / 2, y: y) } ?? [])
    }

    /// Returns the small box of a part in a wire.
    private func chip(_ name: String, x: Int, y: Int) -> [String] {
        [
            #"<rect class="box" x="\#(x - 13)" y="\#(y - 7)" width="26" height="14" rx="3"/>"#,
            #"<text class="strong" x="\#(x)" y="\#(y + 4)" text-anchor="middle" font-size="11">\#(name)</text>"#,
        ]
    }

    /// Returns the y coordinate of a name in the middle of the widest gap between wires; nil if all gaps are too small.
    private static func gap(in pins: [Int]) -> Int? {
        let gaps = zip(pins, pins.dropFirst()).map { (from: middle(of: $0), to: middle(of: $1)) }
        guard let widest = gaps.max(by: { $0.to - $0.from < $1.to - $1.from }) else { return nil }
        return widest.to - widest.from > 2 * rowHeight ? (widest.from + widest.to) / 2 - 3 : nil
    }

    /// The list of components, in the corner that all boards leave free.
    private var legend: [String] {
        let top = Self.middle(of: 33)
        return plan.components.enumerated().map { index, text in
            #"<text class="quiet" x="\#(Self.box.margin + 2)" y="\#(top + index * 16)">\#(text)</text>"#
        }
    }

    private func footer(at y: Int) -> String {
        #"<text class="quiet" x="\#(Self.width / 2)" y="\#(y)" text-anchor="middle">from boards/\#(plan.board.name).yaml; notes: docs/wiring.md</text>"#
    }

    private static func middle(of pin: Int) -> Int { top + (pin - 1) / 2 * rowHeight + rowHeight / 2 }

    private static func kind(of pin: HeaderPin) -> String {
        switch pin {
        case .line: "line"
        case .volts3, .volts5: "supply"
        case .ground: "ground"
        }
    }
}
