import Quantities
import Tracking

struct ReportFigures {
    let input: ReportInput
    let collector: ReportCollector

    struct Figure: Sendable, Hashable {
        let name: String
        let value: String
        var note = ""
    }

    var markup: Markup {
        let tiles = figures.map { figure -> Markup in
            let note: Markup = figure.note.isEmpty ? "" : "<small>\(figure.note)</small>"
            return "<div><dt>\(figure.name)</dt><dd>\(figure.value)\(note)</dd></div>"
        }
        return #"<dl class="figures">\#(Markup(tiles))</dl>"#
    }

    var figures: [Figure] {
        if case .trip = input.subject, let trip = input.trips.first { return figures(of: trip) + [refused] }
        let driving = collector.states.total(.moving)
        let stops = collector.stops.stops
        let places = PlaceList(stops).places.count
        return [
            Figure(name: "Distance", value: ReportText.distance(collector.distance)),
            Figure(name: "Driving", value: ReportText.duration(driving), note: mean(collector.distance, driving)),
            Figure(name: "Trips", value: "\(input.trips.count)"),
            Figure(name: "Stops", value: "\(stops.count)", note: places == 1 ? "at one place" : "at \(places) places"),
            top(input.trips.compactMap(\.summary?.topSpeed).max()), refused,
        ]
    }

    private func figures(of trip: ReportInput.Trip) -> [Figure] {
        let distance = trip.distance ?? collector.distance
        let moving = trip.summary?.moving ?? collector.states.total(.moving)
        var figures = [
            Figure(name: "Distance", value: ReportText.distance(distance)),
            Figure(
                name: "Duration", value: ReportText.duration((trip.ended ?? input.span.upperBound) - trip.began),
                note: trip.ended == nil ? (trip.isUnderWay ? trip.openEnd : "its end is \(trip.openEnd)") : ""),
            Figure(name: "Moving", value: ReportText.duration(moving), note: mean(distance, moving)),
        ]
        if let summary = trip.summary {
            let note = summary.withoutFix > .zero ? "\(ReportText.duration(summary.withoutFix)) without a fix" : ""
            figures.append(Figure(name: "Standing", value: ReportText.duration(summary.idle), note: note))
        }
        return figures + [top(trip.summary?.topSpeed)]
    }

    private func top(_ summary: MetresPerSecond?) -> Figure {
        let speed = max(summary ?? .zero, collector.topSpeed)
        return Figure(name: "Top speed", value: speed > .zero ? ReportText.speed(speed) : "–")
    }

    private func mean(_ distance: Metres, _ time: Duration) -> String {
        // A mean over a shorter time depends too much on single points.
        guard time.inSeconds >= 60 else { return "" }
        return "\(ReportText.speed(MetresPerSecond(distance.value / time.inSeconds))) on average"
    }

    private var refused: Figure {
        let count = input.refusals.reduce(0) { $0 + $1.count }
        return Figure(
            name: "Refused fixes", value: "\(count)", note: input.isLogComplete ? "" : "the decision log begins later")
    }
}

extension ReportInput {
    /// The most frequent first.
    var refusals: [(reason: String, count: Int)] {
        var counts: [String: Int] = [:]
        for row in notes {
            if case .refused(let reason, let count) = row.note { counts[reason, default: 0] += count }
        }
        return counts.map { ($0.key, $0.value) }.sorted { ($1.count, $0.reason) < ($0.count, $1.reason) }
    }

    /// True if the decision log covers the whole span that has data.
    fileprivate var isLogComplete: Bool { notesSince.map { $0 <= recorded.lowerBound } ?? true }
}
