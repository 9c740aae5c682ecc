//  The module Tracking makes the decisions of trackerd. The engine reads no file, no clock and no random numbers. Each
//  event contains its time. Start reading here. The engine passes each event to the components that it concerns. Each
//  component has private state, decides about one subject, and appends its orders to the buffer. `Vehicle` is the state
//  of the vehicle: parked or moving.

import TrackingOptions
import Motion
package import Quantities

/// The central state machine of the tracker: it receives an event and returns effects in the order of their execution.
package struct Engine: Sendable {
    var configuration: EngineConfiguration
    var utc = UTCEstimate()
    var options: OptionsInForce
    var gate: TrackingGate
    var privacy: PrivacyGate
    var equipment: Equipment
    var vehicle: Vehicle
    var regions: RegionWatcher
    var beacons: BeaconWatcher
    var safety: SafetyWatch
    var power: PowerManager
    var requests: LocationRequests
    var noise: NoiseLearner
    var health = HealthMonitor()
    /// The last request for the regions of servers; nil if none is in force.
    var regionQuery: RegionQuery?
    package internal(set) var hasMotionSensor = false

    /// Makes an engine that continues from `state`; `serverRegions` are the stored regions of the targets' servers.
    package init(
        _ configuration: EngineConfiguration, serverRegions: [ServerRegions] = [],
        restoring state: EngineState = EngineState()
    ) {
        self.configuration = configuration
        options = OptionsInForce(
            configuration, restoring: state.options, isOnTrip: state.logbook.trips.isOnTrip)
        gate = TrackingGate(options.options, zone: configuration.zone, restoring: state.gate)
        privacy = PrivacyGate(
            options.options, configuration.privatePlaces, zone: configuration.zone, restoring: state.privacy)
        let logbook = Logbook(restoring: state.logbook)
        let receiver = ReceiverManager(
            configuration.recoveries, FixFilter(notBefore: configuration.notBefore, last: logbook.lastFix),
            restoring: state.receiver)
        equipment = Equipment(receiver: receiver, logbook: logbook)
        regions = RegionWatcher(
            configuration.regions, servers: serverRegions, near: logbook.lastPlace, options.options,
            restoring: state.regions)
        beacons = BeaconWatcher(
            configuration.markedBeacons, regions.regions, exitDelay: options.options.beaconExitDelay,
            inside: state.regions.stays.map(\.id), isOnTrip: state.isMoving, restoring: state.beacons)
        safety = SafetyWatch(restoring: state.safety)
        power = PowerManager(configuration.power, bootID: configuration.program.bootID, restoring: state.power)
        requests = LocationRequests(options.options)
        noise = NoiseLearner(restoring: state.noise)
        vehicle =
            state.isMoving
            ? .moving(
                Boxed(
                    MovingState(
                        options.options, continuing: InterruptedTrip(logbook),
                        isCold: logbook.lastFix == nil)))
            : .parked(Boxed(ParkedState(options.options, at: .boot)))
    }

    /// The state that a restart needs; the store writes it to disk together with each record.
    package var state: EngineState {
        var state = EngineState()
        state.isMoving = vehicle.isMoving
        state.logbook = equipment.logbook.snapshot
        state.receiver = equipment.receiver.snapshot
        state.options = options.snapshot
        state.gate = gate.snapshot
        state.privacy = privacy.snapshot
        state.regions = regions.snapshot
        state.beacons = beacons.snapshot
        state.safety = safety.snapshot
        state.power = power.snapshot
        state.noise = noise.noise
        return state
    }

    /// Handles an event that happened at `now`, and appends its effects to the buffer.
    package mutating func handle(_ event: Event, at now: Instant, into effects: inout EffectBuffer) {
        var turn = Turn(at: now, options.shared)
        updateFacts(of: &turn)
        // The buffer moves into the turn and back, because a copy would cost time.
        swap(&turn.effects, &effects)
        let count = turn.effects.count
        turn.filteredCount = count
        tendPrivacy(in: &turn)
        if power.isKeptAwake { power.followAwake(turn.utc, at: now, into: &turn.effects) }
        dispatch(event, in: &turn)
        filterRecords(in: &turn)
        if let point = equipment.logbook.takeNewPoint() { regions.recentre(at: point) }
        syncRegions(in: &turn)
        // Some options are in force only on a trip.
        if options.dependOn(trip: equipment.logbook.trips.log.isOnTrip) {
            updateFacts(of: &turn)
            resolveOptions(because: .remote, in: &turn)
        }
        power.updateLight(
            options.options.indicator, isTracking: !isSuspended, hasRecorded: turn.effects.hasRecord(after: count),
            at: now, into: &turn.effects)
        swap(&turn.effects, &effects)
    }

    mutating func dispatch(_ event: Event, in turn: inout Turn) {
        switch event {
        case .started:
            turn.effects.append(.queueRules(QueueRules(options.options)))
            followPrivacy(in: &turn)
            let start = power.countStart(of: configuration.program)
            equipment.record(.power(.started, start: start), in: &turn)
            health.start(in: &turn)
            options.continueTrial(in: &turn)
            beginTracking(in: &turn)
        case .resumed(let former): resume(former, in: &turn)
        case .fix(let report): take(report, in: &turn)
        case .motion(let verdict): take(verdict, in: &turn)
        case .timer(let kind): run(kind, in: &turn)
        case .command(let command): obey(command, in: &turn)
        case .ignition(let isOn):
            let hasChanged = power.turn(ignition: isOn)
            updateFacts(of: &turn)
            if hasChanged, !isSuspended {
                equipment.record(.power(isOn ? .ignitionOn : .ignitionOff), in: &turn)
            }
            safety.watchTow(.ignition(isOn: isOn), equipment.logbook, in: &turn)
            pass(.ignition(isOn: isOn), in: &turn)
        case .privateSwitch(let isOn): setPrivateSwitch(isOn, in: &turn)
        case .wallClock(let time, let isTrusted):
            let span = utc.learn(system: time, isTrusted: isTrusted, at: turn.now)
            updateFacts(of: &turn)
            correct(by: span, in: &turn)
            if isTrusted { health.clockIsSet(equipment.logbook, in: &turn) }
            updateSchedule(in: &turn)
        case .power(let change): power.note(change, equipment.logbook, in: &turn)
        case .supply(let voltage): measure(voltage, in: &turn)
        case .motionSensor(let isThere):
            hasMotionSensor = isThere
            updateFacts(of: &turn)
            if configuration.expectsMotionSensor { note(.accelerometer, isFaulty: !isThere, in: &turn) }
            turn.effects.decide(
                .sensor,
                isThere ? "the accelerometer answers" : "no accelerometer; motion is judged from fixes alone")
            pass(.motionSensor, in: &turn)
        case .receiver(let isThere):
            turn.effects.decide(.sensor, "the receiver is \(isThere ? "available" : "unavailable")")
        case .receiverLines(let canBeSet):
            equipment.receiver.noteLines(canBeSet: canBeSet, equipment.logbook, in: &turn)
        case .beacon(let sighting):
            guard usesBeacons else { return }
            carryOut(beacons.hear(sighting, at: turn.now, into: &turn.effects), in: &turn)
        case .beaconScanner(let isListening):
            carryOut(beacons.note(isListening: isListening, at: turn.now, into: &turn.effects), in: &turn)
        case .serverRegions(let servers): regions.set(servers)
        case .options(let origin, let layers): set(layers, by: origin, in: &turn)
        case .remoteOptions(let layers, let target):
            options.beginTrial(of: target, in: &turn)
            set(layers.map { $0.named(target) }, by: .remote, in: &turn)
        case .delivered(let target): options.confirmTrial(by: target, in: &turn)
        case .order(let report): equipment.record(.order(report), in: &turn)
        case .configuration(let changed): follow(changed, in: &turn)
        case .transferErrors(let count): health.note(transferErrors: count, equipment.logbook, in: &turn)
        case .storage(let fault): note(.storage, isFaulty: fault != nil, reason: fault, in: &turn)
        case .health(let report): equipment.record(.health(report), in: &turn)
        case .haltRefused(let reason):
            power.haltWasRefused(because: reason, into: &turn.effects)
            health.record(.haltRefused, reason: reason, equipment.logbook, in: &turn)
        }
    }

    mutating func run(_ timer: TimerKind, in turn: inout Turn) {
        switch timer {
        case .health: equipment.receiver.healthTimer(equipment.logbook, in: &turn)
        case .request:
            let answers = requests.timedOut(at: turn.now)
            requests.record(answers, &equipment, in: &turn)
        case .tripGap: equipment.logbook.endGap(in: &turn)
        case .schedule: updateSchedule(in: &turn)
        case .privacy: armPrivacy(in: &turn)
        case .regions:
            guard !isSuspended else { return }
            let place = equipment.logbook.place(isMoving: vehicle.isMoving)
            record(regions.elapse(to: turn.utc.time, place: place), in: &turn)
        case .beacons: carryOut(beacons.timer(at: turn.now), in: &turn)
        case .scan: rescan(in: &turn)
        case .condition: health.timer(equipment.logbook, in: &turn)
        case .holdUploads: carryOut(power.holdUploadsNow(in: &turn), in: &turn)
        case .halt:
            let isInUse = power.ignition == true || requests.isWaiting || equipment.receiver.isOn
            power.haltIfIdle(isInUse: isInUse, equipment.logbook, in: &turn)
        case .light: power.lightTimer(in: &turn)
        case .trial:
            guard let former = options.endTrial(in: &turn) else { return }
            set(former, by: .remote, in: &turn)
        case .check: pass(.timer(.parked(.check)), in: &turn)
        case .update: pass(.timer(.parked(.update)), in: &turn)
        case .heartbeat: pass(.timer(.parked(.heartbeat)), in: &turn)
        case .stillness: pass(.timer(.moving(.stillness)), in: &turn)
        case .silence: pass(.timer(.moving(.silence)), in: &turn)
        case .acquire: pass(.timer(.moving(.acquire)), in: &turn)
        case .falseStart: pass(.timer(.moving(.falseStart)), in: &turn)
        case .fixTimeout: pass(.timer(.fixTimeout), in: &turn)
        }
    }

    /// Makes the facts of a turn agree with the components from which they come.
    func updateFacts(of turn: inout Turn) {
        let (names, tag) = (beacons.names, equipment.logbook.tag)
        turn.shared = options.shared
        turn.time = utc
        turn.hasMotionSensor = hasMotionSensor
        turn.isMoving = vehicle.isMoving
        turn.labels = TripLabels(
            vehicle: names.vehicle, driver: names.driver,
            tag: gate.isOffSchedule ? options.options.tagForOffScheduleTracking ?? tag : tag)
        turn.regions = regions.names
        (turn.ignition, turn.supply) = (power.ignition, power.voltage(at: turn.now))
        (turn.isPlaceShaken, turn.isMotionStrong) = (noise.isPlaceShaken, noise.isStrong)
        (turn.isPrivate, turn.privatePlaces, turn.publicSince) = (privacy.isPrivate, privacy.places, privacy.ended)
    }

    var isSuspended: Bool { gate.isSuspended(options.shared) }
}

// MARK: - Fixes and motion

extension Engine {
    /// Filters a report of the receiver; passes an accepted fix to the waiting location requests, and then to the state of the
    /// vehicle.
    ///
    /// A position without a date, as from a receiver that sends only GGA sentences, has the date of the clock if a time server has
    /// set the clock.
    mutating func take(_ report: Fix, in turn: inout Turn) {
        if !equipment.receiver.isUsual(report, at: turn.now) {
            equipment.receiver.watch(report, equipment.logbook, in: &turn)
        }
        if report.jamming != nil {
            equipment.receiver.watchJamming(report, equipment.logbook, in: &turn)
        }
        let accuracyLimit = options.shared.options.accuracyLimit
        var dated = report
        if report.time == nil, report.hasPlace, turn.utc.isTrusted { dated.time = turn.utc.time }
        switch equipment.receiver.judge(dated, accuracyLimit: accuracyLimit, at: turn.now, into: &turn.effects) {
        case .refused(let reason): turn.effects.append(.refused(reason))
        case .accepted(let fix, let isJump):
            equipment.receiver.reportSimulation(of: fix, into: &turn.effects)
            if isJump { equipment.logbook.noteJump(to: fix) }
            if report.time != nil {
                let span = utc.learn(fix: fix.time, at: turn.now)
                updateFacts(of: &turn)
                correct(by: span, in: &turn)
            }
            take(fix, in: &turn)
        }
    }

    /// Notes the condition of a part, and records a change.
    mutating func note(_ part: HealthPart, isFaulty: Bool, reason: String? = nil, in turn: inout Turn) {
        health.note(part, isFaulty: isFaulty, reason: reason, equipment.logbook, in: &turn)
    }

    mutating func take(_ fix: AcceptedFix, in turn: inout Turn) {
        tendPrivacy(in: &turn)
        checkPrivacy(of: fix, in: &turn)
        equipment.logbook.take(fix, isMoving: vehicle.isMoving)
        beginPublicTrip(at: fix, in: &turn)
        equipment.receiver.noteFix(at: turn.now)
        if requests.isWaiting {
            let answers = requests.take(fix, at: turn.now)
            requests.record(answers, &equipment, in: &turn)
        }
        // While tracking is suspended, a fix reaches neither the regions nor the driving rules nor the vehicle.
        guard !isSuspended else { return }
        regions.follow(fix.coordinate, options.options)
        let crossings = regions.take(fix)
        let hasLeftFollowed = regions.hasLeftFollowed(fix, options.shared)
        updateFacts(of: &turn)
        if !crossings.isEmpty || hasLeftFollowed {
            let (logbook, time) = (equipment.logbook, UTCTime(fix.time, isTrusted: true))
            let left = logbook.record(.location, at: fix.position, time, trigger: .follow, turn)
            record(crossings, in: &turn)
            if hasLeftFollowed { turn.effects.append(.record(left)) }
        }
        if options.options.drivingEvents { safety.take(.fix(fix), equipment.logbook, in: &turn) }
        if vehicle.isMoving, options.options.speedLimit > .zero || safety.isOverspeeding {
            safety.watchSpeed(of: fix, equipment.logbook, in: &turn)
        }
        pass(.fix(fix), in: &turn)
    }

    mutating func take(_ verdict: MotionVerdict, in turn: inout Turn) {
        if !isSuspended, verdict.deviation != nil {
            noise.learn(verdict, turn, lastFix: equipment.logbook.lastFix)
            updateFacts(of: &turn)
        }
        if options.options.drivingEvents {
            safety.take(.motion(verdict), equipment.logbook, in: &turn)
        }
        pass(.motion(isMoving: verdict.isMoving, onset: verdict.onset), in: &turn)
    }
}

// MARK: - The state of the vehicle

extension Engine {
    /// Passes an event to the state of the vehicle, and changes the state if the event shows a departure or an arrival.
    ///
    /// While tracking is suspended, the function has no effect.
    mutating func pass(_ event: VehicleEvent, in turn: inout Turn) {
        guard !isSuspended else { return }
        equipment.borders = regions.borders
        switch vehicle.handle(event, &equipment, in: &turn) {
        case nil: break
        case .depart(let departure): depart(departure, in: &turn)
        case .arrive(let arrival): arrive(arrival, in: &turn)
        }
    }

    /// Changes the state to moving: writes a record at the parked place, and then searches for a fix.
    ///
    /// Without this record, the track would have a gap at its start.
    mutating func depart(_ departure: Departure, in turn: inout Turn) {
        let parked = equipment.logbook.parked
        let left = vehicle.mayDrive(since: departure.began, turn)
        let entry = equipment.logbook.depart(departure, turn)
        beacons.tripBegan(at: turn.now)
        noise.depart()
        var moving = MovingState(
            options.options, since: turn.now, parked: parked, isDoubtful: departure.cause == .motion,
            isCold: equipment.logbook.lastFix == nil, at: turn.now)
        if let parked, departure.fix == nil { moving.depart(from: parked, at: left) }
        vehicle = .moving(Boxed(moving))
        updateFacts(of: &turn)
        turn.effects.cancel(.check, .update, .heartbeat, .fixTimeout, .tripGap)
        equipment.logbook.write(entry, in: &turn)
        turn.effects.append(.state(isMoving: true))
        turn.effects.decide(.start, departure.reason)
        equipment.borders = regions.borders
        moving.enter(&equipment, in: &turn)
        vehicle = .moving(Boxed(moving))
        rescan(in: &turn)
        power.waitToHalt(in: &turn)
        if let fix = departure.fix { pass(.fix(fix), in: &turn) }
    }

    /// Changes the state to parked: writes the last fixes and the place of arrival, and then switches the receiver off
    /// unless a location request needs it.
    mutating func arrive(_ arrival: Arrival, in turn: inout Turn) {
        turn.effects.cancel(.stillness, .silence, .falseStart, .acquire, .fixTimeout)
        safety.endOverspeed(equipment.logbook, in: &turn)
        equipment.logbook.arrive(arrival, in: &turn)
        beacons.tripEnded(at: turn.now)
        noise.arrive(isFalseStart: arrival.isFalseStart)
        let parked = equipment.logbook.parked
        let state = ParkedState(after: arrival, isPlaceSeen: parked != nil, options.options, at: turn.now)
        vehicle = .parked(Boxed(state))
        updateFacts(of: &turn)
        turn.effects.append(.state(isMoving: false))
        turn.effects.decide(.stop, arrival.reason)
        equipment.logbook.waitForGap(in: &turn)
        if arrival.foundBy == nil { equipment.want(receiver: false, in: &turn) }
        state.enter(equipment.logbook, in: &turn)
        rescan(in: &turn)
        safety.watchTow(.parked(at: parked), equipment.logbook, in: &turn)
        power.waitToHalt(in: &turn)
        guard let fix = arrival.foundBy else { return }
        // The vehicle may have driven off again before the program started.
        pass(.started, in: &turn)
        pass(.fix(fix), in: &turn)
    }

    mutating func beginTracking(in turn: inout Turn) {
        updateSchedule(in: &turn)
        start(in: &turn)
        equipment.logbook.waitForGap(in: &turn)
        power.waitToHalt(in: &turn)
    }

    /// Begins to track after a start of the program, or when tracking is no longer suspended.
    mutating func start(in turn: inout Turn) {
        pass(.started, in: &turn)
        regions.arm(in: &turn)
        rescan(in: &turn)
    }

    /// Parks a moving vehicle, switches the receiver off unless a location request needs it, and cancels the timers of
    /// the parked state.
    mutating func endTracking(because reason: String, in turn: inout Turn) {
        if case .moving(let state) = vehicle {
            arrive(state.value.arrival(because: reason, turn), in: &turn)
        }
        equipment.want(receiver: false, in: &turn)
        turn.effects.cancel(.check, .update, .heartbeat, .fixTimeout)
    }
}
