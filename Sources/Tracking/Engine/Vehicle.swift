import TrackingOptions
import Quantities

/// The state of the vehicle, parked or moving, with the data of that state.
enum Vehicle: Sendable {
    case parked(Boxed<ParkedState>)
    case moving(Boxed<MovingState>)

    var isMoving: Bool { if case .moving = self { true } else { false } }

    /// When the vehicle began to move, or when this run of the program continued the trip of an earlier run.
    ///
    /// The value is nil while the vehicle is parked. For a trip of an earlier run it is also nil until tracking begins.
    var movingSince: Instant? { if case .moving(let state) = self { state.value.since } else { nil } }

    /// Returns since when the vehicle may have been driven; `motionBegan` is nil if no motion was felt.
    func mayDrive(since motionBegan: Instant?, _ turn: Turn) -> Instant {
        switch self {
        case .parked(let state): state.value.mayDrive(since: motionBegan, turn)
        case .moving(let state): state.value.since ?? turn.now
        }
    }

    /// Handles one event; returns the resulting change of state, if any.
    ///
    /// The function moves the associated value out and back, because the value then changes in place and is not copied.
    mutating func handle(_ event: VehicleEvent, _ equipment: inout Equipment, in turn: inout Turn) -> StateChange? {
        switch consume self {
        case .parked(var state):
            let transition = state.value.handle(event, &equipment, in: &turn)
            self = .parked(state)
            return transition
        case .moving(var state):
            let transition = state.value.handle(event, &equipment, in: &turn)
            self = .moving(state)
            return transition
        }
    }

    /// Applies changed options without a change of state: restarts rules and timers, and records points that the accuracy gate
    /// held back.
    mutating func optionsChanged(from old: TrackingOptions, _ equipment: inout Equipment, in turn: inout Turn) {
        switch consume self {
        case .parked(var state):
            state.value.optionsChanged(from: old, &equipment, in: &turn)
            self = .parked(state)
        case .moving(var state):
            state.value.optionsChanged(&equipment, in: &turn)
            self = .moving(state)
        }
    }
}
