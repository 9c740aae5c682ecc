/// An SVG drawing of a circuit between the vehicle and the board, as wide as a phone's screen.
package struct CircuitDrawing: Sendable, Hashable {
    /// The name of the file, without its ending.
    package let name: String
    /// The SVG file.
    package let text: String
    /// The names of the parts in the drawing.
    package let parts: [String]

    /// All drawings.
    package static let all = [supply, ignition, powerFail, batteryMonitor, motion, receiver]

    /// The path in docs.
    package var path: String { "wiring/circuit-\(name).svg" }

    /// Draws a circuit.
    init(_ name: String, title: String, subtitle: String, height: Int, _ draw: (inout Sketch) -> Void) {
        var sketch = Sketch()
        draw(&sketch)
        let head = DrawingStyle.head(
            width: 440, height: height, description: "Circuit: \(title)", title: title, subtitle: subtitle)
        self.name = name
        self.text = (head + sketch.lines + ["</svg>", ""]).joined(separator: "\n")
        self.parts = sketch.parts
    }
}
