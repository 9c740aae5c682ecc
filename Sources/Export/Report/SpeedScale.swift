import Quantities

/// Classes of equal width, each with a colour of the style sheet.
struct SpeedScale: Sendable, Hashable {
    /// `.s0` to `.s6`.
    static let mostClasses = 7

    let step_kmh: Double
    let classes: Int

    init(highest: MetresPerSecond) {
        let top = max(1, min(highest.value * 3.6, 1e6))
        let steps = [1.0, 2, 5, 10, 15, 20, 25, 30, 40, 50, 100, 200, 500]
        step_kmh = steps.first { $0 * Double(Self.mostClasses) >= top } ?? top / Double(Self.mostClasses)
        classes = min(Self.mostClasses, max(2, Int((top / step_kmh).rounded(.up))))
    }

    func index(of speed: MetresPerSecond) -> Int {
        min(classes - 1, max(0, Int(min(speed.value * 3.6 / step_kmh, 1e6))))
    }

    var top: MetresPerSecond { MetresPerSecond(Double(classes) * step_kmh / 3.6) }

    /// In km/h, from 0.
    var bounds: [Int] { (0...classes).map { Int((Double($0) * step_kmh).rounded()) } }
}
