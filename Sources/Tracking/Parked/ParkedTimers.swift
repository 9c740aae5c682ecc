import Quantities
import TrackingOptions

/// The regular timers of a parked vehicle; the state arms each timer again when that timer expires.
extension EffectBuffer {
    /// Arms the timer of the next record of a parked vehicle, if the options request such records.
    mutating func armUpdate(_ context: Context) {
        let interval = context.options.desiredStoppedUpdateInterval
        if interval > .zero { arm(.update, at: context.now + interval) }
    }

    /// Arms the timer of the next ping, if the options request pings.
    mutating func armHeartbeat(_ context: Context) {
        let interval = context.options.heartbeatInterval
        if interval > .zero { arm(.heartbeat, at: context.now + interval) }
    }
}
