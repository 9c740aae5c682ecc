package import Calendar
package import Quantities
package import Tracking

package enum ReportSubject: Sendable, Hashable {
    case day(CivilDate)
    case month(year: Int, month: Int)
    case trip(Int)
}

/// What the report needs besides the records.
package struct ReportInput: Sendable {
    package struct Trip: Sendable, Hashable {
        package var number: Int
        /// The name that the owner gave, or the ID in `trip start`.
        package var name: String?
        package var began: Timestamp
        package var ended: Timestamp?
        /// True if the end of the trip is not recorded, and the newest record belongs to it.
        package var isUnderWay = false
        /// Of a trip under way, the distance so far; nil if the end of an earlier trip is not recorded.
        package var distance: Metres?
        package var summary: TripSummary?
        package var from: String?
        package var to: String?
        /// Driver, vehicle, tag and metadata, and the ID of a trip that also has a name.
        package var labels: [String] = []

        var openEnd: String { isUnderWay ? "under way" : "not recorded" }

        package init(number: Int, began: Timestamp) {
            self.number = number
            self.began = began
        }
    }

    package enum Note: Sendable, Hashable {
        case receiver(isOn: Bool)
        case refused(String, count: Int)
    }

    package var subject: ReportSubject
    package var device: String
    package var version: String
    package var span: ClosedRange<Timestamp>
    package var recorded: ClosedRange<Timestamp>
    package var zone: TimeZoneRules
    package var made: Timestamp
    package var trips: [Trip] = []
    /// In order of time.
    package var notes: [(time: Timestamp, note: Note)] = []
    /// The time from which the log is complete; nil if none of its rows was removed.
    package var notesSince: Timestamp?
    package var wasReceiverOn: Bool?
    package var targets: [String] = []

    package init(
        _ subject: ReportSubject, device: String, version: String, span: ClosedRange<Timestamp>,
        recorded: ClosedRange<Timestamp>, zone: TimeZoneRules, made: Timestamp
    ) {
        (self.subject, self.device, self.version, self.span) = (subject, device, version, span)
        (self.recorded, self.zone, self.made) = (recorded, zone, made)
    }

    /// The span that the drawings show: only the part with data, if that is less than a quarter of `span`.
    var shown: ClosedRange<Timestamp> {
        let (part, whole) = (recorded.upperBound - recorded.lowerBound, span.upperBound - span.lowerBound)
        return part > .zero && part < whole / 4 ? recorded : span
    }
}

package enum UploadState: Int, Sendable, Hashable, Comparable, CaseIterable {
    case delivered
    case withheld
    case waiting
    case setAside

    package static func < (left: UploadState, right: UploadState) -> Bool { left.rawValue < right.rawValue }
}
