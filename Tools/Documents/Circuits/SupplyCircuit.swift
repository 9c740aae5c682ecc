extension CircuitDrawing {
    /// The supply: from the battery to the board's 5 V, with the capacitors that bridge a cut.
    static let supply = CircuitDrawing(
        "supply", title: "Supply", subtitle: "12 and 24 V; F1 sits at the battery", height: 670
    ) { sketch in
        drawInput(&sketch)
        drawHoldUp(&sketch)
    }

    private static func drawInput(_ sketch: inout Sketch) {
        sketch.terminal(120, 70, "terminal 30 (battery +)")
        sketch.terminal(400, 110, "terminal 31 (−)", .left)
        sketch.wire(.ground, (400, 115), (400, 623))
        sketch.wire(.supply, (120, 75), (120, 85))
        sketch.part("F1", .fuse, at: (120, 105), .down, .right)
        sketch.wire(.supply, (120, 125), (120, 175))
        sketch.wire(.supply, (40, 150), (260, 150), (260, 165))
        sketch.dot(120, 150, .supply)
        sketch.terminal(40, 150, "A", .above)
        sketch.part("D1", .suppressor, at: (260, 185), .up, .right)
        sketch.wire(.ground, (260, 205), (260, 215), (400, 215))
        sketch.part("D2", .schottky, at: (120, 195), .down, .left)
        sketch.wire(.supply, (120, 215), (120, 270))
        sketch.wire(.supply, (120, 240), (260, 240), (260, 250))
        sketch.dot(120, 240, .supply)
        sketch.part("C1", .electrolytic, at: (260, 270), .down, .right)
        sketch.wire(.ground, (260, 290), (260, 335))
        sketch.wire(.ground, (180, 335), (400, 335))
        sketch.chip(
            "U2", Sketch.Frame(x: 60, y: 270, width: 120, height: 80), shift: -4,
            pins: [("VIN", 120, 270), ("GND", 180, 335), ("VOUT", 120, 350)])
        for (x, y) in [(400, 215), (400, 335), (260, 335)] { sketch.dot(x, y, .ground) }
    }

    private static func drawHoldUp(_ sketch: inout Sketch) {
        sketch.wire(.supply, (120, 350), (120, 623))
        sketch.wire(.supply, (120, 375), (310, 375), (310, 390))
        sketch.wire(.supply, (230, 375), (230, 390))
        sketch.dot(120, 375, .supply)
        sketch.dot(230, 375, .supply)
        sketch.part("R1", .resistor, at: (230, 410), .down, .left)
        sketch.chip(
            "U3", Sketch.Frame(x: 270, y: 390, width: 100, height: 75), shift: 2,
            pins: [("VOUT, CE", 310, 390), ("VIN", 310, 465), ("GND", 370, 452)])
        sketch.wire(.ground, (370, 452), (400, 452))
        sketch.wire(.supply, (230, 430), (230, 490))
        sketch.wire(.supply, (310, 465), (310, 490))
        sketch.wire(.supply, (230, 480), (310, 480))
        sketch.part("C2", .electrolytic, at: (230, 510), .down, .left)
        sketch.part("R2", .resistor, at: (310, 510), .down, .right)
        sketch.wire(.line, (230, 530), (230, 550))
        sketch.wire(.line, (310, 530), (310, 550))
        sketch.wire(.line, (230, 540), (310, 540))
        sketch.part("C3", .electrolytic, at: (230, 570), .down, .left)
        sketch.part("R3", .resistor, at: (310, 570), .down, .right)
        sketch.wire(.ground, (230, 590), (230, 603), (400, 603))
        sketch.wire(.ground, (310, 590), (310, 603))
        for (x, y) in [(230, 480), (310, 480)] { sketch.dot(x, y, .supply) }
        for (x, y) in [(230, 540), (310, 540)] { sketch.dot(x, y) }
        for (x, y) in [(400, 452), (400, 603), (310, 603)] { sketch.dot(x, y, .ground) }
        sketch.terminal(120, 628, "5 V of the board", .below)
        sketch.terminal(400, 628, "ground", .below)
    }
}
