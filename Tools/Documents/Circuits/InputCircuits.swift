extension CircuitDrawing {
    /// The ignition input: terminal 15 lights the LED of an optocoupler.
    static let ignition = CircuitDrawing(
        "ignition", title: "Ignition", subtitle: "the board has no connection to terminal 15", height: 250
    ) { sketch in
        sketch.terminal(45, 105, "terminal 15", .above)
        sketch.wire(.supply, (50, 105), (65, 105))
        sketch.part("F2", .fuse, at: (85, 105), .right, .below)
        sketch.wire(.supply, (105, 105), (125, 105))
        sketch.part("R4", .resistor, at: (145, 105), .right, .above)
        sketch.wire(.line, (165, 105), (245, 105))
        sketch.terminal(45, 195, "terminal 31", .above)
        sketch.wire(.ground, (50, 195), (225, 195), (225, 145), (245, 145))
        sketch.wire(.line, (205, 105), (205, 130))
        sketch.part("D3", .diode, at: (205, 150), .up, .left)
        sketch.wire(.ground, (205, 170), (205, 195))
        sketch.dot(205, 105)
        sketch.dot(205, 195, .ground)
        sketch.optocoupler("U4", at: (245, 90))
        sketch.wire(.line, (365, 105), (395, 105))
        sketch.wire(.ground, (365, 145), (395, 145))
        sketch.header(400, 105, "GPIO24", pin: 18)
        sketch.header(400, 145, "ground", pin: 20)
    }

    /// The power-fail input: a comparator watches the supply before D2.
    static let powerFail = CircuitDrawing(
        "power-fail", title: "Power failure", subtitle: "A is the point after F1 in the drawing of the supply",
        height: 310
    ) { sketch in
        sketch.terminal(70, 75, "A")
        sketch.wire(.supply, (70, 80), (70, 95))
        sketch.part("R5", .resistor, at: (70, 115), .down, .right)
        sketch.wire(.line, (70, 135), (70, 205))
        sketch.wire(.line, (70, 170), (210, 170))
        sketch.wire(.line, (140, 170), (140, 205))
        sketch.dot(70, 170)
        sketch.dot(140, 170)
        sketch.part("R6", .resistor, at: (70, 225), .down, .right)
        sketch.part("C4", .capacitor, at: (140, 225), .down, .right)
        for x in [70, 140] { sketch.ground(x, 245) }
        sketch.chip(
            "U5", Sketch.Frame(x: 210, y: 140, width: 110, height: 110), shift: 2,
            pins: [
                ("IN+", 210, 170), ("IN−", 210, 215), ("REF", 210, 235), ("V+", 265, 140), ("OUT", 320, 170),
                ("V−", 320, 230),
            ])
        sketch.wire(.line, (210, 215), (195, 215), (195, 235), (210, 235))
        sketch.wire(.line, (320, 170), (385, 170))
        sketch.header(390, 170, "GPIO12", pin: 32)
        sketch.wire(.supply, (265, 140), (265, 100), (385, 100))
        sketch.header(390, 100, "3.3 V", pin: 17)
        sketch.wire(.ground, (320, 230), (385, 230))
        sketch.header(390, 230, "ground", pin: 30)
        sketch.wire(.supply, (345, 100), (345, 110))
        sketch.dot(345, 100, .supply)
        sketch.part("C5", .capacitor, at: (345, 120), .down, .left)
        sketch.ground(345, 140)
    }

    /// The battery monitor behind its divider.
    static let batteryMonitor = CircuitDrawing(
        "battery", title: "Battery monitor", subtitle: "A is the point after F1 in the drawing of the supply",
        height: 300
    ) { sketch in
        sketch.terminal(70, 75, "A")
        sketch.wire(.supply, (70, 80), (70, 95))
        sketch.part("R7", .resistor, at: (70, 115), .down, .right)
        sketch.wire(.line, (70, 135), (70, 195))
        sketch.dot(70, 155)
        sketch.dot(185, 155)
        sketch.part("R8", .resistor, at: (70, 215), .down, .right)
        sketch.ground(70, 235)
        sketch.wire(.line, (70, 155), (210, 155))
        sketch.wire(.line, (185, 155), (185, 180), (210, 180))
        sketch.chip(
            "U6", Sketch.Frame(x: 210, y: 135, width: 110, height: 125), shift: 18,
            pins: [
                ("VIN−", 210, 155), ("VIN+", 210, 180), ("VCC", 265, 135), ("SDA", 320, 165), ("SCL", 320, 190),
                ("GND", 320, 240),
            ])
        sketch.wire(.supply, (265, 135), (265, 95), (385, 95))
        sketch.header(390, 95, "3.3 V", pin: 17)
        sketch.wire(.line, (320, 165), (380, 165))
        sketch.wire(.line, (320, 190), (380, 190))
        sketch.terminal(385, 165, "SDA", .right)
        sketch.terminal(385, 190, "SCL", .right)
        sketch.wire(.ground, (320, 240), (385, 240))
        sketch.terminal(390, 240, "ground", .below)
        sketch.wire(.supply, (345, 95), (345, 105))
        sketch.dot(345, 95, .supply)
        sketch.part("C6", .capacitor, at: (345, 115), .down, .left)
        sketch.ground(345, 135)
    }
}
