extension CircuitDrawing {
    /// The accelerometer's interrupt, inverted so that it pulls GPIO3 low.
    static let motion = CircuitDrawing(
        "motion", title: "Accelerometer", subtitle: "Q1 and R10 only where the table of the board has INT1 through Q1",
        height: 350
    ) { sketch in
        sketch.chip(
            "M1", Sketch.Frame(x: 30, y: 95, width: 120, height: 175), shift: 10,
            pins: [("VDD", 150, 120), ("SDA", 150, 155), ("SCL", 150, 175), ("INT1", 150, 210), ("GND, SDO", 150, 255)])
        sketch.wire(.supply, (150, 120), (380, 120))
        sketch.terminal(385, 120, "3.3 V")
        sketch.wire(.line, (150, 155), (380, 155))
        sketch.terminal(385, 155, "SDA")
        sketch.wire(.line, (150, 175), (380, 175))
        sketch.terminal(385, 175, "SCL")
        sketch.wire(.line, (150, 210), (250, 210), (250, 250), (270, 250))
        sketch.transistor("Q1", at: (300, 250), .right)
        sketch.wire(.line, (300, 230), (300, 210), (380, 210))
        sketch.terminal(385, 210, "GPIO3")
        sketch.wire(.line, (250, 250), (250, 265))
        sketch.dot(250, 250)
        sketch.part("R10", .resistor, at: (250, 285), .down, .left)
        sketch.wire(.ground, (250, 305), (250, 320), (380, 320))
        sketch.wire(.ground, (300, 270), (300, 320))
        sketch.wire(.ground, (150, 255), (165, 255), (165, 320), (250, 320))
        sketch.terminal(385, 320, "ground")
        sketch.dot(250, 320, .ground)
        sketch.dot(300, 320, .ground)
        sketch.wire(.supply, (195, 120), (195, 90))
        sketch.dot(195, 120, .supply)
        sketch.part("C8", .capacitor, at: (215, 90), .right, .above)
        sketch.wire(.ground, (235, 90), (255, 90))
        sketch.ground(255, 90)
    }

    /// The receiver behind its load switch, and the buffer of its input.
    static let receiver = CircuitDrawing(
        "receiver", title: "GPS receiver", subtitle: "all of it is off while GPIO18 is low", height: 490
    ) { sketch in
        drawSwitch(&sketch)
        drawBuffer(&sketch)
    }

    private static func drawSwitch(_ sketch: inout Sketch) {
        sketch.header(45, 90, "5 V", pin: 4)
        sketch.wire(.supply, (50, 90), (130, 90))
        sketch.wire(.supply, (95, 90), (95, 100))
        sketch.dot(95, 90, .supply)
        sketch.part("C9", .capacitor, at: (95, 120), .down, .left)
        sketch.ground(95, 140)
        sketch.chip(
            "U7", Sketch.Frame(x: 130, y: 70, width: 110, height: 125), shift: 20,
            pins: [("VIN", 130, 90), ("ON", 130, 180), ("VOUT", 240, 90), ("QOD", 240, 115), ("GND", 240, 180)])
        sketch.header(45, 180, "GPIO18", pin: 12)
        sketch.wire(.line, (50, 180), (130, 180))
        sketch.wire(.line, (100, 180), (100, 195))
        sketch.dot(100, 180)
        sketch.part("R9", .resistor, at: (100, 215), .down, .left)
        sketch.ground(100, 235)
        sketch.wire(.supply, (240, 90), (385, 90), (385, 330))
        sketch.wire(.supply, (240, 115), (255, 115), (255, 90))
        sketch.dot(255, 90, .supply)
        sketch.wire(.ground, (240, 180), (255, 180))
        sketch.ground(255, 180)
    }

    private static func drawBuffer(_ sketch: inout Sketch) {
        sketch.chip(
            "U8", Sketch.Frame(x: 205, y: 230, width: 110, height: 80), shift: 2,
            pins: [("VOUT", 205, 245), ("VIN", 315, 245), ("GND", 260, 310)])
        sketch.wire(.supply, (315, 245), (385, 245))
        sketch.dot(385, 245, .supply)
        sketch.ground(260, 310)
        sketch.wire(.supply, (335, 245), (335, 255))
        sketch.dot(335, 245, .supply)
        sketch.part("C10", .capacitor, at: (335, 275), .down, .right)
        sketch.ground(335, 295)
        sketch.wire(.supply, (205, 245), (130, 245), (130, 335))
        sketch.part("C11", .capacitor, at: (180, 275), .down, .left)
        sketch.wire(.supply, (180, 245), (180, 255))
        sketch.dot(180, 245, .supply)
        sketch.ground(180, 295)
        sketch.chip(
            "U1", Sketch.Frame(x: 100, y: 335, width: 100, height: 75), shift: 4,
            pins: [("VCC", 130, 335), ("A", 100, 390), ("Y", 200, 390), ("GND", 150, 410)])
        sketch.ground(150, 410)
        sketch.wire(.supply, (130, 315), (115, 315))
        sketch.dot(130, 315, .supply)
        sketch.part("C7", .capacitor, at: (95, 315), .left, .above)
        sketch.wire(.ground, (75, 315), (60, 315))
        sketch.ground(60, 315)
        sketch.header(45, 390, "GPIO14", pin: 8)
        sketch.wire(.line, (50, 390), (100, 390))
        sketch.chip(
            "M2", Sketch.Frame(x: 290, y: 330, width: 115, height: 110), shift: -14,
            pins: [("VCC", 385, 330), ("RX", 290, 390), ("TX", 290, 425), ("GND", 405, 425)])
        sketch.wire(.line, (200, 390), (290, 390))
        sketch.wire(.line, (290, 425), (230, 425), (230, 455), (50, 455))
        sketch.header(45, 455, "GPIO15", pin: 10)
        sketch.wire(.ground, (405, 425), (418, 425), (418, 440))
        sketch.ground(418, 440)
    }
}
