import Quantities
import TrackingOptions

/// In OwnTracks' mode `significant`, servers receive a position that nobody has requested at most once in
/// `fastestMovingUpdateInterval` (300 s in the profile). The others stay on the disk.
struct SignificantLimit: Sendable, Hashable {
    /// A record may be up to an hour older than `last`; if it is older still, the clock was wrong, and the record is sent.
    private static let longestDelay = Duration.seconds(-3600)

    /// The time of the last record with an unrequested position that servers receive.
    private(set) var last: Timestamp?

    init(restoring last: Timestamp?) { self.last = last }

    mutating func correct(by span: Duration) { last = last.map { $0 + span } }

    mutating func withhold(_ record: Record, _ options: TrackingOptions) -> Record {
        guard record.mode == .significant, record.isWithheld != true, Self.isUnasked(record) else { return record }
        let interval = options.fastestMovingUpdateInterval
        guard interval > .zero else { return record }
        guard let since = last.map({ record.time - $0 }), (Self.longestDelay..<interval).contains(since) else {
            last = record.time
            return record
        }
        var withheld = record
        withheld.isWithheld = true
        return withheld
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
