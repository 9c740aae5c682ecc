/// Parts with two ends, 20 pixels on each side of their middle.
extension Sketch {
    enum Direction: Int {
        case right = 0
        case down = 90
        case left = 180
        case up = 270
    }

    enum Symbol {
        case resistor, fuse, capacitor, electrolytic, diode, schottky, suppressor
    }

    /// A diode's current flows in the part's direction; an electrolytic capacitor's first end is positive.
    mutating func part(_ name: String, _ symbol: Symbol, at point: (Int, Int), _ direction: Direction, _ side: Side) {
        add(#"<g transform="translate(\#(point.0) \#(point.1)) rotate(\#(direction.rawValue))">"#)
        for shape in Self.shapes(symbol) { add(shape) }
        add("</g>")
        label(name, near: point, side, gap: symbol == .electrolytic ? 22 : 14)
    }

    /// The shapes of a symbol from left to right, around its middle.
    private static func shapes(_ symbol: Symbol) -> [String] {
        switch symbol {
        case .resistor: [leads(12), #"<rect class="shape" x="-12" y="-6" width="24" height="12"/>"#]
        case .fuse: [#"<rect class="shape" x="-14" y="-6" width="28" height="12"/>"#, line("-20,0 20,0")]
        case .capacitor: [leads(3), line("-3,-11 -3,11"), line("3,-11 3,11")]
        case .electrolytic:
            [leads(4), #"<rect class="shape" x="-4" y="-11" width="4" height="22"/>"#, line("4,-11 4,11"), plus]
        case .diode: [leads(8), triangle, line("8,-8 8,8")]
        case .schottky: [leads(8), triangle, line("4,-5 4,-8 8,-8 8,8 12,8 12,5")]
        case .suppressor: [leads(8), triangle, line("5,-11 8,-8 8,8 11,11")]
        }
    }

    private static let triangle = #"<polygon class="solid" points="-8,-8 -8,8 8,0"/>"#
    private static let plus = line("-13,10 -7,10") + line("-10,7 -10,13")

    private static func leads(_ gap: Int) -> String { line("-20,0 -\(gap),0") + line("\(gap),0 20,0") }

    private static func line(_ points: String) -> String {
        #"<polyline class="shape" style="fill: none" points="\#(points)"/>"#
    }
}
