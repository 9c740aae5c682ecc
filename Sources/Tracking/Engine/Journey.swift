import Motion
import Quantities
import TrackingOptions

/// Vehicle, receiver and logbook, and the rules that judge how the vehicle is driven.
struct Journey: Sendable {
    private var equipment: Equipment
    private var vehicle: Vehicle
    private var safety: SafetyWatch
    private var noise: NoiseLearner
    private var requests: LocationRequests

    init(_ configuration: EngineConfiguration, _ options: TrackingOptions, restoring state: EngineState) {
        let logbook = Logbook(restoring: state.logbook)
        let filter = FixFilter(notBefore: configuration.notBefore, last: logbook.lastFix)
        equipment = Equipment(
            receiver: ReceiverManager(configuration.recoveries, filter, restoring: state.receiver), logbook: logbook)
        vehicle = Vehicle(options, logbook, isMoving: state.isMoving)
        safety = SafetyWatch(restoring: state.safety)
        noise = NoiseLearner(restoring: state.noise)
        requests = LocationRequests(options)
    }

    func save(in state: inout EngineState) {
        state.isMoving = vehicle.isMoving
        state.logbook = equipment.logbook.snapshot
        state.receiver = equipment.receiver.snapshot
        state.safety = safety.snapshot
        state.noise = noise.noise
    }

    mutating func resume(from earlier: Journey) { equipment.receiver.resume(from: earlier.equipment.receiver) }

    func updateFacts(of turn: inout Turn) {
        turn.isMoving = vehicle.isMoving
        noise.updateFacts(of: &turn)
    }

    var logbook: Logbook {
        _read { yield equipment.logbook }
        _modify { yield &equipment.logbook }
    }

    var receiver: ReceiverManager {
        _read { yield equipment.receiver }
        _modify { yield &equipment.receiver }
    }

    var isMoving: Bool { vehicle.isMoving }

    var movingSince: Instant? { vehicle.movingSince }

    /// True if the state is moving, but fixes or accelerometer show the vehicle at rest.
    var isStanding: Bool { vehicle.isStanding }

    /// True if the state is moving, but the fixes show the vehicle at rest.
    var isAtRest: Bool { vehicle.isAtRest }

    /// The position that a record would have now.
    var place: Position? { equipment.logbook.place(isMoving: vehicle.isMoving) }

    var hasRequests: Bool { requests.isWaiting }

    /// Nil if the fix is not credible. A position without a date (GGA sentences alone) gets that of a trusted clock.
    mutating func accept(_ report: Fix, in turn: inout Turn) -> AcceptedFix? {
        equipment.receiver.watch(report, equipment.logbook, in: &turn)
        guard let fix = equipment.receiver.judge(report, in: &turn) else { return nil }
        if equipment.receiver.hasJumped { equipment.logbook.noteJump(to: fix) }
        return fix
    }

    /// Also answers location requests, and begins a trip at the first fix after a private period if the vehicle moves.
    mutating func take(_ fix: AcceptedFix, isPublicAgain: Bool, in turn: inout Turn) {
        equipment.logbook.take(fix, isMoving: vehicle.isMoving)
        if isPublicAgain, let isConfirmed = vehicle.isStartConfirmed {
            equipment.logbook.beginTrip(at: fix, isConfirmed: isConfirmed, in: &turn)
        }
        equipment.receiver.noteFix(at: turn.now)
        requests.handle(fix, &equipment, in: &turn)
    }

    /// Also judges whether the vehicle is towed.
    mutating func judgeDriving(at fix: AcceptedFix, in turn: inout Turn) {
        safety.handle(fix, equipment.logbook, in: &turn)
    }

    /// Also learns the vibration.
    mutating func feel(_ verdict: MotionVerdict, in turn: inout Turn) {
        noise.learn(verdict, lastFix: equipment.logbook.lastFix, in: &turn)
        safety.handle(.motion(verdict), equipment.logbook, in: &turn)
    }

    mutating func ignitionChanged(isOn: Bool, in turn: inout Turn) {
        safety.watchTow(.ignition(isOn: isOn), equipment.logbook, in: &turn)
    }

    /// Nil unless this event has shown a tow.
    mutating func takeTow() -> DrivingEvent? { safety.takeTow() }

    /// Ends a declared trip. Returns whether the vehicle stands: one that only the command set to moving must then be parked.
    mutating func endTrip(in turn: inout Turn) -> Bool {
        let stands = isStanding && equipment.logbook.trips.log.isDeclared
        equipment.logbook.endTrip(isDriving: turn.isMoving && !stands, in: &turn)
        return stands
    }

    mutating func receiverTimer(in turn: inout Turn) { equipment.receiver.healthTimer(equipment.logbook, in: &turn) }

    mutating func receiverLines(canBeSet: Bool, in turn: inout Turn) {
        equipment.receiver.noteLines(canBeSet: canBeSet, equipment.logbook, in: &turn)
    }

    mutating func locate(_ request: LocationRequest, in turn: inout Turn) {
        requests.start(request, &equipment, in: &turn)
    }

    mutating func requestTimer(in turn: inout Turn) { requests.timer(&equipment, in: &turn) }

    mutating func handle(_ event: VehicleEvent, within borders: WatchedBorders?, in turn: inout Turn) -> StateChange? {
        equipment.borders = borders
        return vehicle.handle(event, &equipment, in: &turn)
    }

    mutating func optionsChanged(from former: TrackingOptions, within borders: WatchedBorders?, in turn: inout Turn) {
        equipment.borders = borders
        vehicle.optionsChanged(from: former, &equipment, in: &turn)
    }

    func arrival(because reason: String, _ turn: Turn) -> Arrival? { vehicle.arrival(because: reason, turn) }

    /// Switches the receiver off unless a location request needs it, and cancels the parked state's timers.
    mutating func end(in turn: inout Turn) {
        equipment.want(receiver: false, in: &turn)
        turn.effects.cancel(.check, .update, .heartbeat, .fixTimeout)
    }

    mutating func apply(
        _ change: StateChange, _ surroundings: inout Surroundings, in turn: inout Turn
    ) -> [VehicleEvent] {
        switch change {
        case .depart(let departure):
            depart(departure, &surroundings, in: &turn)
            return departure.fix.map { [.fix($0)] } ?? []
        case .arrive(let arrival):
            arrive(arrival, &surroundings, in: &turn)
            // The fix that revealed the stop may also show that the vehicle has driven off again.
            return arrival.foundBy.map { [.started, .fix($0)] } ?? []
        }
    }

    private mutating func depart(_ departure: Departure, _ surroundings: inout Surroundings, in turn: inout Turn) {
        let moving = vehicle.departed(departure, equipment.logbook, turn)
        let entry = equipment.logbook.depart(departure, turn)
        noise.depart()
        surroundings.tripBegan(in: &turn)
        turn.isMoving = true
        vehicle.depart(moving, because: departure.reason, entry, &equipment, in: &turn)
        surroundings.rescan(movingSince: vehicle.movingSince, in: &turn)
    }

    private mutating func arrive(_ arrival: Arrival, _ surroundings: inout Surroundings, in turn: inout Turn) {
        turn.effects.cancel(.stillness, .silence, .falseStart, .acquire, .fixTimeout)
        safety.endOverspeed(equipment.logbook, in: &turn)
        equipment.logbook.arrive(arrival, in: &turn)
        surroundings.tripEnded(in: &turn)
        noise.arrive(isFalseStart: arrival.isFalseStart, in: &turn)
        vehicle.arrive(arrival, &equipment, in: &turn)
        surroundings.rescan(movingSince: nil, in: &turn)
        // A false start confirms no stop: who has lifted the vehicle has not brought it away.
        guard !arrival.isFalseStart else { return }
        safety.watchTow(.parked(at: equipment.logbook.parked), equipment.logbook, in: &turn)
    }
}
