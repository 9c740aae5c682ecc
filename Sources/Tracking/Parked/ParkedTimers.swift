import Quantities
import TrackingOptions

/// The regular timers of a parked vehicle; each is armed anew when it fires.
extension EffectBuffer {
    /// Arms the timer of the next record of a parked vehicle, if the options request any.
    mutating func armUpdate(_ context: Context) {
        let interval = context.options.desiredStoppedUpdateInterval
        if interval > .zero { arm(.update, at: context.now + interval) }
    }

    /// Arms the timer of the next ping, if the options request any.
    mutating func armHeartbeat(_ context: Context) {
        let interval = context.options.heartbeatInterval
        if interval > .zero { arm(.heartbeat, at: context.now + interval) }
    }
}
