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
    /// The time of the present event.
    var now = Instant.boot
    /// The number of effects in the buffer whose records have passed the privacy filter.
    var filteredCount = 0
    var health = HealthMonitor()
    /// Whether the engine has reported that the receiver simulates its positions.
    var hasReportedSimulation = false
    /// The last request for the regions of servers; nil if none is in force.
    var regionQuery: RegionQuery?
    /// Whether an accelerometer is available.
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
        let count = effects.count
        (self.now, filteredCount) = (now, count)
        tendPrivacy(into: &effects)
        if power.isKeptAwake { power.followAwake(utc.time(at: now), at: now, into: &effects) }
        dispatch(event, into: &effects)
        filterRecords(into: &effects)
        if let point = equipment.logbook.takeNewPoint() { regions.recentre(at: point) }
        syncRegions(into: &effects)
        // Some options are in force only on a trip.
        let isOnTrip = equipment.logbook.trips.log.isOnTrip
        if options.dependOn(trip: isOnTrip) { resolveOptions(because: .remote, into: &effects) }
        power.updateLight(
            options.options.indicator, isTracking: !isSuspended, hasRecorded: effects.hasRecord(after: count), at: now,
            into: &effects)
    }

    mutating func dispatch(_ event: Event, into effects: inout EffectBuffer) {
        switch event {
        case .started:
            effects.append(.queueRules(QueueRules(options.options)))
            followPrivacy(into: &effects)
            let start = power.countStart(of: configuration.program)
            equipment.record(.power(.started, start: start), context, into: &effects)
            health.start(context, into: &effects)
            continueTrial(into: &effects)
            beginTracking(into: &effects)
        case .resumed(let former): resume(former, into: &effects)
        case .fix(let report): take(report, into: &effects)
        case .motion(let verdict): take(verdict, into: &effects)
        case .timer(let kind): run(kind, into: &effects)
        case .command(let command): obey(command, into: &effects)
        case .ignition(let isOn):
            if power.turn(ignition: isOn), !isSuspended {
                equipment.record(.power(isOn ? .ignitionOn : .ignitionOff), context, into: &effects)
            }
            safety.watchTow(.ignition(isOn: isOn), context, equipment.logbook, into: &effects)
            pass(.ignition(isOn: isOn), into: &effects)
        case .privateSwitch(let isOn): turn(privateSwitch: isOn, into: &effects)
        case .wallClock(let time, let isTrusted):
            correct(by: utc.learn(system: time, isTrusted: isTrusted, at: now), into: &effects)
            if isTrusted { health.clockIsSet(context, equipment.logbook, into: &effects) }
            updateSchedule(into: &effects)
        case .power(let change): power.note(change, context, equipment.logbook, into: &effects)
        case .supply(let voltage): measure(voltage, into: &effects)
        case .motionSensor(let isThere):
            hasMotionSensor = isThere
            if configuration.expectsMotionSensor { note(.accelerometer, isFaulty: !isThere, into: &effects) }
            effects.decide(
                .sensor,
                isThere ? "the accelerometer answers" : "no accelerometer; motion is judged from fixes alone")
            pass(.motionSensor, into: &effects)
        case .receiver(let isThere): effects.decide(.sensor, "the receiver is \(isThere ? "available" : "unavailable")")
        case .receiverLines(let canBeSet):
            equipment.receiver.noteLines(canBeSet: canBeSet, context, equipment.logbook, into: &effects)
        case .beacon(let sighting):
            guard usesBeacons else { return }
            carryOut(beacons.hear(sighting, at: now, into: &effects), into: &effects)
        case .beaconScanner(let isListening):
            carryOut(beacons.note(isListening: isListening, at: now, into: &effects), into: &effects)
        case .serverRegions(let servers): regions.set(servers)
        case .options(let origin, let layers): set(layers, by: origin, into: &effects)
        case .remoteOptions(let layers, let target): trySet(layers, from: target, into: &effects)
        case .delivered(let target): confirmOptions(by: target, into: &effects)
        case .order(let report): equipment.record(.order(report), context, into: &effects)
        case .configuration(let changed): follow(changed, into: &effects)
        case .transferErrors(let count):
            health.note(transferErrors: count, context, equipment.logbook, into: &effects)
        case .storage(let fault): note(.storage, isFaulty: fault != nil, reason: fault, into: &effects)
        case .databaseSetAside(let reason):
            health.record(.databaseSetAside, reason: reason, context, equipment.logbook, into: &effects)
        case .databaseExchanged:
            health.record(.databaseExchanged, context, equipment.logbook, into: &effects)
        case .recordsMissing(let reason):
            health.record(.recordsMissing, reason: reason, context, equipment.logbook, into: &effects)
        case .recordsRemoved(let reason):
            health.record(.recordsRemoved, reason: reason, context, equipment.logbook, into: &effects)
        case .sentTimes(let correction):
            health.record(.sentTimesWrong, correction: correction, context, equipment.logbook, into: &effects)
        case .haltRefused(let reason):
            power.haltWasRefused(because: reason, into: &effects)
            health.record(.haltRefused, reason: reason, context, equipment.logbook, into: &effects)
        case .safeMode(let reason):
            health.record(.safeMode, reason: reason, context, equipment.logbook, into: &effects)
        }
    }

    mutating func run(_ timer: TimerKind, into effects: inout EffectBuffer) {
        switch timer {
        case .health: equipment.receiver.healthTimer(context, equipment.logbook, into: &effects)
        case .request:
            let answers = requests.timedOut(at: now)
            requests.record(answers, context, &equipment, into: &effects)
        case .tripGap: equipment.logbook.endGap(context, into: &effects)
        case .schedule: updateSchedule(into: &effects)
        case .privacy: armPrivacy(into: &effects)
        case .regions:
            guard !isSuspended else { return }
            let place = equipment.logbook.place(isMoving: vehicle.isMoving)
            record(regions.elapse(to: utc.time(at: now).time, place: place), into: &effects)
        case .beacons: carryOut(beacons.timer(at: now), into: &effects)
        case .scan: rescan(into: &effects)
        case .condition: health.timer(context, equipment.logbook, into: &effects)
        case .holdUploads: carryOut(power.holdUploadsNow(context, into: &effects), into: &effects)
        case .halt:
            let isInUse = power.ignition == true || requests.isWaiting || equipment.receiver.isOn
            power.haltIfIdle(isInUse: isInUse, context, equipment.logbook, into: &effects)
        case .light: power.lightTimer(context, into: &effects)
        case .trial: rollBack(into: &effects)
        case .stillness, .check, .update, .heartbeat, .fixTimeout, .acquire, .silence, .falseStart:
            pass(.timer(timer), into: &effects)
        }
    }

    var context: Context {
        let tag = equipment.logbook.tag
        var context = Context(
            now: now, time: utc, options: options.shared, hasMotionSensor: hasMotionSensor,
            isMoving: vehicle.isMoving,
            labels: TripLabels(
                vehicle: beacons.names.vehicle, driver: beacons.names.driver,
                tag: gate.isOffSchedule ? options.options.tagForOffScheduleTracking ?? tag : tag),
            regions: regions.names, ignition: power.ignition, supply: power.voltage(at: now))
        context.isPlaceShaken = noise.isPlaceShaken
        context.isMotionStrong = noise.isStrong
        context.isPrivate = privacy.isPrivate
        context.privatePlaces = privacy.places
        context.publicSince = privacy.ended
        return context
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
    mutating func take(_ report: Fix, into effects: inout EffectBuffer) {
        if !equipment.receiver.isUsual(report, at: now) {
            equipment.receiver.watch(report, context, equipment.logbook, into: &effects)
        }
        if report.jamming != nil {
            equipment.receiver.watchJamming(report, context, equipment.logbook, into: &effects)
        }
        let accuracyLimit = options.shared.options.accuracyLimit
        var dated = report
        if report.time == nil, report.hasPlace, context.utc.isTrusted { dated.time = context.utc.time }
        switch equipment.receiver.judge(dated, accuracyLimit: accuracyLimit, at: now, into: &effects) {
        case .refused(let reason): effects.append(.refused(reason))
        case .accepted(let fix, let isJump):
            reportSimulation(of: fix, into: &effects)
            if isJump { equipment.logbook.noteJump(to: fix) }
            if report.time != nil { correct(by: utc.learn(fix: fix.time, at: now), into: &effects) }
            take(fix, into: &effects)
        }
    }

    /// Reports once that the receiver simulates its positions.
    private mutating func reportSimulation(of fix: AcceptedFix, into effects: inout EffectBuffer) {
        guard fix.position.solution == .simulated, !hasReportedSimulation else { return }
        hasReportedSimulation = true
        effects.decide(.sensor, "the receiver simulates its positions; they are recorded with that mark")
    }

    /// Notes the condition of a part, and records a change.
    mutating func note(
        _ part: HealthPart, isFaulty: Bool, reason: String? = nil, into effects: inout EffectBuffer
    ) {
        health.note(part, isFaulty: isFaulty, reason: reason, context, equipment.logbook, into: &effects)
    }

    mutating func take(_ fix: AcceptedFix, into effects: inout EffectBuffer) {
        tendPrivacy(into: &effects)
        checkPrivacy(of: fix, into: &effects)
        equipment.logbook.take(fix, isMoving: vehicle.isMoving)
        beginPublicTrip(at: fix, into: &effects)
        equipment.receiver.noteFix(at: now)
        if requests.isWaiting {
            let answers = requests.take(fix, at: now)
            requests.record(answers, context, &equipment, into: &effects)
        }
        // While tracking is suspended, a fix reaches neither the regions nor the driving rules nor the vehicle.
        guard !isSuspended else { return }
        regions.follow(fix.coordinate, options.options)
        let crossings = regions.take(fix)
        let hasLeftFollowed = regions.hasLeftFollowed(fix, options.shared)
        if !crossings.isEmpty || hasLeftFollowed {
            let (logbook, time) = (equipment.logbook, UTCTime(fix.time, isTrusted: true))
            let left = logbook.record(.location, at: fix.position, time, trigger: .follow, context)
            record(crossings, into: &effects)
            if hasLeftFollowed { effects.append(.record(left)) }
        }
        if options.options.drivingEvents { safety.take(.fix(fix), context, equipment.logbook, into: &effects) }
        if vehicle.isMoving, options.options.speedLimit > .zero || safety.isOverspeeding {
            safety.watchSpeed(of: fix, context, equipment.logbook, into: &effects)
        }
        pass(.fix(fix), into: &effects)
    }

    mutating func take(_ verdict: MotionVerdict, into effects: inout EffectBuffer) {
        if !isSuspended, verdict.deviation != nil {
            noise.learn(verdict, context, lastFix: equipment.logbook.lastFix)
        }
        if options.options.drivingEvents {
            safety.take(.motion(verdict), context, equipment.logbook, into: &effects)
        }
        pass(.motion(isMoving: verdict.isMoving, onset: verdict.onset), into: &effects)
    }
}

// MARK: - The state of the vehicle

extension Engine {
    /// Passes an event to the state of the vehicle, and changes the state if the event shows a departure or an arrival.
    ///
    /// While tracking is suspended, the function has no effect.
    mutating func pass(_ event: VehicleEvent, into effects: inout EffectBuffer) {
        guard !isSuspended else { return }
        equipment.borders = regions.borders
        let change = vehicle.handle(event, context, &equipment, into: &effects)
        apply(change, into: &effects)
    }

    mutating func apply(_ change: StateChange?, into effects: inout EffectBuffer) {
        switch change {
        case nil: break
        case .depart(let departure): depart(departure, into: &effects)
        case .arrive(let arrival): arrive(arrival, into: &effects)
        }
    }

    /// Changes the state to moving: writes a record at the parked place, and then searches for a fix.
    ///
    /// Without this record, the track would have a gap at its start.
    mutating func depart(_ departure: Departure, into effects: inout EffectBuffer) {
        let parked = equipment.logbook.parked
        let left = vehicle.mayDrive(since: departure.began, context)
        let entry = equipment.logbook.depart(departure, context)
        beacons.tripBegan(at: now)
        noise.depart()
        var moving = MovingState(
            options.options, since: now, parked: parked, isDoubtful: departure.cause == .motion,
            isCold: equipment.logbook.lastFix == nil, at: now)
        if let parked, departure.fix == nil { moving.depart(from: parked, at: left) }
        vehicle = .moving(Boxed(moving))
        effects.cancel(.check, .update, .heartbeat, .fixTimeout, .tripGap)
        equipment.logbook.write(entry, context, into: &effects)
        effects.append(.state(isMoving: true))
        effects.decide(.start, departure.reason)
        equipment.borders = regions.borders
        moving.enter(context, &equipment, into: &effects)
        vehicle = .moving(Boxed(moving))
        rescan(into: &effects)
        power.waitToHalt(context, into: &effects)
        if let fix = departure.fix { pass(.fix(fix), into: &effects) }
    }

    /// Changes the state to parked: writes the last fixes and the place of arrival, and then switches the receiver off
    /// unless a location request needs it.
    mutating func arrive(_ arrival: Arrival, into effects: inout EffectBuffer) {
        effects.cancel(.stillness, .silence, .falseStart, .acquire, .fixTimeout)
        safety.endOverspeed(context, equipment.logbook, into: &effects)
        equipment.logbook.arrive(arrival, context, into: &effects)
        beacons.tripEnded(at: now)
        noise.arrive(isFalseStart: arrival.isFalseStart)
        let parked = equipment.logbook.parked
        let state = ParkedState(after: arrival, isPlaceSeen: parked != nil, options.options, at: now)
        vehicle = .parked(Boxed(state))
        effects.append(.state(isMoving: false))
        effects.decide(.stop, arrival.reason)
        equipment.logbook.waitForGap(context, into: &effects)
        if arrival.foundBy == nil { equipment.want(receiver: false, context, into: &effects) }
        state.enter(context, equipment.logbook, into: &effects)
        rescan(into: &effects)
        safety.watchTow(.parked(at: parked), context, equipment.logbook, into: &effects)
        power.waitToHalt(context, into: &effects)
        guard let fix = arrival.foundBy else { return }
        // The vehicle may have driven off again before the program started.
        pass(.started, into: &effects)
        pass(.fix(fix), into: &effects)
    }

    mutating func beginTracking(into effects: inout EffectBuffer) {
        updateSchedule(into: &effects)
        start(into: &effects)
        equipment.logbook.waitForGap(context, into: &effects)
        power.waitToHalt(context, into: &effects)
    }

    /// Begins to track after a start of the program, or when tracking is no longer suspended.
    mutating func start(into effects: inout EffectBuffer) {
        pass(.started, into: &effects)
        regions.arm(context, into: &effects)
        rescan(into: &effects)
    }

    /// Parks a moving vehicle, switches the receiver off unless a location request needs it, and cancels the timers of
    /// the parked state.
    mutating func endTracking(because reason: String, into effects: inout EffectBuffer) {
        if case .moving(let state) = vehicle {
            arrive(state.value.arrival(because: reason, context), into: &effects)
        }
        equipment.want(receiver: false, context, into: &effects)
        effects.cancel(.check, .update, .heartbeat, .fixTimeout)
    }
}
