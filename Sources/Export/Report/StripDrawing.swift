import Quantities

/// Spans of time as bars below a title with figures.
struct StripDrawing {
    struct Bar: Sendable, Hashable {
        let style: String
        let from: Timestamp
        let to: Timestamp
        /// The title that appears under the pointer.
        let text: String

        /// The width in units; a narrower bar would be invisible.
        private static let shortest = 1.0

        func markup(_ axis: TimeAxis) -> Markup {
            let x = axis.x(from)
            let width = max(Self.shortest, axis.x(to) - x)
            return """
                <rect class="\(style)" x="\(x)" y="0" width="\(width)" height="10"><title>\(text)</title></rect>
                """
        }
    }

    let title: String
    let figures: String
    let bars: [Bar]
    let axis: TimeAxis

    var markup: Markup {
        let bars = Markup(bars.map { $0.markup(axis) })
        return """
            <figure class="strip"><figcaption><b>\(title)</b> <span>\(figures)</span></figcaption>\
            <svg viewBox="0 0 \(TimeAxis.width) 10" preserveAspectRatio="none" role="img" aria-label="\(title): \(figures)">\
            \(bars)</svg></figure>
            """
    }
}

extension ReportCollector {
    /// The strips for which the database has data.
    func strips(_ input: ReportInput, _ axis: TimeAxis) -> [StripDrawing] {
        [vehicle(axis), receiver(input, axis)].compactMap(\.self) + uploads.compactMap { $0.strip(axis) }
    }

    private func vehicle(_ axis: TimeAxis) -> StripDrawing? {
        guard !states.spans.isEmpty else { return nil }
        let whole = states.spans.reduce(.zero) { $0 + $1.length }
        let moving = states.total(.moving)
        let bars = states.spans.map { span in
            let (style, name) = span.state.names
            return StripDrawing.Bar(
                style: style, from: span.from, to: span.to, text: axis.title(name, span.from, span.to))
        }
        return StripDrawing(
            title: "Vehicle", figures: "moving \(ReportText.duration(moving)), \(ReportText.share(moving, of: whole))",
            bars: bars, axis: axis)
    }

    private func receiver(_ input: ReportInput, _ axis: TimeAxis) -> StripDrawing? {
        guard let spans = ReceiverSpans(input, off: states.spans.filter { $0.state == .off })?.on else { return nil }
        let total = spans.reduce(Duration.zero) { $0 + ($1.upperBound - $1.lowerBound) }
        let whole = input.recorded.upperBound - input.recorded.lowerBound
        let bars = spans.map { span in
            StripDrawing.Bar(
                style: "on", from: span.lowerBound, to: span.upperBound,
                text: axis.title("Receiver on", span.lowerBound, span.upperBound))
        }
        return StripDrawing(
            title: "GPS receiver", figures: "on \(ReportText.duration(total)), \(ReportText.share(total, of: whole))",
            bars: bars, axis: axis)
    }
}

extension StateSpans.State {
    var names: (style: String, name: String) {
        switch self {
        case .parked: ("parked", "Parked")
        case .moving: ("moving", "Moving")
        case .hidden: ("hidden", "Private")
        case .off: ("off", "trackerd did not run")
        }
    }
}

extension UploadStrip {
    fileprivate func strip(_ axis: TimeAxis) -> StripDrawing? {
        guard !counts.isEmpty else { return nil }
        let figures = UploadState.allCases.compactMap { state in counts[state].map { "\($0) \(state.names.name)" } }
        let length = (axis.span.upperBound - axis.span.lowerBound) / Double(Self.columnCount)
        var bars: [StripDrawing.Bar] = []
        for (column, state) in columns.enumerated() {
            guard let state else { continue }
            let from = axis.span.lowerBound + length * Double(column)
            let ((style, name), to) = (state.names, from + length)
            if let last = bars.last, last.style == style, last.to >= from - .milliseconds(2) {
                bars[bars.count - 1] = StripDrawing.Bar(style: style, from: last.from, to: to, text: last.text)
            } else {
                bars.append(StripDrawing.Bar(style: style, from: from, to: to, text: name))
            }
        }
        return StripDrawing(
            title: "Records for \(target)", figures: figures.joined(separator: ", "), bars: bars, axis: axis)
    }
}

extension UploadState {
    fileprivate var names: (style: String, name: String) {
        switch self {
        case .delivered: ("delivered", "delivered")
        case .withheld: ("withheld", "not for upload")
        case .waiting: ("waiting", "waiting")
        case .setAside: ("aside", "set aside")
        }
    }
}

extension TimeAxis {
    func title(_ name: String, _ from: Timestamp, _ to: Timestamp) -> String {
        "\(name), \(text.preciseClock(from)) to \(text.preciseClock(to)), \(ReportText.duration(to - from))"
    }
}

/// When the receiver was on, by the rows of the decision log.
struct ReceiverSpans: Sendable, Hashable {
    private(set) var on: [ClosedRange<Timestamp>] = []

    /// Nil if there is no row about the receiver, in the span or before it. While the program does not run, the
    /// receiver is off.
    init?(_ input: ReportInput, off: [StateSpans.Span]) {
        var switches: [(time: Timestamp, isOn: Bool)] = input.notes.compactMap { row in
            if case .receiver(let isOn) = row.note { (row.time, isOn) } else { nil }
        }
        guard !switches.isEmpty || input.wasReceiverOn != nil else { return nil }
        switches += off.map { ($0.from, false) }
        var since = input.wasReceiverOn == true ? input.recorded.lowerBound : nil
        for change in switches.sorted(by: { $0.time < $1.time }) {
            if change.isOn {
                since = since ?? change.time
            } else if let start = since {
                on.append(start...max(start, change.time))
                since = nil
            }
        }
        if let since, since <= input.recorded.upperBound { on.append(since...input.recorded.upperBound) }
    }
}
