import Motion
import Quantities
import Testing
import TrackingOptions

@testable import Tracking

/// The guarantees of the specification for every sequence of events.
///
/// The checks use only events, effects and states, not the rules.
struct LifeContract {
    /// The options in force; a switch of the mode changes some of them.
    var options: TrackingOptions
    private let seed: UInt64
    /// The mode before the event, and the mode after it.
    var modes: [MonitoringMode]
    private var isMoving = false
    private var isReceiverOn = false
    private var hasMotionSensor = false
    private var hasStarted = false
    private var hasFirstPlace = false

    /// The state that a `motionchange` record has announced, until the engine changes to it; otherwise nil.
    private var announced: Bool?
    /// The time until which the receiver may be on, although the vehicle is parked.
    private var reasonUntil = Instant.boot
    /// The latest time of a recorded point or change of state.
    private var newest: Timestamp?
    /// The time that the clock showed at the departure.
    private var departed: Timestamp?
    private var lastAccepted: AcceptedFix?
    private var lastTime: Timestamp?
    private var seen: Set<Timestamp> = []
    private var hasEnded: [Int: Bool] = [:]
    private var standing = Standing()

    /// The place of a standing vehicle, and the number of consecutive fixes near that place.
    private struct Standing {
        var place: Coordinate?
        var count = 0
    }

    init(_ options: TrackingOptions, seed: UInt64) {
        self.options = options
        self.seed = seed
        modes = [options.monitoring]
    }

    mutating func restart(with state: EngineState) {
        fail(unless: state.isMoving == isMoving, "a restart changed the state")
        isReceiverOn = false
        hasMotionSensor = false
        hasStarted = false
        lastAccepted = nil
        standing = Standing()
    }

    mutating func observe(
        _ event: Event, _ effects: [Effect], from before: EngineState, to after: EngineState, at now: Instant
    ) {
        if case .motionSensor(let isThere) = event { hasMotionSensor = isThere }
        if case .started = event { hasStarted = true }
        let showsStop = effects.contains { effect in
            if case .decided(let decision) = effect { Self.isFoundLater(decision) } else { false }
        }
        // Two searches, because a check goes on once if a fix waits for the one that confirms it; and five seconds, for which
        // motion counts after its last verdict.
        if event.mayWakeReceiver || showsStop {
            reasonUntil = max(reasonUntil, now + patience(before) * 2 + .seconds(5))
        }
        let accepted = effects.contains(where: \.isRefusal) ? nil : event.fix.flatMap { AcceptedFix($0) }
        // A mode that records nothing unasked need not record the last fix.
        if !modes.allSatisfy(\.recordsUnasked) { lastAccepted = nil }
        accept(accepted)
        for (index, effect) in effects.enumerated() {
            switch effect {
            case .record(let record): check(record)
            case .receiver(let isOn): switched(isOn, among: effects)
            case .state(let isMoving):
                changed(isMoving, because: effects.dropFirst(index + 1).first, accepted: accepted)
            case .motionSensor, .scan, .arm, .cancel, .correctTimestamps, .refused, .decided, .uploads, .deliver,
                .queueRules, .fetchRegions,
                .light,
                .halt, .recover:
                break
            }
        }
        fail(unless: announced == nil, "a motionchange was recorded without a change of state")
        fail(unless: isMoving == after.isMoving, "the state and the effects differ")
        checkTrips(from: before, to: after, effects: effects)
        if !before.isMoving, after.isMoving { standing = Standing() }
        checkOdometer(event, accepted, from: before, to: after)
    }

    /// Returns the longest search time.
    ///
    /// While the vehicle's place is unknown, the receiver may need a quarter of an hour for an almanac.
    func patience(_ state: EngineState) -> Duration {
        let isUnknown = state.logbook.parked.map(\.isVague) ?? true
        return isUnknown ? max(options.fixTimeout, .seconds(900)) : options.fixTimeout
    }

    // MARK: Fixes and records

    private mutating func accept(_ fix: AcceptedFix?) {
        guard let fix else { return }
        // If the receiver's time went back and the engine has accepted the earlier time, the order of times starts again.
        if let lastTime, fix.time <= lastTime { newest = nil }
        lastTime = fix.time
        lastAccepted = fix
        seen.insert(fix.time)
    }

    private mutating func check(_ record: Record) {
        switch record.content {
        case .location:
            fail(unless: modes.contains { $0.recordsUnasked }, "a point was recorded without a request")
            fail(unless: seen.contains(record.time), "a point is not a fix of this trip")
            fail(unless: newest.map { record.time > $0 } ?? true, "points are out of order at \(record.time)")
            newest = record.time
        case .motionchange where !record.isMoving && !isMoving && record.trip == nil && !hasFirstPlace:
            // The first good fix of a new installation.
            hasFirstPlace = true
        case .motionchange where record.isMoving && isMoving && record.trigger == .movedUnseen:
            // The first fix of a trip showed that the vehicle was moved before.
            departed = record.time
        case .motionchange:
            fail(unless: announced == nil, "two motionchanges were recorded at once")
            // A parked vehicle that is found elsewhere remains parked.
            guard isMoving || record.isMoving else { return }
            announced = record.isMoving
            if record.isMoving { departed = record.time }
        case .trip(let report): check(report)
        case .visit, .transition, .waypoint, .request, .ping, .providerchange, .power, .health, .optionschange,
            .driving, .order:
            break
        }
    }

    private mutating func check(_ report: TripReport) {
        guard let number = report.number else { return fail(unless: false, "a trip has no number") }
        guard let summary = report.summary else {
            // If the user starts a trip, the trip in progress becomes the user's trip.
            fail(unless: hasEnded[number] != true, "trip \(number) begins after its end")
            fail(unless: report.externalID != nil || hasEnded[number] == nil, "trip \(number) begins twice")
            hasEnded[number] = false
            return
        }
        fail(unless: hasEnded[number] == false, "trip \(number) ends without a beginning, or twice")
        hasEnded[number] = true
        let parts = [summary.moving, summary.idle, summary.withoutFix]
        fail(
            unless: parts.allSatisfy { $0 >= .zero } && summary.distance >= .zero,
            "the trip has negative figures: \(summary)")
        let sum = parts.reduce(.zero, +)
        fail(unless: sum <= summary.ended - summary.started, "the times of the trip exceed its duration: \(summary)")
    }

    // MARK: State

    private mutating func switched(_ isOn: Bool, among effects: [Effect]) {
        fail(unless: isOn != isReceiverOn, "the receiver is switched to its present state")
        fail(unless: announced == nil, "the receiver is switched before the change of state is recorded")
        fail(unless: !isOn || options.desiredAccuracy != .none, "the receiver is powered with desiredAccuracy none")
        isReceiverOn = isOn
        let isOther = effects.contains { $0.isPowerCycle || $0.record?.kind == .request }
        let isRest = effects.contains(where: \.isNextSearch) && !effects.contains(where: \.isFailedSearch)
        if isMoving, !isOn, !isOther, !isRest { checkLastFix() }
    }

    private mutating func changed(_ isMoving: Bool, because next: Effect?, accepted: AcceptedFix?) {
        fail(unless: isMoving != self.isMoving, "the engine enters the state that it is in")
        fail(unless: announced == isMoving, "a change of state has no motionchange")
        announced = nil
        self.isMoving = isMoving
        guard case .decided(let decision)? = next, decision.subject == (isMoving ? .start : .stop) else {
            return fail(unless: false, "a change of state has no decision")
        }
        fail(unless: !decision.text.isEmpty, "a change of state has no reason")
        if isMoving {
            // The fix that showed the departure belongs to the new trip.
            lastAccepted = accepted
            seen = Set(accepted.map { [$0.time] } ?? [])
        } else if Self.isFoundLater(decision) {
            // The fix that showed this stop came after it, and the receiver remains on.
            lastAccepted = nil
        } else if !decision.text.hasPrefix("a false start") {
            checkLastFix()
        }
    }

    /// Whether a later fix, which is not part of the trip, has shown the stop.
    private static func isFoundLater(_ decision: Decision) -> Bool {
        ["parked while the tracker was off", "stood without a fix"].contains(where: decision.text.hasPrefix)
    }

    private func checkLastFix() {
        guard modes.allSatisfy(\.recordsUnasked), options.recordsTrack, let lastAccepted else { return }
        let isKept = [newest, departed].contains { $0.map { $0 >= lastAccepted.time } ?? false }
        fail(unless: isKept, "the last fix before the receiver went off is lost")
    }

    // MARK: Counters

    private mutating func checkTrips(from before: EngineState, to after: EngineState, effects: [Effect]) {
        let begun = after.logbook.trips.count - before.logbook.trips.count
        fail(unless: (0...1).contains(begun), "\(begun) trips began at once")
        if let number = after.logbook.trips.number {
            fail(unless: number == after.logbook.trips.count, "a trip has an old number")
        }
        let departs = effects.contains(.state(isMoving: true))
        fail(unless: !departs || after.logbook.trips.number != nil, "a departure began no trip")
    }

    private mutating func checkOdometer(
        _ event: Event, _ fix: AcceptedFix?, from before: EngineState, to after: EngineState
    ) {
        let grown = after.logbook.odometer.distance - before.logbook.odometer.distance
        if case .command(.odometer(let distance)) = event {
            return fail(
                unless: after.logbook.odometer.distance == distance, "the odometer was set, and shows something else")
        }
        fail(unless: grown >= .zero, "the odometer decreases")
        fail(unless: before.isMoving || after.isMoving || grown == .zero, "the odometer of a parked vehicle grows")
        guard let fix else { return fail(unless: grown == .zero, "the odometer grows without a fix") }
        let stands = fix.position.speed == .zero
        let isNear = standing.place.map { $0.distance(to: fix.coordinate) < Metres(10) } ?? false
        standing.count = stands && isNear ? standing.count + 1 : 0
        if !isNear || !stands { standing.place = stands ? fix.coordinate : nil }
        fail(unless: standing.count < 5 || grown == .zero, "the odometer of a vehicle at rest grows by \(grown)")
    }

    // MARK: Timers

    /// Checks that each pending activity has an armed timer or an event that ends it.
    func check(armed: [TimerKind: Instant], state: EngineState, at now: Instant) {
        guard hasStarted else { return }
        fail(unless: !isReceiverOn || armed[.health] != nil, "the health check of the receiver has no timer")
        guard !state.gate.isSwitchedOff else { return }
        let mayPower = options.desiredAccuracy != .none && modes.last != .quiet
        if isMoving {
            let searches = armed[.fixTimeout] != nil || armed[.acquire] != nil
            fail(unless: searches || !mayPower, "moving, and no search for a fix is planned")
            fail(unless: hasMotionSensor || armed[.silence] != nil, "moving, and no timer can end the trip")
        } else {
            fail(unless: !isReceiverOn || now <= reasonUntil, "parked, and the receiver is on without a reason")
            let checksPosition = armed[.check] != nil || armed[.fixTimeout] != nil
            fail(unless: hasMotionSensor || checksPosition || !mayPower, "parked, and no timer can notice a start")
            let isUpdated = Self.updates(state) ?? (options.desiredStoppedUpdateInterval > .zero)
            fail(unless: !isUpdated || armed[.update] != nil, "parked, and no update is planned")
            fail(unless: options.heartbeatInterval == .zero || armed[.heartbeat] != nil, "no heartbeat is planned")
        }
        fail(unless: !state.logbook.trips.isPaused || armed[.tripGap] != nil, "a trip waits without a timer")
    }

    /// Returns whether the options set at run time request records of the parked vehicle; nil if they leave this open.
    private static func updates(_ state: EngineState) -> Bool? {
        let values = state.options.layers.layers.flatMap(\.assignments)
        return values.last { $0.key == "desiredStoppedUpdateInterval" }.map { !$0.value.isZero }
    }

    private func fail(unless isKept: Bool, _ text: String) {
        if !isKept { Issue.record("seed \(seed): \(text)") }
    }
}

extension Event {
    fileprivate var fix: Fix? {
        if case .fix(let fix) = self { fix } else { nil }
    }

    /// Whether the engine may power the receiver for this event although the vehicle is parked.
    fileprivate var mayWakeReceiver: Bool {
        switch self {
        case .started, .resumed, .timer(.check), .timer(.update), .command(.locate), .command(.tracking): true
        case .motion(let verdict): verdict.isMoving
        case .fix, .motionSensor, .ignition, .privateSwitch, .beacon, .options, .remoteOptions, .delivered, .order,
            .configuration,
            .serverRegions, .receiver, .receiverLines,
            .beaconScanner,
            .wallClock, .power, .supply, .transferErrors, .storage, .health, .haltRefused,
            .timer, .command:
            false
        }
    }
}

extension Effect {
    fileprivate var isNextSearch: Bool {
        if case .arm(.acquire, _) = self { true } else { false }
    }

    /// Whether the engine switches the receiver off because a search has failed, and not because no record is due.
    fileprivate var isFailedSearch: Bool {
        if case .decided(let decision) = self { decision.text.hasPrefix("off for ") } else { false }
    }

    fileprivate var isRefusal: Bool {
        if case .refused = self { true } else { false }
    }

    fileprivate var isPowerCycle: Bool {
        if case .decided(let decision) = self { decision.text.hasPrefix("power-cycled") } else { false }
    }
}
