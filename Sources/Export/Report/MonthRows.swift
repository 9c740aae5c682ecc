import Calendar
import Quantities

/// Draws a month as a row for each day: when the vehicle drove, and how far.
struct MonthRows {
    let year: Int
    let month: Int
    let text: ReportText
    let states: StateSpans
    /// The distances by days since 1970.
    let distances: [Int: Metres]

    private static let weekdays = ["Su", "Mo", "Tu", "We", "Th", "Fr", "Sa"]

    var markup: Markup {
        let first = CivilDate(year: year, month: month, day: 1).daysSince1970
        let last = (first..<first + 31).last { CivilDate(daysSince1970: $0).month == month } ?? first
        let rows = Markup((first...last).map { row(CivilDate(daysSince1970: $0)) })
        let axis = TimeAxis(span: span(CivilDate(daysSince1970: first)), text: text)
        return #"<ol class="month">\#(rows)<li class="foot"><b></b>\#(axis.labels)<span></span></li></ol>"#
    }

    private func row(_ date: CivilDate) -> Markup {
        let axis = TimeAxis(span: span(date), text: text)
        let bars = Markup(
            states.spans.filter { $0.to > axis.span.lowerBound && $0.from < axis.span.upperBound }.map { span in
                let (style, name) = span.state.names
                return StripDrawing.Bar(
                    style: style, from: max(span.from, axis.span.lowerBound), to: min(span.to, axis.span.upperBound),
                    text: axis.title(name, span.from, span.to)
                ).markup(axis)
            })
        let distance = distances[date.daysSince1970].map(ReportText.distance) ?? ""
        let style: Markup = date.weekday == 0 || date.weekday == 6 ? #" class="weekend""# : ""
        return """
            <li\(style)><b>\(date.day) <i>\(Self.weekdays[date.weekday])</i></b>\
            <svg viewBox="0 0 \(TimeAxis.width) 10" preserveAspectRatio="none" aria-hidden="true">\(bars)</svg>\
            <span>\(distance)</span></li>

            """
    }

    private func span(_ date: CivilDate) -> ClosedRange<Timestamp> {
        let days = [date, CivilDate(daysSince1970: date.daysSince1970 + 1)]
        let ends = days.map { text.zone.moment(showing: Timestamp(year: $0.year, month: $0.month, day: $0.day)) }
        return ends[0]...max(ends[0], ends[1])
    }
}
