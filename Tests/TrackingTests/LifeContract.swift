import Motion
import Quantities
import Testing
import TrackingOptions

@testable import Tracking

/// The specification's promises for any sequence of events; checked on events and effects alone, without the rules.
struct LifeContract {
    private let options: TrackingOptions
    private let seed: UInt64
    /// The mode before the event, and the one after it.
    var modes: [MonitoringMode]
    private var isMoving = false
    private var isReceiverOn = false
    private var hasMotionSensor = false
    private var hasStarted = false

    /// The `motionchange` record that waits for its change of state.
    private var announced: Bool?
    /// The receiver may be on until then, though the vehicle is parked.
    private var reasonUntil = Instant.boot
    /// The latest time of a recorded point or change of state.
    private var newest: Timestamp?
    /// When the vehicle departed, by the clock of that moment.
    private var departed: Timestamp?
    private var lastAccepted: AcceptedFix?
    private var lastTime: Timestamp?
    private var seen: Set<Timestamp> = []
    private var told: [Int: Bool] = [:]
    private var standing = Standing()

    /// The place and spread of accepted fixes while the vehicle stands.
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
        // Motion is taken to last for five seconds after it was felt.
        if event.mayWakeReceiver { reasonUntil = max(reasonUntil, now + patience(before) + .seconds(5)) }
        let accepted = effects.contains(where: \.isRefusal) ? nil : event.fix.flatMap { AcceptedFix($0) }
        // What comes in a mode that records nothing cannot be lost.
        if !modes.allSatisfy(\.recordsUnasked) { lastAccepted = nil }
        accept(accepted)
        for (index, effect) in effects.enumerated() {
            switch effect {
            case .record(let record): check(record)
            case .receiver(let isOn): switched(isOn, among: effects)
            case .state(let isMoving):
                changed(isMoving, because: effects.dropFirst(index + 1).first, accepted: accepted)
            case .motionSensor, .scan, .arm, .cancel, .correctTimestamps, .refused, .decided, .uploads, .light, .halt,
                .recover:
                break
            }
        }
        fail(unless: announced == nil, "a motionchange without a change")
        fail(unless: isMoving == after.isMoving, "state and effects differ")
        checkTrips(from: before, to: after, effects: effects)
        if !before.isMoving, after.isMoving { standing = Standing() }
        checkOdometer(event, accepted, from: before, to: after)
    }

    /// The longest search: a receiver that has never had a fix may need a quarter of an hour for its almanac.
    func patience(_ state: EngineState) -> Duration {
        state.logbook.parked == nil ? max(options.fixTimeout, .seconds(900)) : options.fixTimeout
    }

    // MARK: Fixes and records

    private mutating func accept(_ fix: AcceptedFix?) {
        guard let fix else { return }
        // A receiver whose time was set back, and that has been accepted at last, restarts its times.
        if let lastTime, fix.time <= lastTime { newest = nil }
        lastTime = fix.time
        lastAccepted = fix
        seen.insert(fix.time)
    }

    private mutating func check(_ record: Record) {
        switch record.content {
        case .location:
            fail(unless: modes.contains { $0.recordsUnasked }, "a point that nobody asked for")
            fail(unless: seen.contains(record.time), "a point that no fix of this trip has reported")
            fail(unless: newest.map { record.time > $0 } ?? true, "points out of order at \(record.time)")
            newest = record.time
        case .motionchange:
            fail(unless: announced == nil, "two motionchanges at once")
            announced = record.isMoving
            if record.isMoving { departed = record.time }
        case .trip(let report): check(report)
        case .visit, .transition, .waypoint, .request, .ping, .providerchange, .power, .optionschange, .driving: break
        }
    }

    private mutating func check(_ report: TripReport) {
        guard let number = report.number else { return fail(unless: false, "a trip without a number") }
        guard let summary = report.summary else {
            // A trip that is started by hand takes over the one that is under way.
            fail(unless: told[number] != true, "trip \(number) begins after its end")
            fail(unless: report.externalID != nil || told[number] == nil, "trip \(number) begins twice")
            told[number] = false
            return
        }
        fail(unless: told[number] == false, "trip \(number) ends without a beginning, or twice")
        told[number] = true
        let parts = [summary.moving, summary.idle, summary.withoutFix]
        fail(unless: parts.allSatisfy { $0 >= .zero } && summary.distance >= .zero, "negative figures: \(summary)")
        let sum = parts.reduce(.zero, +)
        fail(unless: sum <= summary.ended - summary.started, "more time than the trip had: \(summary)")
    }

    // MARK: State

    private mutating func switched(_ isOn: Bool, among effects: [Effect]) {
        fail(unless: isOn != isReceiverOn, "the receiver is switched to what it is")
        fail(unless: announced == nil, "the receiver is switched before the change of state is recorded")
        fail(unless: !isOn || options.desiredAccuracy != .none, "the receiver is powered with accuracy none")
        isReceiverOn = isOn
        let isOther = effects.contains { $0.isPowerCycle || $0.record?.kind == .request }
        if isMoving, !isOn, !isOther { checkLastFix() }
    }

    private mutating func changed(_ isMoving: Bool, because next: Effect?, accepted: AcceptedFix?) {
        fail(unless: isMoving != self.isMoving, "twice to the same state")
        fail(unless: announced == isMoving, "a change of state without its motionchange")
        announced = nil
        self.isMoving = isMoving
        guard case .decided(let decision)? = next, decision.subject == (isMoving ? .start : .stop) else {
            return fail(unless: false, "a change of state without its cause")
        }
        fail(unless: !decision.text.isEmpty, "a change of state without a word")
        if isMoving {
            // The fix that showed the departure belongs to the trip that it began.
            lastAccepted = accepted
            seen = Set(accepted.map { [$0.time] } ?? [])
        } else if !decision.text.hasPrefix("a false start") {
            checkLastFix()
        }
    }

    private func checkLastFix() {
        guard modes.allSatisfy(\.recordsUnasked), let lastAccepted else { return }
        let isKept = [newest, departed].contains { $0.map { $0 >= lastAccepted.time } ?? false }
        fail(unless: isKept, "the last fix before the receiver went off is lost")
    }

    // MARK: Counters

    private mutating func checkTrips(from before: EngineState, to after: EngineState, effects: [Effect]) {
        let begun = after.logbook.trips.count - before.logbook.trips.count
        fail(unless: (0...1).contains(begun), "\(begun) trips begun at once")
        if let number = after.logbook.trips.number {
            fail(unless: number == after.logbook.trips.count, "a trip with an old number")
        }
        let departs = effects.contains(.state(isMoving: true))
        fail(unless: !departs || after.logbook.trips.number != nil, "a departure without a trip")
    }

    private mutating func checkOdometer(
        _ event: Event, _ fix: AcceptedFix?, from before: EngineState, to after: EngineState
    ) {
        let grown = after.logbook.odometer.distance - before.logbook.odometer.distance
        if case .command(.odometer(let distance)) = event {
            return fail(
                unless: after.logbook.odometer.distance == distance, "the odometer was set, and shows something else")
        }
        fail(unless: grown >= .zero, "the odometer runs backwards")
        fail(unless: before.isMoving || after.isMoving || grown == .zero, "a parked vehicle gathers metres")
        guard let fix else { return fail(unless: grown == .zero, "metres without a fix") }
        let stands = fix.position.speed == .zero
        let isNear = standing.place.map { $0.distance(to: fix.coordinate) < Metres(10) } ?? false
        standing.count = stands && isNear ? standing.count + 1 : 0
        if !isNear || !stands { standing.place = stands ? fix.coordinate : nil }
        fail(unless: standing.count < 5 || grown == .zero, "a vehicle at rest gathers \(grown)")
    }

    // MARK: Timers

    /// Checks that each pending activity has an armed timer or an event that ends it.
    func check(armed: [TimerKind: Instant], state: EngineState, at now: Instant) {
        guard hasStarted else { return }
        fail(unless: !isReceiverOn || armed[.health] != nil, "nobody watches the receiver")
        guard !state.gate.isSwitchedOff else { return }
        let mayPower = options.desiredAccuracy != .none && modes.last != .quiet
        if isMoving {
            let searches = armed[.fixTimeout] != nil || armed[.acquire] != nil
            fail(unless: searches || !mayPower, "moving, and the receiver is forgotten")
            fail(unless: hasMotionSensor || armed[.silence] != nil, "moving, and nothing could end it")
        } else {
            fail(unless: !isReceiverOn || now <= reasonUntil, "the receiver stays on without a reason")
            let looks = armed[.check] != nil || armed[.fixTimeout] != nil
            fail(unless: hasMotionSensor || looks || !mayPower, "parked, and nothing could notice a start")
            let isUpdated = options.desiredStoppedUpdateInterval > .zero
            fail(unless: !isUpdated || armed[.update] != nil, "parked, and the updates have ended")
            fail(unless: options.heartbeatInterval == .zero || armed[.heartbeat] != nil, "the heart has stopped")
        }
        fail(unless: !state.logbook.trips.isPaused || armed[.tripGap] != nil, "a trip that waits for ever")
    }

    private func fail(unless isKept: Bool, _ text: String) {
        if !isKept { Issue.record("seed \(seed): \(text)") }
    }
}

extension Event {
    fileprivate var fix: Fix? {
        if case .fix(let fix) = self { fix } else { nil }
    }

    /// Whether the receiver may be powered for it though the vehicle is parked.
    fileprivate var mayWakeReceiver: Bool {
        switch self {
        case .started, .resumed, .timer(.check), .timer(.update), .command(.locate), .command(.tracking): true
        case .motion(let verdict): verdict.isMoving
        case .fix, .motionSensor, .ignition, .beacon, .options, .regions, .receiver, .receiverLines, .beaconScanner,
            .wallClock, .power, .supply, .timer, .command:
            false
        }
    }
}

extension Effect {
    fileprivate var isRefusal: Bool {
        if case .refused = self { true } else { false }
    }

    fileprivate var isPowerCycle: Bool {
        if case .decided(let decision) = self { decision.text.hasPrefix("power-cycled") } else { false }
    }
}
