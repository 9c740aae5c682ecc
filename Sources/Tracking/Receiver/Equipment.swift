import Quantities
import TrackingOptions

/// What both states of the vehicle use.
struct Equipment: Sendable {
    var receiver: ReceiverManager
    var logbook: Logbook
    /// The receiver must be on again before the vehicle can cross one.
    var borders = WatchedBorders()

    /// A request for a location may keep it on.
    mutating func want(receiver isOn: Bool, in turn: inout Turn) {
        receiver.want(isOn, by: .tracking, logbook, in: &turn)
    }

    mutating func note(provider state: ProviderChange.State, in turn: inout Turn) {
        receiver.note(state, logbook, in: &turn)
    }

    func record(_ content: Record.Content, in turn: inout Turn) {
        logbook.record(content, in: &turn)
    }
}

extension Equipment {
    /// Shortens `rest` so that there is a fix before the vehicle can cross a border; nil if one is so close that the
    /// receiver must stay on. In a mode that records no region events, borders do not shorten `rest`.
    func boundedByRegions(
        _ rest: Duration, after fix: AcceptedFix, timeToFix: Duration?, _ options: TrackingOptions
    ) -> Duration? {
        guard options.monitoring.recordsRegions else { return rest }
        let search = DutyCycle.search(timeToFix)
        guard let arrival = borders.timeToReach(after: fix, within: rest + search) else { return rest }
        let bounded = min(rest, arrival - search)
        return DutyCycle.isWorthwhile(bounded, search: search) ? bounded : nil
    }
}
