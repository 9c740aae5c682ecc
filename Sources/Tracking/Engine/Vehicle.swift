import TrackingOptions
import Quantities

enum Vehicle: Sendable {
    case parked(Boxed<ParkedState>)
    case moving(Boxed<MovingState>)

    init(_ options: TrackingOptions, _ logbook: Logbook, isMoving: Bool) {
        guard isMoving else {
            self = .parked(Boxed(ParkedState(options, at: .boot)))
            return
        }
        let isCold = logbook.lastFix == nil
        self = .moving(Boxed(MovingState(options, continuing: InterruptedTrip(logbook), isCold: isCold)))
    }

    var isMoving: Bool { if case .moving = self { true } else { false } }

    /// When this run began or continued the trip; nil while parked, and before tracking begins.
    var movingSince: Instant? { if case .moving(let state) = self { state.value.since } else { nil } }

    var isStartConfirmed: Bool? { if case .moving(let state) = self { state.value.isStartConfirmed } else { nil } }

    var isStanding: Bool { if case .moving(let state) = self { state.value.isStanding } else { false } }

    var isAtRest: Bool { if case .moving(let state) = self { state.value.isAtRest } else { false } }

    func arrival(because reason: String, _ turn: Turn) -> Arrival? {
        if case .moving(let state) = self { state.value.arrival(because: reason, turn) } else { nil }
    }

    private func mayDrive(since motionBegan: Instant?, _ turn: Turn) -> Instant {
        switch self {
        case .parked(let state): state.value.mayDrive(since: motionBegan, turn)
        case .moving(let state): state.value.since ?? turn.now
        }
    }

    mutating func handle(_ event: VehicleEvent, _ equipment: inout Equipment, in turn: inout Turn) -> StateChange? {
        switch self {
        case .parked(var state):
            self = .parked(.vacant)
            defer { self = .parked(state) }
            return state.value.handle(event, &equipment, in: &turn)
        case .moving(var state):
            self = .moving(.vacant)
            defer { self = .moving(state) }
            return state.value.handle(event, &equipment, in: &turn)
        }
    }

    /// Restarts rules and timers; on a trip, also records the last fix.
    mutating func optionsChanged(from old: TrackingOptions, _ equipment: inout Equipment, in turn: inout Turn) {
        turn.effects.cancel(.check, .update, .heartbeat, .stillness, .silence, .acquire, .fixTimeout)
        switch self {
        case .parked(var state):
            state.value.optionsChanged(from: old, &equipment, in: &turn)
            self = .parked(state)
        case .moving(var state):
            state.value.optionsChanged(&equipment, in: &turn)
            self = .moving(state)
        }
    }

    func departed(_ departure: Departure, _ logbook: Logbook, _ turn: Turn) -> MovingState {
        let left = mayDrive(since: departure.began, turn)
        return MovingState(departure, from: logbook.parked, left: left, isCold: logbook.lastFix == nil, turn)
    }

    /// Records the parked place, so that the track has no gap, and then searches for a fix.
    mutating func depart(
        _ moving: MovingState, because reason: String, _ entry: Logbook.DepartureEntry, _ equipment: inout Equipment,
        in turn: inout Turn
    ) {
        turn.effects.cancel(.check, .update, .heartbeat, .fixTimeout, .tripGap)
        equipment.logbook.write(entry, in: &turn)
        turn.effects.append(.state(isMoving: true))
        turn.effects.decide(.start, reason)
        var state = Boxed(moving)
        state.value.enter(&equipment, in: &turn)
        self = .moving(state)
    }

    /// The receiver goes off, unless the fix that showed the arrival must still be judged.
    mutating func arrive(_ arrival: Arrival, _ equipment: inout Equipment, in turn: inout Turn) {
        let isPlaceSeen = equipment.logbook.parked != nil
        let state = ParkedState(after: arrival, isPlaceSeen: isPlaceSeen, turn.options, at: turn.now)
        turn.effects.append(.state(isMoving: false))
        turn.effects.decide(.stop, arrival.reason)
        equipment.logbook.waitForGap(in: &turn)
        if arrival.foundBy == nil { equipment.want(receiver: false, in: &turn) }
        state.enter(equipment.logbook, in: &turn)
        self = .parked(Boxed(state))
    }
}
