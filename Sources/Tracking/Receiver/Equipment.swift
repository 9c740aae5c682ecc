import Quantities
import TrackingOptions

/// The parts that both the parked and the moving state use.
struct Equipment: Sendable {
    var receiver: ReceiverManager
    var logbook: Logbook
    /// The watched borders; the receiver must be on again before the vehicle can cross one.
    var borders: WatchedBorders?

    /// Switches the receiver; a request for a location may keep it on.
    mutating func want(receiver isOn: Bool, in turn: inout Turn) {
        receiver.want(isOn, by: .tracking, logbook, in: &turn)
    }

    mutating func note(provider state: ProviderChange.State, in turn: inout Turn) {
        receiver.note(state, logbook, in: &turn)
    }

    /// Shortens `rest` so that there is a fix before the vehicle can cross a border; nil if one is so close that the
    /// receiver must stay on. In a mode that records no region events, borders do not shorten `rest`.
    func boundedByRegions(
        _ rest: Duration, after fix: AcceptedFix, timeToFix: Duration?, _ options: TrackingOptions
    ) -> Duration? {
        guard let borders, options.monitoring.recordsRegions else { return rest }
        let search = DutyCycle.search(timeToFix)
        guard let arrival = borders.timeToReach(after: fix, within: rest + search) else { return rest }
        let bounded = min(rest, arrival - search)
        return DutyCycle.isWorthwhile(bounded, search: search) ? bounded : nil
    }
}

/// Decides whether the time until a rule can request the next fix is long enough for a rest.
struct DutyCycle: Sendable, Hashable {
    /// If records are closer together than this, the receiver does not rest; docs/configuration.md states this limit.
    static let shortest = Duration.seconds(120)
    /// The least ratio of rest to search, because a search costs as much power as tracking.
    private static let worthwhile = 3.0
    /// Before the first measurement, the time of a warm start in the open counts.
    private static let usualTimeToFix = Duration.seconds(35)

    /// The next fix is due after `span`, a part of the whole `interval`. Nil if the receiver must stay on.
    static func rest(before span: Duration, of interval: Duration, timeToFix: Duration?) -> Duration? {
        let search = search(timeToFix)
        let rest = span - search
        return interval >= shortest && isWorthwhile(rest, search: search) ? rest : nil
    }

    static func search(_ timeToFix: Duration?) -> Duration { timeToFix ?? usualTimeToFix }

    static func isWorthwhile(_ rest: Duration, search: Duration) -> Bool { rest >= search * worthwhile }
}
