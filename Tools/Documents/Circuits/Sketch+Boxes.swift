/// Chips, modules, transistors and optocouplers.
extension Sketch {
    struct Frame {
        var x, y, width, height: Int
    }

    /// `pins`: each with its place on an edge of the box.
    mutating func chip(_ name: String, _ frame: Frame, shift: Int = 0, pins: [(name: String, x: Int, y: Int)]) {
        let middle = (frame.x + frame.width / 2, frame.y + frame.height / 2 + shift)
        box(frame)
        label(name, near: middle, .below, gap: -12)
        for pin in pins { self.pin(pin.name, pin.x, pin.y, of: frame) }
    }

    mutating func box(_ frame: Frame) {
        add(
            #"<rect class="box" x="\#(frame.x)" y="\#(frame.y)" width="\#(frame.width)" height="\#(frame.height)" rx="5"/>"#
        )
    }

    /// Writes the name of a pin in the box, beside the edge at which the pin is.
    mutating func pin(_ name: String, _ x: Int, _ y: Int, of frame: Frame) {
        let side: Side =
            x == frame.x ? .right : x == frame.x + frame.width ? .left : y == frame.y ? .below : .above
        text(name, near: (x, y), side, gap: side == .below ? 4 : 5, style: "quiet")
    }

    /// Draws an N-channel MOSFET with its gate 30 pixels left of the middle, its drain 20 pixels above and its source 20 pixels
    /// below.
    mutating func transistor(_ name: String, at point: (Int, Int), _ side: Side) {
        let (x, y) = point
        add(#"<circle class="shape" cx="\#(x - 4)" cy="\#(y)" r="17"/>"#)
        wire(.line, (x - 30, y), (x - 14, y))
        stroke((x - 14, y - 9), (x - 14, y + 9))
        for offset in [-8, 0, 8] { stroke((x - 9, y + offset - 3), (x - 9, y + offset + 3)) }
        stroke((x - 9, y - 8), (x, y - 8), (x, y - 20))
        stroke((x - 9, y + 8), (x, y + 8), (x, y + 20))
        stroke((x, y + 8), (x, y), (x - 9, y))
        add(#"<polygon class="solid" points="\#(x - 9),\#(y) \#(x - 4),\#(y - 3) \#(x - 4),\#(y + 3)"/>"#)
        label(name, near: (x + 6, y), side)
    }

    /// Draws an optocoupler of 120 by 70 pixels.
    ///
    /// Anode and cathode are on the left, 15 pixels from the top and the bottom; collector and emitter are on the right.
    mutating func optocoupler(_ name: String, at point: (Int, Int)) {
        let (x, y) = point
        box(Frame(x: x, y: y, width: 120, height: 70))
        stroke((x, y + 15), (x + 35, y + 15), (x + 35, y + 27))
        add(#"<polygon class="solid" points="\#(x + 27),\#(y + 27) \#(x + 43),\#(y + 27) \#(x + 35),\#(y + 43)"/>"#)
        stroke((x + 27, y + 43), (x + 43, y + 43))
        stroke((x + 35, y + 43), (x + 35, y + 55), (x, y + 55))
        for offset in [31, 38] {
            stroke((x + 48, y + offset), (x + 62, y + offset), (x + 58, y + offset - 3))
        }
        stroke((x + 75, y + 22), (x + 75, y + 48))
        stroke((x + 75, y + 29), (x + 92, y + 15), (x + 120, y + 15))
        stroke((x + 75, y + 41), (x + 92, y + 55), (x + 120, y + 55))
        stroke((x + 84, y + 54), (x + 92, y + 55), (x + 89, y + 47))
        label(name, near: (x + 60, y + 74), .below, gap: 4)
    }

    private mutating func stroke(_ points: (Int, Int)...) {
        let text = points.map { "\($0.0),\($0.1)" }.joined(separator: " ")
        add(#"<polyline class="shape" style="fill: none" points="\#(text)"/>"#)
    }
}
