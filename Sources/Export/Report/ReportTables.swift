import Quantities
import Tracking

struct ReportTables {
    let input: ReportInput
    let collector: ReportCollector

    private static let mostRows = 500

    private var text: ReportText { ReportText(zone: input.zone) }

    var markup: Markup { Markup([trips, stops, refusals, events].filter { !$0.isEmpty }) }

    // MARK: - Trips

    private var trips: Markup {
        if case .trip = input.subject { return labels }
        let rows = input.trips.map { trip -> [Cell] in
            [
                Cell("Trip", "\(trip.number)", .head), Cell("Began", time(trip.began), .figure),
                Cell("Ended", trip.ended.map { time($0, after: trip.began) } ?? trip.openEnd, .figure),
                Cell("Distance", trip.distance.map(ReportText.distance) ?? "–", .figure),
                Cell("Duration", trip.ended.map { ReportText.duration($0 - trip.began) } ?? "–", .figure),
                Cell("From", trip.from ?? "–"), Cell("To", trip.to ?? "–"),
                Cell("Name, driver, tag", ([trip.name].compactMap(\.self) + trip.labels).joined(separator: ", ")),
            ]
        }
        return table("Trips", rows)
    }

    private var labels: Markup {
        guard let trip = input.trips.first, !trip.labels.isEmpty else { return "" }
        let items = Markup(trip.labels.map { "<li>\($0)</li>" })
        return #"<section class="card"><h2>About this trip</h2><ul class="labels">\#(items)</ul></section>"#
    }

    // MARK: - Stops

    private var stops: Markup {
        if case .month = input.subject { return places }
        let rows = collector.stops.stops.enumerated().map { index, stop -> [Cell] in
            [
                Cell("Stop", "\(index + 1)", .head),
                Cell("Arrived", stop.arrived.map { time($0) } ?? "earlier", .figure),
                Cell("Left", stop.left.map { time($0, after: stop.arrived) } ?? "later", .figure),
                Cell("Parked", stop.length.map(ReportText.duration) ?? "–", .figure),
                Cell("Where", Self.place(stop.regions, stop.place)),
            ]
        }
        return table("Stops", rows)
    }

    private var places: Markup {
        let rows = PlaceList(collector.stops.stops).places.enumerated().map { index, place -> [Cell] in
            [
                Cell("Place", "\(index + 1)", .head), Cell("Visits", "\(place.visits)", .figure),
                Cell("Parked", place.total > .zero ? ReportText.duration(place.total) : "–", .figure),
                Cell("Last visit", place.last.map { time($0) } ?? "–", .figure),
                Cell("Where", Self.place(place.regions, place.coordinate)),
            ]
        }
        return table("Places", rows)
    }

    private static func place(_ regions: [String], _ place: Coordinate?) -> String {
        let names = regions.joined(separator: ", ")
        guard names.isEmpty else { return names }
        return place.map(ReportText.place) ?? "unknown"
    }

    // MARK: - Refused fixes and events

    private var refusals: Markup {
        let rows = input.refusals.map { row -> [Cell] in
            [Cell("Fixes", "\(row.count)", .head), Cell("Reason", Self.reason(row.reason))]
        }
        return table("Refused fixes", rows)
    }

    private static func reason(_ name: String) -> String {
        guard let reason = FixRejection(rawValue: name) else { return name }
        return switch reason {
        case .noFix: "The receiver had no position yet"
        case .noDate: "The position had no date, and the clock was not set"
        case .inaccurate: "The estimated error was above the limit"
        case .unknownAccuracy: "The error was unknown, and the receiver used few satellites"
        case .frozen: "The receiver repeated its place, although it reported a speed"
        case .notNewer: "The time was not later than the time of the last fix"
        case .timeStep: "The time jumped ahead"
        case .jump: "No vehicle can drive so far in the time since the last fix"
        case .nullIsland: "The position was 0, 0"
        case .unconfirmed: "No second fix confirmed the position"
        case .tooOld: "The date was too old"
        case .tooNew: "The date was too far ahead"
        }
    }

    private var events: Markup {
        let rows = collector.events.map { event -> [Cell] in
            [Cell("Time", time(event.time), .figure), Cell("Event", event.text)]
        }
        return table("Events", rows)
    }

    // MARK: - Tables

    /// On a narrow screen the column's title stands beside the text.
    private struct Cell {
        /// A figure stays on one line.
        enum Kind { case text, figure, head }

        let title: String
        let text: String
        let kind: Kind

        init(_ title: String, _ text: String, _ kind: Kind = .text) {
            (self.title, self.text, self.kind) = (title, text, kind)
        }
    }

    private func table(_ title: String, _ rows: [[Cell]]) -> Markup {
        guard let first = rows.first else { return "" }
        let columns = first.indices.filter { column in rows.contains { !$0[column].text.isEmpty } }
        let head = Markup(columns.map { "<th scope=\"col\"\(style(first[$0]))>\(first[$0].title)</th>" })
        let body = Markup(
            rows.prefix(Self.mostRows).map { row in "<tr>\(Markup(columns.map { cell(row[$0]) }))</tr>\n" })
        let rest: Markup =
            rows.count > Self.mostRows
            ? #"<p class="none">Rows that are left out: \#(rows.count - Self.mostRows).</p>"# : ""
        return """
            <section class="card"><h2>\(title)</h2><table class="c\(columns.count)"><thead><tr>\(head)</tr></thead>\
            <tbody>\(body)</tbody></table>\(rest)</section>

            """
    }

    private func style(_ cell: Cell) -> Markup { cell.kind == .figure ? #" class="figure""# : "" }

    private func cell(_ cell: Cell) -> Markup {
        cell.kind == .head
            ? #"<th scope="row" data-title="\#(cell.title)">\#(cell.text)</th>"#
            : #"<td\#(style(cell)) data-title="\#(cell.title)">\#(cell.text)</td>"#
    }

    /// Writes the time, with the day unless the report or the previous time shows it.
    private func time(_ time: Timestamp, after before: Timestamp? = nil) -> String {
        let day = text.shortDay(time)
        if let before, text.shortDay(before) == day { return text.clock(time) }
        switch input.subject {
        case .day, .trip:
            return text.shortDay(input.span.lowerBound) == day ? text.clock(time) : "\(day) \(text.clock(time))"
        case .month: return "\(day) \(text.clock(time))"
        }
    }
}
