import JSON
import Quantities
package import Store
import Tracking

package struct ListTripsRequest: ControlRequest {
    package static let isReading = true
    package static let beforeKey = ControlKey("before", "the value of `before` in the previous answer")
    package static let manual = ControlManual(
        "trips list", "Lists the newest trips.", keys: [beforeKey], command: "",
        response: """
            `trips`: up to 50 trips in order of time, in the form of `trackerd trips --json`; `before`: if present, repeat the \
            request with it to list earlier trips
            """)

    /// The list ends before this row; nil for the newest trips.
    let before: Int64?

    package init?(_ reader: inout RequestReader) {
        before = reader.number(Self.beforeKey, 0...999_999_999_999_999).map { Int64($0) }
    }

    package func run(in session: any Session) throws(ControlError) -> ControlTrips? {
        try session.withHistory { history in
            let (trips, before) = try history.newestTrips(before: before)
            return ControlTrips(trips, before: before)
        }
    }
}

/// The answer to `trips list`, and what `trackerd trips --json` prints.
package struct ControlTrips: Codable, Sendable, Hashable {
    package let trips: [TripAnswer]
    /// The next request continues before this row; nil if there are no earlier trips.
    package let before: Int64?

    package init(_ trips: [RecordedTrip], before: Int64? = nil) {
        self.trips = trips.map(TripAnswer.init)
        self.before = before
    }
}

package struct TrackRequest: ControlRequest {
    package static let isReading = true
    package static let fromKey = ControlKey("from", "the beginning of the period, such as 2026-01-31T13:05:00Z")
    package static let toKey = ControlKey("to", "the end of the period")
    package static let afterKey = ControlKey("after", "the value of `after` in the previous answer")
    package static let untilKey = ControlKey(
        "until", "the number of the last record to return; with `after`, several requests can load a period in parts")
    package static let mostKey = ControlKey(
        "most", "how many plain locations you need, from 100 to 100000 (by default 10000)")
    package static let manual = ControlManual(
        "track", "Returns the recorded track and the events of a period.",
        keys: [fromKey, toKey, afterKey, untilKey, mostKey], command: "",
        response: """
            `points`: up to 300 records; `stride`: see below; `after`: if present, repeat the request with it; `last`: \
            the highest number in the period, only with `after`; `receiver`: when it was switched on and off during trips, only \
            in the first answer; `top_speed_mps`: the highest speed of the trips that have ended, only in the first answer
            """)

    let from: Timestamp
    let to: Timestamp
    /// The answer begins after this record; nil for the first answer.
    let after: Int64?
    /// The last record of the answers; nil for the whole period.
    let until: Int64?
    let most: Int

    package init?(_ reader: inout RequestReader) {
        let from = reader.necessaryMoment(Self.fromKey)
        let to = reader.necessaryMoment(Self.toKey)
        after = reader.number(Self.afterKey, 0...999_999_999_999_999).map { Int64($0) }
        until = reader.number(Self.untilKey, 0...999_999_999_999_999).map { Int64($0) }
        most = reader.number(Self.mostKey, 100...100_000).map { Int($0) } ?? 10_000
        guard let from, let to else { return nil }
        if from >= to { reader.note("`from` must be before `to`.") }
        (self.from, self.to) = (from, to)
    }

    package func run(in session: any Session) throws(ControlError) -> ControlTrack? {
        try session.withHistory { history in
            let page = try history.track(in: from...to, after: after, until: until, most: most)
            let changes = after == nil ? try history.receiverChanges(in: from...to) : []
            let top = after == nil ? try history.topSpeed(in: from...to) : nil
            return ControlTrack(
                points: page.records.map(ControlTrack.Point.init), stride: page.stride, after: page.after,
                last: page.after == nil ? nil : page.last,
                receiver: after == nil ? changes.map(ControlTrack.Change.init) : nil,
                top_speed_mps: top.map { $0.value.rounded(decimals: 2) })
        }
    }
}

package struct ControlTrack: Codable, Sendable, Hashable {
    package struct Point: Codable, Sendable, Hashable {
        package let sequence: Int64
        package let time: String
        package let kind: String
        /// The event of the kind, such as `departed`; nil for kinds without events.
        package let event: String?
        package let moving: Bool
        package let lat: Double?
        package let lon: Double?
        package let accuracy_m: Double?
        package let speed_mps: Double?
        package let trip: Int?
        /// A few words about the record; nil for a plain location.
        package let text: String?
    }

    package struct Change: Codable, Sendable, Hashable {
        package let time: String
        package let on: Bool

        fileprivate init(_ change: (time: Timestamp, isOn: Bool)) {
            (time, on) = (change.time.description, change.isOn)
        }
    }

    /// The points in the order of writing.
    package let points: [Point]
    /// The answers contain only every `stride`-th plain location.
    package let stride: Int
    /// The next request continues after this record; nil in the last answer.
    package let after: Int64?
    /// The highest number in the period; nil in the last answer.
    package let last: Int64?
    /// When the receiver was switched on and off, from the last change before the period; only in the first answer.
    package let receiver: [Change]?
    /// The highest speed of the ended trips that overlap the period; only in the first answer.
    package let top_speed_mps: Double?
}

extension ControlTrack.Point {
    fileprivate init(_ stored: StoredRecord) {
        let record = stored.record
        let place = record.position.map(Status.Location.init)
        self.init(
            sequence: stored.sequence, time: record.time.description, kind: record.kind.rawValue,
            event: record.event, moving: record.isMoving, lat: place?.lat, lon: place?.lon,
            accuracy_m: place?.accuracy_m, speed_mps: place?.speed_mps, trip: record.trip,
            text: record.kind == .location ? nil : WhyReport.describe(record))
    }
}

package struct WhyRequest: ControlRequest {
    package static let isReading = true
    package static let timeKey = ControlKey("time", "the time, such as 2026-01-31T13:05:00Z")
    package static let spanKey = ControlKey(
        "span_s", "the number of seconds to show on each side of the time, from 1 to 3600 (by default 300)")
    package static let manual = ControlManual(
        "why", "Returns the decisions around a time, and the evidence for each decision.", keys: [timeKey, spanKey],
        command: "",
        response: """
            `known`: the period for which the database has data; `state` and `since`: the state at the beginning of the span; \
            `events`: the decisions, the rejected fixes and the records
            """)

    let time: Timestamp
    let span: Duration

    package init?(_ reader: inout RequestReader) {
        let time = reader.necessaryMoment(Self.timeKey)
        span = .seconds(reader.number(Self.spanKey, 1...3600) ?? 300)
        guard let time else { return nil }
        self.time = time
    }

    package func run(in session: any Session) throws(ControlError) -> ControlWhy? {
        try session.withHistory { history in
            let found = try history.briefExcerpt(of: time - span...time + span)
            return ControlWhy(WhyReport(moment: time, reach: span, history: found) { _ in .zero })
        }
    }
}

package struct ControlWhy: Codable, Sendable, Hashable {
    package struct Period: Codable, Sendable, Hashable {
        package let from: String
        package let to: String
    }

    package struct Event: Codable, Sendable, Hashable {
        package let time: String
        package let time_trusted: Bool
        package let subject: String
        package let text: String
        /// When the last location of a series was recorded; nil for a single event.
        package let until: String?
        package let sequence: Int64?
    }

    private static let mostEvents = 1000

    /// The period for which the database has data; nil if it has none.
    package let known: Period?
    /// The vehicle's state at the beginning of the span.
    package let state: String?
    package let since: String?
    package let events: [Event]

    init(_ report: WhyReport) {
        let history = report.history
        known = history.known.map { Period(from: $0.lowerBound.description, to: $0.upperBound.description) }
        state = history.initialState.map { $0.isMoving ? "moving" : "stationary" }
        since = history.initialState?.since.description
        events = report.events.prefix(Self.mostEvents).map { event in
            Event(
                time: event.time.description, time_trusted: event.isTrusted, subject: event.subject,
                text: event.text.printable(), until: event.until?.description, sequence: event.sequence)
        }
    }
}
