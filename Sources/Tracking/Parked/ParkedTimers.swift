import Quantities
import TrackingOptions

/// The regular timers of a parked vehicle; the state arms each timer again when that timer expires.
extension Turn {
    /// Arms the timer of the next record of a parked vehicle, if the options request such records.
    mutating func armUpdate() {
        let interval = options.desiredStoppedUpdateInterval
        if interval > .zero { effects.arm(.update, at: now + interval) }
    }

    /// Arms the timer of the next ping, if the options request pings.
    mutating func armHeartbeat() {
        let interval = options.heartbeatInterval
        if interval > .zero { effects.arm(.heartbeat, at: now + interval) }
    }
}
