/// An SVG drawing of a circuit between the vehicle and the board, as wide as a phone's screen.
package struct CircuitDrawing: Sendable, Hashable {
    package let name: String
    package let text: String
    package let parts: [String]

    package static let all = [supply, ignition, powerFail, batteryMonitor, motion, receiver]

    /// The path below docs.
    package var path: String { "wiring/circuit-\(name).svg" }

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
