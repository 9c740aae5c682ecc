import Calendar
import Control
import Quantities
import Store
import Tracking

struct TripsText {
    let clock: ZoneClock

    func list(_ trips: [RecordedTrip]) -> [String] {
        guard !trips.isEmpty else { return ["No trips."] }
        let rows = trips.map { trip in
            [
                "\(trip.number)", clock.shortText(trip.began), end(of: trip, clock.shortText),
                trip.distance?.kilometres ?? "", trip.duration?.inWords ?? "",
                trip.summary.map { "\($0.stops)" } ?? "", Self.name(trip.startRegions, trip.start),
                Self.name(trip.endRegions, trip.summary?.end),
                [trip.name, trip.driver, trip.tag, trip.report.externalID].compactMap(\.self).joined(separator: ", "),
            ]
        }
        let titles = ["trip", "begin", "end", "distance", "duration", "stops", "from", "to", "name, driver, tag, ID"]
        return TextTable.lines([titles] + rows, right: [0, 3, 4, 5])
    }

    func show(_ trip: RecordedTrip) -> [String] {
        let summary = trip.summary
        var lines = ["Trip \(trip.number)"]
        lines.append(Self.line("begin", clock.text(trip.began) + Self.place(trip.startRegions, trip.start)))
        lines.append(Self.line("end", end(of: trip, clock.text) + Self.place(trip.endRegions, summary?.end)))
        if let distance = trip.distance { lines.append(Self.line("distance", distance.kilometres)) }
        if let duration = trip.duration { lines.append(Self.line("duration", duration.inWords)) }
        if let summary {
            let spans = [("moving", summary.moving), ("standing", summary.idle), ("without a fix", summary.withoutFix)]
            for (name, span) in spans { lines.append(Self.line(name, span.inWords)) }
            lines.append(
                Self.line("top speed", summary.topSpeed.map { "\(Int(($0.value * 3.6).rounded())) km/h" } ?? "unknown"))
            lines.append(Self.line("stops", "\(summary.stops)"))
            lines.append(Self.line("points", "\(summary.records)"))
        }
        let labels = [
            ("name", trip.name), ("vehicle", trip.vehicle), ("driver", trip.driver), ("tag", trip.tag),
            ("ID", trip.report.externalID),
        ]
        for case (let name, let label?) in labels { lines.append(Self.line(name, label)) }
        for entry in trip.report.metadata { lines.append(Self.line(entry.key, entry.value)) }
        return lines
    }

    private func end(of trip: RecordedTrip, _ text: (Timestamp) -> String) -> String {
        if let summary = trip.summary { return text(summary.ended) }
        return trip.isUnderWay ? "under way" : "not recorded"
    }

    private static func line(_ title: String, _ text: String) -> String {
        title + String(repeating: " ", count: max(1, 14 - title.count)) + text
    }

    private static func place(_ regions: [RegionName], _ place: Coordinate?) -> String {
        let names = regions.map(\.name).joined(separator: ", ")
        // Five decimals of a degree correspond to about one metre.
        let numbers = place.map { $0.text(decimals: 5) }
        return [names.isEmpty ? nil : names, numbers].compactMap(\.self).map { "  \($0)" }.joined()
    }

    /// The names of the regions, or the coordinate to about ten metres.
    static func name(_ regions: [RegionName], _ place: Coordinate?) -> String {
        if !regions.isEmpty { return regions.map(\.name).joined(separator: ", ") }
        return place.map { $0.text(decimals: 4) } ?? ""
    }
}

extension Metres {
    /// A text in kilometres with two decimals, rounded to ten metres.
    fileprivate var kilometres: String {
        let tens = Int(max(0, min(value, 1e12) / 10).rounded())
        return "\(tens / 100).\(tens % 100 < 10 ? "0" : "")\(tens % 100) km"
    }
}

extension Duration {
    /// A text such as `2 h 5 min`, `5 min 9 s` or `9 s`.
    fileprivate var inWords: String {
        let seconds = Int(max(0, inSeconds).rounded())
        if seconds >= 3600 { return "\(seconds / 3600) h \(seconds / 60 % 60) min" }
        return seconds >= 60 ? "\(seconds / 60) min \(seconds % 60) s" : "\(seconds) s"
    }
}
