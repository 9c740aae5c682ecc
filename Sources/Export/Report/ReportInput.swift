package import Calendar
package import Quantities
package import Tracking

package enum ReportSubject: Sendable, Hashable {
    case day(CivilDate)
    case month(year: Int, month: Int)
    /// A trip, by its number.
    case trip(Int)
}

/// The facts about a report that do not come from records.
package struct ReportInput: Sendable {
    package struct Trip: Sendable, Hashable {
        package var number: Int
        /// The name that the owner gave the trip, or the ID that the request for the trip contained.
        package var name: String?
        package var began: Timestamp
        /// When the trip ended; nil if its end is not recorded.
        package var ended: Timestamp?
        /// Whether the trip is under way: its end is not recorded, and the newest record belongs to it.
        package var isUnderWay = false
        /// The distance of the trip; for a trip without a recorded end, the distance so far.
        package var distance: Metres?
        /// The figures that trackerd recorded at the end of the trip.
        package var summary: TripSummary?
        /// The region or the place where the trip began.
        package var from: String?
        /// The region or the place where the trip ended.
        package var to: String?
        /// The driver, the vehicle, the tag and the metadata, and the ID of a trip that also has a name.
        package var labels: [String] = []

        /// Why the trip has no end.
        var openEnd: String { isUnderWay ? "under way" : "not recorded" }

        package init(number: Int, began: Timestamp) {
            self.number = number
            self.began = began
        }
    }

    /// A row of the decision log that the report uses.
    package enum Note: Sendable, Hashable {
        /// The program switched the receiver on or off.
        case receiver(isOn: Bool)
        /// The program refused `count` fixes for this reason.
        case refused(String, count: Int)
    }

    /// What the report is about.
    package var subject: ReportSubject
    package var device: String
    package var version: String
    package var span: ClosedRange<Timestamp>
    /// The part of the span for which the database has data.
    package var recorded: ClosedRange<Timestamp>
    package var zone: TimeZoneRules
    package var made: Timestamp
    /// The trips, in their order.
    package var trips: [Trip] = []
    /// The rows of the decision log that the report uses, in order of time.
    package var notes: [(time: Timestamp, note: Note)] = []
    /// The time from which the decision log is complete; nil if none of its rows was removed.
    package var notesSince: Timestamp?
    /// Whether the receiver was on at the beginning; nil if unknown.
    package var wasReceiverOn: Bool?
    /// The names of the upload targets that the report shows.
    package var targets: [String] = []

    /// Makes the facts of a report without trips and notes.
    package init(
        _ subject: ReportSubject, device: String, version: String, span: ClosedRange<Timestamp>,
        recorded: ClosedRange<Timestamp>, zone: TimeZoneRules, made: Timestamp
    ) {
        (self.subject, self.device, self.version, self.span) = (subject, device, version, span)
        (self.recorded, self.zone, self.made) = (recorded, zone, made)
    }

    /// The span of the drawings over time; if less than a quarter of `span` has data, the drawings show only the part
    /// with data.
    var shown: ClosedRange<Timestamp> {
        let (part, whole) = (recorded.upperBound - recorded.lowerBound, span.upperBound - span.lowerBound)
        return part > .zero && part < whole / 4 ? recorded : span
    }
}

/// The state of the upload of a record to a target.
package enum UploadState: Int, Sendable, Hashable, Comparable, CaseIterable {
    /// The target has received the record.
    case delivered
    /// No target may receive the record.
    case withheld
    /// The target has not received the record.
    case waiting
    /// trackerd has set the record aside for the target, usually because the target refused the record.
    case setAside

    /// Whether `left` is the better state.
    package static func < (left: UploadState, right: UploadState) -> Bool { left.rawValue < right.rawValue }
}
