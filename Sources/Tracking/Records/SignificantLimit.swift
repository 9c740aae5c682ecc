import Quantities
import TrackingOptions

/// In OwnTracks' mode `significant`, servers receive a position that nobody has requested at most once in
/// `fastestMovingUpdateInterval` (300 s in the profile). The others stay on the disk.
struct SignificantLimit: Sendable, Hashable {
    /// A record may be up to an hour older than `last`; if it is older still, the clock was wrong, and the record is sent.
    private static let longestDelay = Duration.seconds(-3600)

    /// The time of the last record with an unrequested position that servers receive.
    private(set) var last: Timestamp?

    /// True if a clock of this run that may be wrong has dated `last`.
    private var isEstimated = false

    init(restoring last: Timestamp?) { self.last = last }

    mutating func correct(by span: Duration) {
        if isEstimated { last = last.map { $0 + span } }
        isEstimated = false
    }

    mutating func withhold(_ record: Record, _ options: TrackingOptions) -> Record {
        guard record.mode == .significant, record.isWithheld != true, Self.isUnasked(record) else { return record }
        let interval = options.fastestMovingUpdateInterval
        guard interval > .zero else { return record }
        let isEstimated = !record.isTimeTrusted || record.isTimeCounted == true
        // The time of a clock that may be wrong cannot be compared with that of a right one.
        let since = record.isTimeTrusted || self.isEstimated ? last.map { record.time - $0 } : nil
        guard Self.isDeparture(record) || since.map((Self.longestDelay..<interval).contains) ?? false else {
            (last, self.isEstimated) = (record.time, isEstimated)
            return record
        }
        var withheld = record
        withheld.isWithheld = true
        return withheld
    }

    /// A departure shows the place of the last arrival again.
    private static func isDeparture(_ record: Record) -> Bool {
        record.kind == .motionchange && record.isMoving && record.trigger == nil
    }

    /// A track point with a trigger belongs to a region, so the limit does not apply to it.
    private static func isUnasked(_ record: Record) -> Bool {
        guard record.position != nil else { return false }
        return switch record.content {
        case .location: record.trigger == nil
        case .motionchange, .visit: true
        case .transition, .waypoint, .trip, .request, .ping, .providerchange, .power, .health, .optionschange, .driving,
            .order:
            false
        }
    }
}
