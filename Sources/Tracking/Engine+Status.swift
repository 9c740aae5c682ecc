import Calendar
package import Quantities
package import TrackingOptions

/// What may be asked of the engine; asking changes nothing.
extension Engine {
    /// Why nothing is tracked.
    package enum Suspension: Sendable, Hashable {
        /// Somebody has switched it off.
        case switchedOff
        /// The schedule does not allow it now.
        case schedule
    }

    /// Why nothing is tracked at the moment; nothing when it is.
    package var suspension: Suspension? {
        guard isSuspended else { return nil }
        return state.isSwitchedOff ? .switchedOff : .schedule
    }

    /// Whether the schedule allows tracking; without a clock that is to be believed it does.
    package var isWithinSchedule: Bool { !isOffSchedule }

    /// When the schedule changes next; nothing when it does not, or when nobody knows what time it is.
    package func nextScheduleChange(at now: Instant) -> Timestamp? {
        let (time, isTrusted) = clock.time(at: now)
        let schedule = Schedule(options, zone: setup.zone)
        return isTrusted && !schedule.isUnrestricted ? schedule.nextChange(after: time)?.time : nil
    }

    /// What time it is in UTC, as far as that is known.
    package func time(at now: Instant) -> Timestamp { clock.time(at: now).time }

    /// Whether that is confirmed by a time server, or by fixes that have agreed for long.
    package var isTimeConfirmed: Bool { clock.isConfirmed }

    /// Since when the receiver has been on; nothing while it is off.
    package var receiverOnSince: Instant? { power.since }

    /// Where the vehicle is as far as that is known; nothing when nobody is to know.
    package var lastKnownLocation: Position? {
        options.trackLastKnownLocation ? whereabouts ?? state.lastFix?.position : nil
    }

    /// The options that hold, each with its origin.
    package var resolvedOptions: ResolvedOptions { layers.resolve(isOnTrip: state.trips.isOnTrip) }

    /// The options that were given with the order to track; nothing when there were none.
    package var customOptions: OptionLayer? { layers.layers.first { $0.origin == .custom } }

    /// The mode that holds.
    package var mode: MonitoringMode { options.monitoring }

    /// The regions that the vehicle is in, longest first.
    package var regionsInside: [Region] { regions.inside }

    /// The regions that are watched, in the order in which they were defined.
    package var watchedRegions: [Region] { regions.regions }
}
