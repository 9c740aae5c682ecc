import Calendar
import Quantities
package import Tracking

/// A day, a month or a trip as one HTML file that loads nothing and runs no script. Add the records in order of time.
package struct DriveReport: Sendable {
    private let input: ReportInput
    private var collector: ReportCollector

    package init(_ input: ReportInput) {
        self.input = input
        collector = ReportCollector(input)
    }

    package var count: Int { collector.count }

    /// `uploads` has a state for each target of the input.
    package mutating func add(_ record: Record, uploads: [UploadState] = []) {
        collector.add(record, uploads: uploads)
    }

    package var html: String { page.markup.text }

    var page: ReportPage {
        var collector = collector
        collector.finish()
        return ReportPage(input: input, collector: collector)
    }
}

struct ReportPage {
    let input: ReportInput
    let collector: ReportCollector

    private var text: ReportText { ReportText(zone: input.zone) }

    /// Permits only this file's style sheet, by its hash.
    private var policy: Markup {
        "default-src 'none'; style-src '\(ReportStyle.hash)'; base-uri 'none'; form-action 'none'"
    }

    var markup: Markup {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta http-equiv="Content-Security-Policy" content="\(policy)">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <meta name="referrer" content="no-referrer">
        <meta name="robots" content="noindex">
        <title>\(title), \(input.device)</title>
        <style>\(ReportStyle.sheet)</style>
        </head>
        <body>
        <main>
        \(header)
        \(ReportFigures(input: input, collector: collector).markup)
        \(map)
        \(timeline)
        \(ReportTables(input: input, collector: collector).markup)
        \(footer)
        </main>
        </body>
        </html>

        """
    }

    private var title: String {
        switch input.subject {
        case .day(let date): ReportText.day(date)
        case .month(let year, let month): ReportText.month(year, month)
        case .trip(let number): "Trip \(number)"
        }
    }

    private var header: Markup {
        """
        <header><p class="device">\(input.device)</p><h1>\(title)</h1><p class="span">\(subtitle)</p></header>
        """
    }

    private var subtitle: String {
        let (from, to) = (input.span.lowerBound, input.span.upperBound)
        let zone = "times are in \(text.offsets(input.span))"
        guard case .trip = input.subject else { return zone.prefix(1).uppercased() + zone.dropFirst() }
        let date = ReportText.day(input.zone.local(at: from).date)
        let end = text.shortDay(from) == text.shortDay(to) ? text.clock(to) : "\(text.shortDay(to)) \(text.clock(to))"
        let name = input.trips.first?.name.map { "\($0), " } ?? ""
        return "\(name)\(date), \(text.clock(from)) – \(end); \(zone)"
    }

    private var scale: SpeedScale { SpeedScale(highest: collector.topSpeed) }

    private var map: Markup {
        guard let drawing else {
            return #"<section class="card"><h2>Track</h2><p class="none">No position was recorded.</p></section>"#
        }
        return """
            <section class="card flush"><h2>Track</h2>\(drawing.markup)\
            \(drawing.vertexCount > 1 ? legend : "")</section>
            """
    }

    var drawing: TrackDrawing? {
        // Thousands of arrows would hide the track of a month.
        TrackDrawing(collector.segments, stops: marked, scale: scale, hasArrows: !isMonth)
    }

    /// The stops; for a month, the places where the vehicle was parked longest.
    private var marked: [Coordinate?] {
        guard isMonth else { return collector.stops.stops.map(\.place) }
        return PlaceList(collector.stops.stops).places.prefix(Self.mostPlaces).map(\.coordinate)
    }

    private var isMonth: Bool {
        if case .month = input.subject { true } else { false }
    }

    /// More marks would hide the track.
    private static let mostPlaces = 12

    private var legend: Markup {
        let bounds = scale.bounds
        let classes = Markup(
            zip(bounds, bounds.dropFirst()).enumerated().map { index, range -> Markup in
                #"<li class="k\#(index)">\#(range.0)–\#(range.1)</li>"#
            })
        return #"<ol class="legend" aria-label="Colours of the speed">\#(classes)<li class="unit">km/h</li></ol>"#
    }

    private var timeline: Markup {
        if case .month(let year, let month) = input.subject {
            let rows = MonthRows(
                year: year, month: month, text: text, states: collector.states, distances: collector.distances)
            return #"<section class="card"><h2>Days</h2>\#(rows.markup)</section>"#
        }
        let axis = TimeAxis(span: input.shown, text: text)
        let chart = SpeedChart(segments: collector.segments, axis: axis, scale: scale)
        let strips = Markup(collector.strips(input, axis).map(\.markup))
        let speed: Markup =
            collector.segments.isEmpty
            ? "" : #"<figure class="chart"><figcaption><b>Speed</b></figcaption>\#(chart.markup)</figure>"#
        return """
            <section class="card"><h2>Timeline</h2>\(speed)\(strips)\(axis.labels)\(key)</section>
            """
    }

    private var key: Markup {
        let uploads = Set(collector.uploads.flatMap(\.counts.keys))
        let states = Set(collector.states.spans.map(\.state))
        let entries: [(isShown: Bool, entry: Markup)] = [
            (true, #"<li class="moving">moving</li><li class="parked">parked</li>"#),
            (states.contains(.hidden), #"<li class="hidden">private</li>"#),
            (states.contains(.off), #"<li class="off">trackerd did not run</li>"#),
            (input.wasReceiverOn != nil || input.hasSwitches, #"<li class="on">receiver on</li>"#),
            (uploads.contains(.delivered), #"<li class="delivered">delivered</li>"#),
            (uploads.contains(.waiting), #"<li class="waiting">waiting</li>"#),
            (uploads.contains(.setAside), #"<li class="aside">set aside</li>"#),
            (uploads.contains(.withheld), #"<li class="withheld">not for upload</li>"#),
        ]
        return #"<ul class="key">\#(Markup(entries.filter(\.isShown).map(\.entry)))</ul>"#
    }

    private var footer: Markup {
        let made = "\(ReportText.day(input.zone.local(at: input.made).date)), \(text.clock(input.made))"
        return """
            <footer>trackerd \(input.version), \(collector.count) records. Made on \(made). \
            This file shows where the vehicle was, so keep the file private.</footer>
            """
    }
}

extension ReportInput {
    fileprivate var hasSwitches: Bool {
        notes.contains { row in
            if case .receiver = row.note { true } else { false }
        }
    }
}
