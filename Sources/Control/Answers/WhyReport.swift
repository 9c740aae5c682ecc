import JSON
package import Quantities
package import Store
import Tracking

/// The decisions and records around a moment, as lines for the terminal, or as events for other programs.
package struct WhyReport {
    private let moment: Timestamp
    private let reach: Duration
    package let history: HistoryExcerpt
    /// The offset of the reader's zone from UTC.
    private let offset: (Timestamp) -> Duration

    /// The report covers the time from `moment - reach` to `moment + reach`.
    package init(moment: Timestamp, reach: Duration, history: HistoryExcerpt, offset: @escaping (Timestamp) -> Duration)
    {
        (self.moment, self.reach, self.history, self.offset) = (moment, reach, history, offset)
    }

    package var from: Timestamp { moment - reach }
    package var to: Timestamp { moment + reach }

    package var isKnown: Bool { history.known.map { $0.overlaps(from...to) } ?? false }

    package var lines: [String] {
        guard let known = history.known else {
            return ["No history yet: trackerd has recorded no data with a trusted time."]
        }
        let standing = history.initialState.map { "\($0.isMoving ? "Moving" : "Parked") since \(clock($0.since))." }
        guard isKnown else {
            let nothing = "No history for \(clock(from)) to \(clock(to))."
            return [nothing] + (standing.map { ["Last known state: \($0)"] } ?? []) + [end(of: known)]
        }
        let lines =
            events.isEmpty
            ? ["trackerd made no decision, rejected no fix and wrote no record in this period."] : events.map(line)
        return ["From \(clock(from)) to \(clock(to)):", standing ?? "State before this period: unknown."] + lines
            + (known.upperBound < to ? [end(of: known)] : [])
    }

    private func end(of known: ClosedRange<Timestamp>) -> String {
        """
        The history covers \(clock(known.lowerBound)) to \(clock(known.upperBound)). Later decisions are not \
        on disk yet; the daemon writes them together with one of the next records.
        """
    }

    private func line(_ event: Event) -> String {
        let time = clock(event.time).dropFirst(11)
        let end = event.until.map { " until \(clock($0).dropFirst(11))" } ?? ""
        return "\(time)\(event.isTrusted ? " " : "?") \(Self.padded(event.subject)) \(event.text)\(end)\(event.number)"
    }

    private static func padded(_ subject: String) -> String {
        subject + String(repeating: " ", count: max(0, 8 - subject.count))
    }

    private func clock(_ time: Timestamp) -> String {
        let shown = (time + offset(time)).description
        return "\(shown.prefix(10)) \(shown.dropFirst(11).prefix(8))"
    }
}

// MARK: - Decisions and records in one order

extension WhyReport {
    package struct Event {
        package let time: Timestamp
        /// True if GPS or a time server confirmed the time.
        package let isTrusted: Bool
        /// The subject of a decision, or `record`.
        package let subject: String
        package let text: String
        /// When the last location of a series was recorded; nil for a single event.
        package let until: Timestamp?
        /// The number of the record, or of the first location of a series; nil for a row of the decision log.
        package let sequence: Int64?

        fileprivate var number: String { sequence.map { " (number \($0))" } ?? "" }
    }

    package var events: [Event] {
        let decided = history.entries.map { entry in
            Event(
                time: entry.time, isTrusted: entry.isTimeTrusted, subject: entry.subject,
                text: entry.count == 1 ? entry.text : "\(entry.text), \(entry.count) times within a minute",
                until: nil, sequence: nil)
        }
        // `sorted` is not guaranteed to be stable, so compare the offsets too. Decisions come before records with the
        // same time.
        return (decided + recorded).enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
            .map(\.element)
    }

    /// One event for each record; locations that follow each other share one.
    private var recorded: [Event] {
        var lines: [Event] = []
        var points: [StoredRecord] = []
        for stored in history.records {
            if stored.record.kind == .location {
                points.append(stored)
            } else {
                lines += track(points)
                points = []
                lines.append(event(of: stored, Self.describe(stored.record)))
            }
        }
        return lines + track(points)
    }

    private func track(_ points: [StoredRecord]) -> [Event] {
        guard let first = points.first, let last = points.last else { return [] }
        let count = points.reduce(points.count) { $0 + (history.leftOut[$1.sequence] ?? 0) }
        guard count > 1 else { return [event(of: first, "location")] }
        return [event(of: first, "\(count) locations", until: last.record.time)]
    }

    private func event(of stored: StoredRecord, _ text: String, until: Timestamp? = nil) -> Event {
        Event(
            time: stored.record.time, isTrusted: stored.record.isTimeTrusted, subject: "record", text: text,
            until: until, sequence: stored.sequence)
    }

    static func describe(_ record: Tracking.Record) -> String {
        var words = [record.kind.rawValue]
        if let detail = detail(record) { words.append(detail) }
        if let position = record.position {
            let error = position.accuracy.map { " ±\(Int($0.value.rounded())) m" } ?? ""
            words.append("at \(position.coordinate.text(decimals: 5))\(error)")
        }
        if let trip = record.trip { words.append("trip \(trip)") }
        return words.joined(separator: ", ")
    }

    private static func detail(_ record: Tracking.Record) -> String? {
        switch record.content {
        case .location, .waypoint, .ping: nil
        case .motionchange: record.isMoving ? "departure" : "arrival"
        case .visit(let visit): visit.departed == nil ? "begins" : "ends"
        case .transition(let transition): "\(transition.direction.rawValue) \(transition.region.name)"
        case .trip(let report): report.summary == nil ? "begins" : "ends"
        case .request(let answer): answer.failure ?? "answered"
        case .providerchange(let change): change.state.rawValue
        case .power(let change, let start):
            ([change.rawValue] + (start.map { ["boot \($0.boots)"] } ?? [])).joined(separator: ", ")
        case .health(let report):
            ([report.change.rawValue] + [report.reason].compactMap(\.self)).joined(separator: ", ")
        case .optionschange(let change): "by \(change.origin)\(change.refusal.map { ", refused: \($0)" } ?? "")"
        case .driving(let event): event.kind.rawValue
        case .order(let report):
            "\(report.request) from \(report.target), \(report.isAccepted ? "carried out" : "refused")".printable()
        }
    }
}

extension Coordinate {
    /// Latitude and longitude in degrees; 5 decimals are about a metre.
    package func text(decimals: Int) -> String {
        "\(latitude.rounded(decimals: decimals)), \(longitude.rounded(decimals: decimals))"
    }
}
