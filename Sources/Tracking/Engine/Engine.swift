//  Tracking: what trackerd decides. Values in, values out: no file, no clock, no randomness; time comes with the events.
//  Start reading here: the engine passes each event to the components that it concerns; each has private state, decides one
//  subject, and appends its orders to the buffer. `Vehicle` is the state that the vehicle is in, parked or moving.

import TrackingOptions
import Motion
package import Quantities

/// The state machine at the heart of the tracker: an event in, effects out, in the order in which they must happen.
package struct Engine: Sendable {
    let configuration: EngineConfiguration
    private(set) var utc = UTCEstimate()
    private(set) var options: OptionsInForce
    private(set) var gate: TrackingGate
    private(set) var equipment: Equipment
    private(set) var vehicle: Vehicle
    private(set) var regions: RegionWatcher
    private var beacons: BeaconWatcher
    private var safety: SafetyWatch
    private var power: PowerManager
    private var requests: LocationRequests
    private var noise: NoiseFloor
    private var isIgnitionOn = false
    /// Whether an accelerometer answers.
    package private(set) var hasMotionSensor = false

    /// Makes an engine that goes on where `state` was left.
    package init(_ configuration: EngineConfiguration, restoring state: EngineState = EngineState()) {
        self.configuration = configuration
        options = OptionsInForce(
            configuration.layers, restoring: state.options, isOnTrip: state.logbook.trips.isOnTrip)
        gate = TrackingGate(options.options, zone: configuration.zone, restoring: state.gate)
        let logbook = Logbook(restoring: state.logbook)
        let receiver = ReceiverManager(configuration, lastFix: logbook.lastFix, restoring: state.receiver)
        equipment = Equipment(receiver: receiver, logbook: logbook)
        regions = RegionWatcher(configuration.regions, restoring: state.regions)
        beacons = BeaconWatcher(
            configuration, regions.regions, exitDelay: options.options.beaconExitDelay,
            inside: state.regions.stays.map(\.id), isOnTrip: state.isMoving, restoring: state.beacons)
        safety = SafetyWatch(restoring: state.safety)
        power = PowerManager(configuration.power)
        requests = LocationRequests(options.options)
        noise = state.noise
        vehicle =
            state.isMoving
            ? .moving(MovingState(options.options, since: nil, isCold: logbook.lastFix == nil, at: .boot))
            : .parked(ParkedState(options.options))
    }

    /// What a restart needs; belongs on disk together with each record.
    package var state: EngineState {
        var state = EngineState()
        state.isMoving = vehicle.isMoving
        state.logbook = equipment.logbook.snapshot
        state.receiver = equipment.receiver.snapshot
        state.options = options.snapshot
        state.gate = gate.snapshot
        state.regions = regions.snapshot
        state.beacons = beacons.snapshot
        state.safety = safety.snapshot
        state.noise = noise
        return state
    }

    /// Takes in what happened at that moment, and appends what must be done about it.
    package mutating func handle(_ event: Event, at now: Instant, into effects: inout EffectBuffer) {
        let count = effects.count
        dispatch(event, at: now, into: &effects)
        if let point = equipment.logbook.takeNewPoint() { regions.recentre(at: point) }
        // Options may be in force on a trip only.
        let isOnTrip = equipment.logbook.trips.log.isOnTrip
        if options.dependOn(trip: isOnTrip) { resolveOptions(because: .remote, at: now, into: &effects) }
        power.updateLight(
            isTracking: !isSuspended, hasRecorded: effects.hasRecord(after: count), context(at: now), into: &effects)
    }

    private mutating func dispatch(_ event: Event, at now: Instant, into effects: inout EffectBuffer) {
        switch event {
        case .started:
            equipment.record(.power(.started), context(at: now), into: &effects)
            beginTracking(at: now, into: &effects)
        case .resumed(let former): resume(former, at: now, into: &effects)
        case .fix(let report): take(report, at: now, into: &effects)
        case .motion(let verdict): take(verdict, at: now, into: &effects)
        case .timer(let kind): run(kind, at: now, into: &effects)
        case .command(let command): obey(command, at: now, into: &effects)
        case .ignition(let isOn):
            isIgnitionOn = isOn
            safety.watchTow(.ignition(isOn: isOn), context(at: now), equipment.logbook, into: &effects)
            pass(.ignition(isOn: isOn), at: now, into: &effects)
        case .wallClock(let time, let isTrusted):
            correct(by: utc.learn(system: time, isTrusted: isTrusted, at: now), at: now, into: &effects)
            updateSchedule(at: now, into: &effects)
        case .power(let change): power.note(change, context(at: now), equipment.logbook, into: &effects)
        case .supply(let voltage): measure(voltage, at: now, into: &effects)
        case .motionSensor(let isThere):
            hasMotionSensor = isThere
            effects.decide(
                .sensor,
                isThere ? "the accelerometer answers" : "no accelerometer; motion is judged from fixes alone")
            pass(.motionSensor, at: now, into: &effects)
        case .receiver(let isThere): effects.decide(.sensor, "the receiver is \(isThere ? "there" : "gone")")
        case .receiverLines(let canBeSet):
            equipment.receiver.noteLines(canBeSet: canBeSet, context(at: now), equipment.logbook, into: &effects)
        case .beacon(let sighting):
            guard options.options.beacons else { return }
            carryOut(beacons.hear(sighting, at: now, into: &effects), at: now, into: &effects)
        case .beaconScanner(let isListening):
            carryOut(beacons.note(isListening: isListening, at: now, into: &effects), at: now, into: &effects)
        case .regions(let synced):
            regions.sync(synced)
            regions.arm(context(at: now), into: &effects)
            listenForRegions(at: now, into: &effects)
        case .options(let origin, let layers): set(layers, by: origin, at: now, into: &effects)
        }
    }

    private mutating func run(_ timer: TimerKind, at now: Instant, into effects: inout EffectBuffer) {
        switch timer {
        case .health: equipment.receiver.healthTimer(context(at: now), equipment.logbook, into: &effects)
        case .request: answer(requests.timedOut(at: now), at: now, into: &effects)
        case .tripGap: equipment.logbook.endGap(context(at: now), into: &effects)
        case .schedule: updateSchedule(at: now, into: &effects)
        case .regions:
            guard !isSuspended else { return }
            let place = equipment.logbook.place(isMoving: vehicle.isMoving)
            record(regions.elapse(to: utc.time(at: now).time, place: place), at: now, into: &effects)
        case .beacons: carryOut(beacons.timer(at: now), at: now, into: &effects)
        case .scan: rescan(at: now, into: &effects)
        case .halt:
            let isInUse = isIgnitionOn || requests.isWaiting || equipment.receiver.isOn
            power.haltIfIdle(isInUse: isInUse, context(at: now), equipment.logbook, into: &effects)
        case .light: power.lightTimer(context(at: now), into: &effects)
        case .stillness, .check, .update, .heartbeat, .fixTimeout, .acquire, .silence, .falseStart:
            pass(.timer(timer), at: now, into: &effects)
        }
    }

    private func context(at now: Instant) -> Context {
        let tag = equipment.logbook.tag
        return Context(
            now: now, time: utc, options: options.shared, hasMotionSensor: hasMotionSensor,
            isMoving: vehicle.isMoving,
            labels: TripLabels(
                vehicle: beacons.names.vehicle, driver: beacons.names.driver,
                tag: gate.isOffSchedule ? options.options.tagForOffScheduleTracking ?? tag : tag),
            regions: regions.names)
    }

    private var isSuspended: Bool { gate.isSuspended(options.options) }
}

// MARK: - Fixes and motion

extension Engine {
    /// The way of a report: judged, then given to whatever waits for a fix, then to the state that the vehicle is in.
    private mutating func take(_ report: Fix, at now: Instant, into effects: inout EffectBuffer) {
        switch equipment.receiver.take(report, context(at: now), equipment.logbook, into: &effects) {
        case .refused(let reason): effects.append(.refused(reason))
        case .accepted(let fix, let isJump):
            if isJump { equipment.logbook.noteJump(to: fix) }
            take(fix, at: now, into: &effects)
        }
    }

    private mutating func take(_ fix: AcceptedFix, at now: Instant, into effects: inout EffectBuffer) {
        correct(by: utc.learn(fix: fix.time, at: now), at: now, into: &effects)
        equipment.logbook.take(fix, isMoving: vehicle.isMoving)
        equipment.receiver.noteFix(at: now)
        answer(requests.take(fix, at: now), at: now, into: &effects)
        // A request has its answer; nothing else is made of the fix while nothing is tracked.
        guard !isSuspended else { return }
        let crossings = regions.take(fix)
        let hasLeftFollowed = regions.hasLeftFollowed(fix, options.options)
        if !crossings.isEmpty || hasLeftFollowed {
            let (logbook, time) = (equipment.logbook, UTCTime(fix.time, isTrusted: true))
            let left = logbook.record(.location, at: fix.position, time, trigger: .follow, context(at: now))
            record(crossings, at: now, into: &effects)
            if hasLeftFollowed { effects.append(.record(left)) }
        }
        safety.take(.fix(fix), context(at: now), equipment.logbook, into: &effects)
        pass(.fix(fix), at: now, into: &effects)
    }

    private mutating func take(_ verdict: MotionVerdict, at now: Instant, into effects: inout EffectBuffer) {
        learnNoise(verdict, at: now)
        safety.take(.motion(verdict), context(at: now), equipment.logbook, into: &effects)
        pass(.motion(isMoving: verdict.isMoving), at: now, into: &effects)
    }
}

// MARK: - The state of the vehicle

extension Engine {
    /// Passes an event to the state that the vehicle is in, and changes the state if that shows a departure or an arrival.
    private mutating func pass(_ event: VehicleEvent, at now: Instant, into effects: inout EffectBuffer) {
        guard !isSuspended else { return }
        let change = vehicle.handle(event, context(at: now), &equipment, into: &effects)
        apply(change, at: now, into: &effects)
    }

    private mutating func apply(_ change: StateChange?, at now: Instant, into effects: inout EffectBuffer) {
        switch change {
        case nil: break
        case .depart(let departure): depart(departure, at: now, into: &effects)
        case .arrive(let arrival): arrive(arrival, at: now, into: &effects)
        }
    }

    /// Writes the anchor at the parked place, so that the track has no gap at its start, and only then wakes the receiver.
    private mutating func depart(_ departure: Departure, at now: Instant, into effects: inout EffectBuffer) {
        let parked = equipment.logbook.parked
        let entry = equipment.logbook.depart(departure, context(at: now))
        beacons.tripBegan(at: now)
        var moving = MovingState(
            options.options, since: now, parked: parked, isDoubtful: departure.cause == .motion,
            isCold: equipment.logbook.lastFix == nil, at: now)
        vehicle = .moving(moving)
        let context = context(at: now)
        effects.cancel(.check, .update, .heartbeat, .fixTimeout, .tripGap)
        equipment.logbook.write(entry, context, into: &effects)
        effects.append(.state(isMoving: true))
        effects.decide(.start, departure.reason)
        moving.enter(context, &equipment, into: &effects)
        vehicle = .moving(moving)
        rescan(at: now, into: &effects)
        power.waitToHalt(context, into: &effects)
        if let fix = departure.fix { pass(.fix(fix), at: now, into: &effects) }
    }

    /// Writes the last fixes and the place of arrival, and only then switches the receiver off.
    private mutating func arrive(_ arrival: Arrival, at now: Instant, into effects: inout EffectBuffer) {
        effects.cancel(.stillness, .silence, .falseStart, .acquire, .fixTimeout)
        equipment.logbook.arrive(arrival, context(at: now), into: &effects)
        beacons.tripEnded(at: now)
        let parked = equipment.logbook.parked
        let state = ParkedState(after: arrival, isPlaceSeen: parked != nil, options.options)
        vehicle = .parked(state)
        let context = context(at: now)
        effects.append(.state(isMoving: false))
        effects.decide(.stop, arrival.reason)
        equipment.logbook.waitForGap(context, into: &effects)
        equipment.want(receiver: false, context, into: &effects)
        state.enter(context, equipment.logbook, into: &effects)
        rescan(at: now, into: &effects)
        safety.watchTow(.parked(at: parked), context, equipment.logbook, into: &effects)
        power.waitToHalt(context, into: &effects)
    }

    private mutating func beginTracking(at now: Instant, into effects: inout EffectBuffer) {
        updateSchedule(at: now, into: &effects)
        start(at: now, into: &effects)
        equipment.logbook.waitForGap(context(at: now), into: &effects)
        power.waitToHalt(context(at: now), into: &effects)
    }

    /// Begins to track, after a start of the program or of the schedule.
    private mutating func start(at now: Instant, into effects: inout EffectBuffer) {
        pass(.started, at: now, into: &effects)
        regions.arm(context(at: now), into: &effects)
        rescan(at: now, into: &effects)
    }

    /// Ends the trip while it can still be recorded, and everything that the parked state waits for.
    private mutating func endTracking(because reason: String, at now: Instant, into effects: inout EffectBuffer) {
        if case .moving(let state) = vehicle {
            arrive(state.arrival(because: reason, context(at: now)), at: now, into: &effects)
        }
        equipment.want(receiver: false, context(at: now), into: &effects)
        effects.cancel(.check, .update, .heartbeat, .fixTimeout)
    }

    /// Asks the schedule what applies now; it may have opened or closed, or now forbid what it had tagged.
    ///
    /// `wasSuspended`: whether tracking was suspended before what led to this, if that may have changed.
    private mutating func updateSchedule(
        wasSuspended: Bool? = nil, at now: Instant, into effects: inout EffectBuffer
    ) {
        let wasSuspended = wasSuspended ?? isSuspended
        guard let change = gate.update(wasSuspended: wasSuspended, context(at: now), into: &effects) else { return }
        suspend(from: wasSuspended, because: change.reason, at: now, into: &effects)
        if let next = change.next { effects.arm(.schedule, at: next) }
    }

    private mutating func suspend(
        from wasSuspended: Bool, because reason: String, at now: Instant, into effects: inout EffectBuffer
    ) {
        switch (wasSuspended, isSuspended) {
        case (false, true):
            endTracking(because: reason, at: now, into: &effects)
            rescan(at: now, into: &effects)
        case (true, false): start(at: now, into: &effects)
        case (true, true), (false, false): break
        }
    }

    /// Corrects what was dated with an untrusted clock, now that UTC is known.
    private mutating func correct(by span: Duration?, at now: Instant, into effects: inout EffectBuffer) {
        guard let span else { return }
        effects.append(.correctTimestamps(before: now, by: span))
        equipment.logbook.correct(by: span)
        updateSchedule(at: now, into: &effects)
    }

    /// Learns what the accelerometer feels while the vehicle stands: parked, or under way by the speed of the last fix.
    private mutating func learnNoise(_ verdict: MotionVerdict, at now: Instant) {
        guard !isSuspended, let deviation = verdict.deviation else { return }
        if !vehicle.isMoving {
            // Skip the window that caused the wake-up.
            if !verdict.isMoving, !verdict.isActive { noise.parked.learn(deviation) }
        } else if let fix = equipment.logbook.lastFix, let speed = fix.position.speed, speed < Self.standing,
            utc.time(at: now).time - fix.time <= Self.freshness
        {
            noise.idling.learn(deviation)
        }
    }

    /// A fix older than this does not show whether the vehicle stands now.
    private static let freshness = Duration.seconds(3)
    /// A slower vehicle stands, to a receiver.
    private static let standing = MetresPerSecond(0.5)
}

// MARK: - Regions and beacons

extension Engine {
    private mutating func record(_ crossings: [RegionCrossing], at now: Instant, into effects: inout EffectBuffer) {
        for crossing in crossings {
            if options.options.monitoring.recordsRegions { record(crossing, at: now, into: &effects) }
            if crossing.movesWaypoint { regions.move(crossing.transition.region.id, to: crossing.position) }
            if let mode = crossing.mode { switchMode(to: mode, at: now, into: &effects) }
        }
        regions.arm(context(at: now), into: &effects)
    }

    /// Records a crossing, and the location that belongs to it (OwnTracks: a region event comes beside a location).
    private func record(_ crossing: RegionCrossing, at now: Instant, into effects: inout EffectBuffer) {
        let (context, logbook) = (context(at: now), equipment.logbook)
        let time = UTCTime(crossing.time, isTrusted: context.utc.isTrusted)
        let transition = crossing.transition
        effects.append(.record(logbook.record(.transition(transition), at: crossing.position, time, context)))
        guard transition.direction != .dwell, crossing.position != nil else { return }
        let trigger: Record.Trigger = transition.trigger == .area ? .region : .beacon
        effects.append(
            .record(logbook.record(.location, at: crossing.position, time, trigger: trigger, context)))
    }

    private mutating func carryOut(
        _ heard: [BeaconTracker.Effect], at now: Instant, into effects: inout EffectBuffer
    ) {
        for effect in heard {
            switch effect {
            case .entered(let id): note(beacon: id, isPresent: true, at: now, into: &effects)
            case .left(let id, _): note(beacon: id, isPresent: false, at: now, into: &effects)
            case .arm(let moment): effects.arm(.beacons, at: moment)
            case .cancel: effects.cancel(.beacons)
            }
        }
    }

    private mutating func note(
        beacon id: String, isPresent: Bool, at now: Instant, into effects: inout EffectBuffer
    ) {
        let place = equipment.logbook.place(isMoving: vehicle.isMoving)
        let time = utc.time(at: now).time
        let crossings = regions.take(beacon: id, isPresent: isPresent, at: time, place: place)
        record(crossings, at: now, into: &effects)
    }

    /// Listens as much as is called for now.
    private mutating func rescan(at now: Instant, into effects: inout EffectBuffer) {
        let heard = beacons.rescan(
            movingSince: vehicle.movingSince, isTracking: !isSuspended, context(at: now), into: &effects)
        carryOut(heard, at: now, into: &effects)
    }

    /// Listens for the beacons of other regions than before.
    private mutating func listenForRegions(at now: Instant, into effects: inout EffectBuffer) {
        beacons.watch(regions.regions)
        rescan(at: now, into: &effects)
    }
}

// MARK: - Options

extension Engine {
    /// Switches to a monitoring mode; that survives a restart.
    private mutating func switchMode(to mode: MonitoringMode, at now: Instant, into effects: inout EffectBuffer) {
        options.replace(.mode, with: [configuration.layer(of: mode)])
        resolveOptions(because: .mode, at: now, into: &effects)
    }

    private mutating func set(
        _ layers: [OptionLayer], by origin: OptionOrigin, at now: Instant, into effects: inout EffectBuffer
    ) {
        options.replace(origin, with: layers)
        resolveOptions(because: origin, at: now, into: &effects)
    }

    /// Works out which options are in force, and follows them if they have changed.
    ///
    /// The trip, the places and the odometer remain; the evidence for a stop is collected anew.
    private mutating func resolveOptions(
        because origin: OptionOrigin, at now: Instant, into effects: inout EffectBuffer
    ) {
        let wasSuspended = isSuspended
        guard let change = options.resolve(isOnTrip: equipment.logbook.trips.log.isOnTrip) else { return }
        gate.follow(options.options)
        let record = OptionsChange(origin: origin.title, keys: change.keys)
        equipment.record(.optionschange(record), context(at: now), into: &effects)
        effects.decide(.options, "\(origin.title) changes \(change.keys.joined(separator: ", "))")
        if !isSuspended {
            effects.cancel(.check, .update, .heartbeat, .stillness, .silence, .acquire, .fixTimeout)
            vehicle.optionsChanged(from: change.before, context(at: now), &equipment, into: &effects)
        }
        updateSchedule(wasSuspended: wasSuspended, at: now, into: &effects)
        rescan(at: now, into: &effects)
    }

    private mutating func measure(_ voltage: Volts, at now: Instant, into effects: inout EffectBuffer) {
        switch power.measure(voltage, context(at: now), equipment.logbook, into: &effects) {
        case nil: break
        case .begins: set([PowerManager.savingLayer], by: .supply, at: now, into: &effects)
        case .ends: set([], by: .supply, at: now, into: &effects)
        }
    }
}

// MARK: - Commands

extension Engine {
    private mutating func obey(_ command: Command, at now: Instant, into effects: inout EffectBuffer) {
        switch command {
        case .move: pass(.move, at: now, into: &effects)
        case .stay: pass(.stay, at: now, into: &effects)
        case .locate(let request): locate(request, at: now, into: &effects)
        case .startTrip(let report): startTrip(report, at: now, into: &effects)
        case .endTrip: equipment.logbook.endTrip(context(at: now), into: &effects)
        case .tag(let tag): equipment.logbook.tag = tag
        case .odometer(let distance): equipment.logbook.setOdometer(to: distance)
        case .tracking(let isOn): track(isOn, at: now, into: &effects)
        case .mode(let mode): switchMode(to: mode, at: now, into: &effects)
        case .waypoint(let waypoint): set(waypoint, at: now, into: &effects)
        case .forgetWaypoint(let key):
            regions.forget(key)
            listenForRegions(at: now, into: &effects)
        case .clearWaypoints:
            regions.forgetAll()
            listenForRegions(at: now, into: &effects)
        }
    }

    /// Starts a trip by command: the vehicle departs; that it then stands does not end the trip.
    private mutating func startTrip(_ report: TripReport, at now: Instant, into effects: inout EffectBuffer) {
        // The same order again: its answer was lost. Nothing happens twice.
        if let id = report.externalID, equipment.logbook.trips.log.goesOn(as: id) {
            return effects.decide(.request, "trip `\(id)` goes on already")
        }
        equipment.logbook.startTrip(report, isTracking: !isSuspended, context(at: now), into: &effects)
        pass(.move, at: now, into: &effects)
    }

    /// Switches tracking on or off altogether.
    private mutating func track(_ isOn: Bool, at now: Instant, into effects: inout EffectBuffer) {
        let (wasSuspended, reason) = (isSuspended, "tracking was switched off")
        // The trip that is under way ends while it can still be recorded.
        if !isOn { endTracking(because: reason, at: now, into: &effects) }
        gate.isSwitchedOff = !isOn
        suspend(from: wasSuspended, because: reason, at: now, into: &effects)
    }

    private mutating func set(_ waypoint: Waypoint, at now: Instant, into effects: inout EffectBuffer) {
        do throws(RegionError) {
            try regions.set(waypoint)
        } catch {
            return effects.decide(.region, "refused: \(error)")
        }
        if waypoint.isTold {
            let context = context(at: now)
            // The owner asked to publish the waypoint, not where the vehicle is.
            let place =
                context.options.monitoring.recordsUnasked
                ? equipment.logbook.place(isMoving: context.isMoving) : nil
            effects.append(.record(equipment.logbook.record(.waypoint(waypoint), at: place, context.utc, context)))
        }
        listenForRegions(at: now, into: &effects)
    }

    private mutating func locate(_ request: LocationRequest, at now: Instant, into effects: inout EffectBuffer) {
        let options = options.options
        guard options.monitoring.recordsUnasked || !request.isRemote else {
            return effects.decide(.request, "not answered: remote requests are ignored in \(options.monitoring.name)")
        }
        // Options are read once per search, so that the timer and the timeout agree.
        if !requests.isWaiting { requests = LocationRequests(options) }
        guard requests.ask(request, at: now) else { return }
        equipment.receiver.want(
            options.desiredAccuracy.powersReceiver, by: .request, context(at: now), equipment.logbook, into: &effects)
        effects.arm(.request, at: now + options.fixTimeout)
    }

    /// Records the answers to requests, and lets the receiver go when no request waits any more.
    private mutating func answer(
        _ answers: [LocationRequests.Answer], at now: Instant, into effects: inout EffectBuffer
    ) {
        guard !answers.isEmpty else { return }
        let context = context(at: now)
        for answer in answers {
            let time = answer.fix.map { UTCTime($0.time, isTrusted: true) } ?? context.utc
            let record = equipment.logbook.record(
                .request(answer.answer), at: answer.fix?.position, time, context)
            effects.append(.record(record))
        }
        // A request that still waits has a deadline of its own.
        if let deadline = requests.deadline { return effects.arm(.request, at: deadline) }
        effects.cancel(.request)
        equipment.receiver.want(false, by: .request, context, equipment.logbook, into: &effects)
    }
}

// MARK: - A state that is found late

extension Engine {
    /// Whether a state that was found late can be taken over now: the vehicle is parked and no request waits.
    package var canResume: Bool { !vehicle.isMoving && !requests.isWaiting }

    /// Goes on from a state that was found late, as a program does that starts now.
    private mutating func resume(_ former: EngineState, at now: Instant, into effects: inout EffectBuffer) {
        let isOdometerSet = equipment.logbook.isOdometerSet
        if equipment.receiver.isOn { effects.append(.receiver(isOn: false)) }
        var resumed = Engine(configuration, restoring: former.continued(by: state, isOdometerSet: isOdometerSet))
        (resumed.utc, resumed.hasMotionSensor, resumed.isIgnitionOn) = (utc, hasMotionSensor, isIgnitionOn)
        resumed.equipment.receiver.resume(from: equipment.receiver)
        resumed.beacons.resume(from: beacons)
        resumed.power.resume(from: power)
        self = resumed
        effects.decide(.options, "the state of before the start was found; going on from it")
        beginTracking(at: now, into: &effects)
    }
}
