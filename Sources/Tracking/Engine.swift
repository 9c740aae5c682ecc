//  Tracking: what trackerd decides. Values in, values out: no file, no clock, no randomness; time comes with the events.
//  It may import Quantities and Motion only. Start reading here: the engine passes each event to the parts that it
//  concerns; `States` has the two states that the vehicle may be in, and the parts answer with steps, which
//  `Engine+Steps` turns into effects.

import Calendar
import Motion
package import Quantities
package import TrackingOptions

/// The state machine at the heart of the tracker: an event in, effects out, in the order in which they must happen.
package struct Engine: Sendable {
    /// What a restart needs; belongs on disk together with each record.
    package internal(set) var state: EngineState

    let setup: Setup
    var layers: OptionLayers
    var options: TrackingOptions
    var clock = ClockTrust()
    var filter: FixFilter
    var power = ReceiverPower()
    var health: ReceiverHealth
    var requests: Requests
    var regions: RegionTracker
    var beacons: BeaconTracker
    var isListening = true
    var detection: VehicleDetection
    var gate: ScheduleGate
    var phase: Phase
    /// Whether an accelerometer answers.
    package internal(set) var hasMotionSensor = false
    var driving: DrivingRule
    var tow: TowRule
    /// What was told last of the receiver.
    var provider = ProviderChange.State.available
    var halts = HaltAttempts()

    /// Whether the receiver can be switched, as far as that was told.
    var canSwitchReceiver = true
    var movingSince: Instant?
    /// The trips whose start and whose end, and the stay, that were dated by a clock that was not to be trusted, since the
    /// program started.
    var guessedStart: Int?
    var guessedEnd: Int?
    var isStayGuessed = false
    var gapOver: Instant?
    var scanDuty = ScanDuty.off
    var supply: SupplyRule
    var isSupplyLost = false
    var areUploadsHeld = false
    var isIgnitionOn = false
    /// Whether somebody has set the odometer since the program started.
    var isOdometerSet = false
    var light = IndicatorRule()

    /// Makes an engine that goes on where `state` was left, with nothing set up but options.
    package init(_ options: TrackingOptions, restoring state: EngineState = EngineState()) {
        self.init(Setup(options: options), restoring: state)
    }

    /// Makes an engine that goes on where `state` was left.
    package init(_ setup: Setup, restoring state: EngineState = EngineState()) {
        self.setup = setup
        self.state = state
        layers = setup.layers.carryingOver(from: state.layers)
        options = layers.resolve(isOnTrip: state.trips.isOnTrip).options
        filter = FixFilter(accuracyLimit: options.accuracyLimit, notBefore: setup.notBefore, last: state.lastFix)
        health = ReceiverHealth(setup.revivals)
        requests = Requests(options)
        let watched = Self.watched(setup.regions, state.waypoints)
        regions = RegionTracker(watched, restoring: state.stays)
        beacons = BeaconTracker(
            Self.beaconRegions(watched), exitDelay: options.beaconExitDelay, inside: state.stays.map(\.id))
        detection = VehicleDetection(setup.markedBeacons, restoring: state.names, isOnTrip: state.isMoving)
        driving = DrivingRule(mounting: state.mounting)
        tow = TowRule(restoring: state.tow)
        supply = SupplyRule(limit: setup.power.lowVoltage)
        gate = ScheduleGate(Schedule(options, zone: setup.zone))
        phase =
            state.isMoving
            ? .moving(Moving(options, hasMotionSensor: false, parked: nil, isCold: state.lastFix == nil, at: .boot))
            : .stationary(Stationary(options, hasMotionSensor: false))
    }

    /// Takes in what happened at that moment, and says what to do about it.
    package mutating func handle(_ event: Event, at now: Instant) -> [Effect] {
        var effects = respond(to: event, at: now)
        // Options may hold on a trip only.
        if layers.dependOnTrip { effects += resolveOptions(because: .remote, at: now) }
        return effects + shine(after: effects, at: now)
    }

    private mutating func respond(to event: Event, at now: Instant) -> [Effect] {
        switch event {
        case .started:
            carryOut([.record(.power(.started))], at: now) + lookAtSchedule(at: now) + start(at: now)
                + waitForGap(at: now) + waitToHalt(at: now)
        case .resumed(let former): resume(former, at: now)
        case .fix(let fix): take(fix, at: now)
        case .motion(let verdict): take(verdict, at: now)
        case .timer(let kind): run(kind, at: now)
        case .command(let command): obey(command, at: now)
        case .ignition(let isOn): turnIgnition(isOn, at: now)
        case .wallClock(let time, let isTrusted):
            mend(clock.learn(system: time, isTrusted: isTrusted, at: now), at: now) + lookAtSchedule(at: now)
        case .power(let change): note(change, at: now)
        case .supply(let voltage): measure(voltage, at: now)
        case .motionSensor(let isThere): note(motionSensor: isThere, at: now)
        case .receiver(let isThere): [.decided(Decision(.sensor, "the receiver is \(isThere ? "there" : "gone")"))]
        case .receiverLines(let canBeSet): note(receiverLines: canBeSet, at: now)
        case .beacon(let sighting): hear(sighting, at: now)
        case .beaconScanner(let isListening): note(beaconScanner: isListening, at: now)
        case .regions(let synced): sync(synced, at: now)
        case .options(let origin, let layers): setOptions(layers, by: origin, at: now)
        }
    }

    private mutating func run(_ timer: TimerKind, at now: Instant) -> [Effect] {
        switch timer {
        case .health: carryOut(health.timer(at: now), at: now)
        case .request: answer(requests.timedOut(at: now), at: now)
        case .tripGap: endGap(at: now)
        case .schedule: lookAtSchedule(at: now)
        case .regions: regionsElapsed(at: now)
        case .beacons: beaconsElapsed(at: now)
        case .scan: rescan(at: now)
        case .halt: haltIfIdle(at: now)
        case .light: light.timer(options.indicator)
        case .stillness, .check, .update, .heartbeat, .fixTimeout, .acquire, .silence, .falseStart:
            forward(.timer(timer), at: now)
        }
    }

    /// Begins to track, after a start of the program or of the schedule.
    mutating func start(at now: Instant) -> [Effect] {
        if state.isMoving { movingSince = now }
        // While nothing was tracked, nobody told the parked vehicle about its accelerometer.
        if case .stationary = phase { phase = .stationary(Stationary(options, hasMotionSensor: hasMotionSensor)) }
        return forward(.started, at: now) + rearmRegions(at: now) + rescan(at: now)
    }

    private mutating func note(motionSensor isThere: Bool, at now: Instant) -> [Effect] {
        hasMotionSensor = isThere
        let text = isThere ? "the accelerometer answers" : "no accelerometer; motion is judged from fixes alone"
        return [.decided(Decision(.sensor, text))] + forward(.motionSensor(isThere: isThere), at: now)
    }

    private mutating func turnIgnition(_ isOn: Bool, at now: Instant) -> [Effect] {
        isIgnitionOn = isOn
        return judgeTow(.ignition(isOn: isOn), at: now) + forward(.ignition(isOn: isOn), at: now)
    }

    /// Passes an input to the state that the vehicle is in.
    mutating func forward(_ input: Input, at now: Instant) -> [Effect] {
        guard !isSuspended else { return [] }
        let steps = phase.handle(input, state: &state, at: now)
        let effects = carryOut(steps, at: now)
        // The fix that told of the departure is the first of the trip.
        return steps.contains(where: \.isDeparture) && input.isFix ? effects + forward(input, at: now) : effects
    }
}

extension Step {
    fileprivate var isDeparture: Bool {
        if case .depart = self { true } else { false }
    }
}

extension Input {
    fileprivate var isFix: Bool {
        if case .fix = self { true } else { false }
    }
}
