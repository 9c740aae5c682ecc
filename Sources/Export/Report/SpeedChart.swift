import Quantities

struct SpeedChart {
    let segments: [[ReportCollector.Sample]]
    let axis: TimeAxis
    let scale: SpeedScale

    private static let height = 100.0

    /// The text of the chart does not scale with its width.
    var markup: Markup {
        let top = Double(scale.bounds.last ?? 1)
        let marks = scale.bounds.enumerated().filter { scale.classes <= 4 || $0.offset % 2 == 0 }.map(\.element)
        let rules = Markup(
            marks.map { mark -> Markup in
                let share = 100 - Double(mark) / top * 100
                return #"<line x1="0" x2="100%" y1="\#(share)%" y2="\#(share)%"/>"#
            })
        let labels = Markup(
            marks.dropFirst().map { mark -> Markup in
                #"<text x="4" y="\#(100 - Double(mark) / top * 100)%" dy="13">\#(mark) km/h</text>"#
            })
        let paths = Markup(
            segments.map { segment -> Markup in
                let line = Self.line(segment, axis, scale)
                guard let first = line.first, let last = line.last else { return "" }
                let path = "M" + line.map { PlainText.pair($0.x, $0.y) }.joined(separator: "L")
                let base = "V\(Int(Self.height))H\(PlainText.number(first.x, decimals: 1) ?? "0")Z"
                return last.x > first.x
                    ? #"<path class="area" d="\#(path: path + base)"/><path class="line" d="\#(path: path)"/>"# : ""
            })
        return """
            <svg class="speed" role="img" aria-label="Speed over time"><g class="rules">\(rules)\(axis.rules)</g>\
            <svg viewBox="0 0 \(TimeAxis.width) \(Self.height)" preserveAspectRatio="none" width="100%" height="100%">\(paths)</svg>\
            <g class="labels">\(labels)</g></svg>
            """
    }

    /// Draws at most four points per column, the first, the slowest, the fastest and the last, because more would not
    /// be visible.
    static func line(
        _ samples: [ReportCollector.Sample], _ axis: TimeAxis, _ scale: SpeedScale
    ) -> [(x: Double, y: Double)] {
        var points: [(x: Double, y: Double)] = []
        var column: [ReportCollector.Sample] = []
        func flush() {
            let speeds = column.indices.map { (column[$0].speed, $0) }
            let chosen = [0, speeds.min { $0 < $1 }?.1, speeds.max { $0 < $1 }?.1, column.count - 1].compactMap(\.self)
            for index in Set(chosen).sorted() where column.indices.contains(index) {
                let sample = column[index]
                let share = min(1, max(0, sample.speed / scale.top))
                points.append((axis.x(sample.time), height * (1 - share)))
            }
            column = []
        }
        var current = -1
        for sample in samples {
            let next = Int(axis.x(sample.time))
            if next != current { flush() }
            current = next
            column.append(sample)
        }
        flush()
        return points
    }
}

extension TimeAxis {
    var rules: Markup {
        Markup(marks.map { #"<line x1="\#($0.share * 100)%" x2="\#($0.share * 100)%" y1="0" y2="100%"/>"# })
    }

    var labels: Markup {
        let texts = Markup(
            marks.map { mark -> Markup in
                let anchor = mark.share < 0.02 ? "first" : mark.share > 0.98 ? "last" : "middle"
                return """
                    <text class="\(anchor)\(mark.isMinor ? " minor" : "")" x="\(mark.share * 100)%" y="15">\(mark.label)</text>
                    """
            })
        return #"<svg class="axis" aria-hidden="true">\#(texts)</svg>"#
    }
}

/// Classes of equal width, each with a colour of the style sheet.
struct SpeedScale: Sendable, Hashable {
    /// The style sheet has `.s0` to `.s6`.
    private static let mostClasses = 7

    private let step_kmh: Double
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

    /// The bounds in km/h, from 0.
    var bounds: [Int] { (0...classes).map { Int((Double($0) * step_kmh).rounded()) } }
}
