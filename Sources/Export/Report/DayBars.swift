import Quantities

/// Draws the distance of each day of a month as bars.
struct DayBars {
    let year: Int
    let month: Int
    /// The distances by days since 1970.
    let distances: [Int: Metres]

    private static let height = 100.0

    var markup: Markup {
        let first = CivilDate(year: year, month: month, day: 1).daysSince1970
        let next = month == 12 ? CivilDate(year: year + 1, month: 1, day: 1) : CivilDate(year: year, month: month + 1, day: 1)
        let days = first..<next.daysSince1970
        let longest = days.compactMap { distances[$0] }.max() ?? .zero
        guard longest > .zero else { return "" }
        let width = TimeAxis.width / Double(days.count)
        let bars = Markup(
            days.enumerated().map { index, day -> Markup in
                guard let distance = distances[day], distance > .zero else { return "" }
                let height = max(1, distance / longest * Self.height)
                let title = "\(ReportText.day(CivilDate(daysSince1970: day))): \(ReportText.distance(distance))"
                return """
                    <rect x="\(Double(index) * width + width / 8)" y="\(Self.height - height)" width="\(width * 0.75)" \
                    height="\(height)"><title>\(title)</title></rect>
                    """
            })
        return """
            <figure class="chart"><figcaption><b>Distance by day</b> <span>at most \(ReportText.distance(longest))</span></figcaption>\
            <svg class="days" viewBox="0 0 \(TimeAxis.width) \(Self.height)" preserveAspectRatio="none" role="img" \
            aria-label="Distance by day">\(bars)</svg></figure>
            """
    }
}
