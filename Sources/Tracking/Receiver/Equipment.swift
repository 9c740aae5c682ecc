import Quantities
import TrackingOptions

/// The parts that both states of the vehicle use: the receiver and the logbook.
struct Equipment: Sendable {
    var receiver: ReceiverManager
    var logbook: Logbook
    /// The borders of the watched regions; the receiver must be on again before the vehicle can cross such a border.
    var borders = WatchedBorders()

    /// Switches the receiver on or off for tracking; a request for a location may keep it on.
    mutating func want(receiver isOn: Bool, in turn: inout Turn) {
        receiver.want(isOn, by: .tracking, logbook, in: &turn)
    }

    /// Records the state of the receiver if it has changed.
    mutating func note(provider state: ProviderChange.State, in turn: inout Turn) {
        receiver.note(state, logbook, in: &turn)
    }

    /// Records an event at the present time and position of the vehicle.
    func record(_ content: Record.Content, in turn: inout Turn) {
        logbook.record(content, in: &turn)
    }
}

extension Equipment {
    /// Returns how long the receiver may be off: at most `rest`, and short enough to have a fix before the vehicle can cross a
    /// border.
    ///
    /// Returns nil if the vehicle is so close to a border that the receiver must stay on. In a mode that records no region
    /// events, borders do not shorten `rest`.
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
