//  The module Tracking makes the decisions of trackerd; start reading here. The engine reads no file, no clock and no
//  random numbers: each event comes with its time. The engine passes the event to the components that it concerns. Each
//  component has private state, decides about one subject, and appends its effects to the buffer.

import Motion
package import Quantities
import TrackingOptions

/// Answers each event with effects, in the order in which they are to be carried out.
package struct Engine: Sendable {
    private var utc = UTCEstimate()
    private var hasMotionSensor = false
    private var settings: Settings
    private var privacy: Privacy
    private var journey: Journey
    private var surroundings: Surroundings
    private var power: PowerManager
    private var health = HealthMonitor()

    /// `serverRegions` are the stored regions of the targets' servers.
    package init(
        _ configuration: EngineConfiguration, serverRegions: [ServerRegions] = [],
        restoring state: EngineState = EngineState()
    ) {
        settings = Settings(
            configuration, restoring: state.options, state.gate, isOnTrip: state.logbook.trips.isDeclared)
        let options = settings.options
        privacy = Privacy(options, configuration, restoring: state.privacy)
        journey = Journey(configuration, options, restoring: state)
        let place = journey.logbook.lastPlace
        surroundings = Surroundings(configuration, servers: serverRegions, near: place, options, restoring: state)
        power = PowerManager(configuration.power, bootID: configuration.program.bootID, restoring: state.power)
    }

    package var status: EngineStatus {
        EngineStatus(utc, hasMotionSensor: hasMotionSensor, settings, privacy, journey, surroundings, power)
    }

    /// What a restart needs; the store writes it to disk with each record.
    package var state: EngineState { status.state }

    package var isMoving: Bool { journey.isMoving }

    package var isPrivate: Bool { privacy.isPrivate }

    /// True if a server's options are in force, but not proven yet.
    package var isTryingOptions: Bool { settings.trial != nil }

    package var lastFix: AcceptedFix? { journey.logbook.lastFix }

    package var odometer: Metres { journey.logbook.odometer.distance }

    /// The store dates its data by this estimate too.
    package var utcEstimate: UTCEstimate { utc }

    package mutating func handle(_ event: Event, at now: Instant, into effects: inout EffectBuffer) {
        var turn = Turn(at: now, settings.shared)
        updateFacts(of: &turn)
        // The buffer moves into the turn and back, because a copy would cost time.
        swap(&turn.effects, &effects)
        let count = turn.effects.count
        turn.filteredCount = count
        privacy.tend(&journey.logbook, in: &turn)
        power.followAwake(in: &turn)
        dispatch(event, in: &turn)
        if let tow = journey.takeTow() {
            privacy.reveal(&journey.logbook, in: &turn)
            journey.logbook.record(.driving(tow), in: &turn)
        } else if turn.driver == .heard {
            privacy.driverReturned(&journey.logbook, in: &turn)
        }
        if let point = journey.logbook.takeNewPoint() { surroundings.recentre(at: point) }
        let hidden = privacy.hiddenPlace(journey.logbook, isMoving: isMoving)
        surroundings.sync(journey.logbook, hidden: hidden, in: &turn)
        // Some options are in force only in a declared trip.
        if settings.dependOn(trip: journey.logbook.trips.log.isDeclared) {
            updateFacts(of: &turn)
            apply(settings.followTrip(journey.logbook, in: &turn), in: &turn)
        }
        privacy.filterRecords(journey.logbook, in: &turn)
        journey.logbook.limitRecords(after: count, in: &turn)
        power.updateLight(hasRecorded: turn.effects.hasRecord(after: count), in: &turn)
        swap(&turn.effects, &effects)
    }

    /// Call it when a component that provides a fact has changed.
    private func updateFacts(of turn: inout Turn) {
        (turn.time, turn.hasMotionSensor) = (utc, hasMotionSensor)
        settings.updateFacts(of: &turn, tag: journey.logbook.tag)
        journey.updateFacts(of: &turn)
        surroundings.updateFacts(of: &turn)
        power.updateFacts(of: &turn)
        privacy.updateFacts(of: &turn)
    }

    private mutating func dispatch(_ event: Event, in turn: inout Turn) {
        switch event {
        case .started: start(in: &turn)
        case .resumed(let former): resume(former, in: &turn)
        case .fix(let report): handle(report, in: &turn)
        case .motion(let verdict):
            journey.feel(verdict, in: &turn)
            pass(.motion(verdict), in: &turn)
        case .timer(let kind): handle(kind, in: &turn)
        case .command(let command): obey(command, in: &turn)
        case .ignition(let isOn):
            if isOn { privacy.driverReturned(&journey.logbook, in: &turn) }
            power.turn(ignition: isOn, journey.logbook, in: &turn)
            journey.ignitionChanged(isOn: isOn, in: &turn)
            pass(.ignition(isOn: isOn), in: &turn)
        case .privateSwitch(let isOn): privacy.turn(switch: isOn, &journey.logbook, in: &turn)
        case .wallClock(let time, let isTrusted):
            correct(by: utc.learn(system: time, isTrusted: isTrusted, at: turn.now), in: &turn)
            if isTrusted { health.clockIsSet(journey.logbook, in: &turn) }
            updateSchedule(in: &turn)
        case .power(let change): power.note(change, journey.logbook, in: &turn)
        case .supply(let voltage): apply(power.measure(voltage, journey.logbook, in: &turn), in: &turn)
        case .motionSensor(let isThere):
            (hasMotionSensor, turn.hasMotionSensor) = (isThere, isThere)
            if settings.configuration.expectsMotionSensor {
                health.note(.accelerometer, isFaulty: !isThere, journey.logbook, in: &turn)
            }
            turn.effects.decide(
                .sensor,
                isThere ? "the accelerometer answers" : "no accelerometer; motion is judged from fixes alone")
            pass(.motionSensor, in: &turn)
        case .receiver(let isThere):
            turn.effects.decide(.sensor, "the receiver is \(isThere ? "available" : "unavailable")")
        case .receiverLines(let canBeSet): journey.receiverLines(canBeSet: canBeSet, in: &turn)
        case .beacon(let sighting): carryOut(surroundings.hear(sighting, in: &turn), in: &turn)
        case .beaconScanner(let isListening): surroundings.adapterChanged(isListening: isListening, in: &turn)
        case .serverRegions(let servers): surroundings.setServers(servers)
        case .options(let origin, let layers): set(layers, by: origin, in: &turn)
        case .remoteOptions(let layers, let target):
            settings.beginTrial(of: target, in: &turn)
            set(layers.map { $0.named(target) }, by: .remote, in: &turn)
        case .delivered(let target): settings.confirmTrial(by: target, in: &turn)
        case .order(let report): journey.logbook.record(.order(report), in: &turn)
        case .configuration(let changed): follow(changed, in: &turn)
        case .transferErrors(let count): health.note(transferErrors: count, journey.logbook, in: &turn)
        case .storage(let fault):
            health.note(.storage, isFaulty: fault != nil, reason: fault, journey.logbook, in: &turn)
        case .health(let report): journey.logbook.record(.health(report), in: &turn)
        case .haltRefused(let reason): power.haltWasRefused(because: reason, journey.logbook, in: &turn)
        }
    }

    private mutating func handle(_ timer: TimerKind, in turn: inout Turn) {
        switch timer {
        case .health: journey.receiverTimer(in: &turn)
        case .request: journey.requestTimer(in: &turn)
        case .tripGap: journey.logbook.endGap(in: &turn)
        case .schedule: updateSchedule(in: &turn)
        case .privacy: privacy.arm(in: &turn)
        case .regions:
            guard !turn.isSuspended else { return }
            record(surroundings.elapse(at: journey.place, in: &turn), in: &turn)
        case .beacons: carryOut(surroundings.beaconTimer(at: turn.now), in: &turn)
        case .scan: rescan(in: &turn)
        case .condition: health.timer(journey.logbook, in: &turn)
        case .holdUploads: apply(power.holdUploadsNow(in: &turn), in: &turn)
        case .halt:
            power.haltIfIdle(isInUse: journey.hasRequests || journey.receiver.isOn, journey.logbook, in: &turn)
        case .light: power.lightTimer(in: &turn)
        case .trial: if let former = settings.endTrial(in: &turn) { set(former, by: .remote, in: &turn) }
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

    private mutating func obey(_ command: Command, in turn: inout Turn) {
        switch command {
        case .move: pass(.move, in: &turn)
        case .stay: pass(.stay, in: &turn)
        case .locate(let request): journey.locate(request, in: &turn)
        case .startTrip(let report):
            guard !isPrivate else { return turn.effects.decide(.request, "no trip begins: \(RequestAnswer.isPrivate)") }
            if journey.logbook.startTrip(report, in: &turn) { pass(.move, in: &turn) }
        case .endTrip:
            if journey.endTrip(in: &turn) { pass(.stay, in: &turn) }
        case .tag(let tag): journey.logbook.tag = tag
        case .odometer(let distance): journey.logbook.setOdometer(to: distance)
        case .tracking(let isOn):
            let (wasSuspended, reason) = (turn.isSuspended, "tracking was switched off")
            // `suspend` ends a trip only if tracking was not suspended before.
            if !isOn { endTracking(because: reason, in: &turn) }
            settings.switchTracking(isOn: isOn, in: &turn)
            suspend(from: wasSuspended, because: reason, in: &turn)
        case .privacy(let isOn, let span): privacy.command(isOn, for: span, &journey.logbook, in: &turn)
        case .stayAwake(let span): power.stayAwake(for: span, in: &turn)
        case .mode(let mode): switchMode(to: mode, in: &turn)
        case .waypoint(let waypoint):
            if surroundings.set(waypoint, journey.logbook, in: &turn) { rescan(in: &turn) }
        case .forgetWaypoint(let key):
            surroundings.forget(key, journey.logbook, in: &turn)
            rescan(in: &turn)
        case .clearWaypoints:
            surroundings.forgetWaypoints(journey.logbook, in: &turn)
            rescan(in: &turn)
        }
    }

    // MARK: Fixes

    private mutating func handle(_ report: Fix, in turn: inout Turn) {
        guard let fix = journey.accept(report, in: &turn) else { return }
        if report.time != nil { correct(by: utc.learn(fix: fix.time, at: turn.now), in: &turn) }
        privacy.check(fix, &journey.logbook, in: &turn)
        journey.take(fix, isPublicAgain: privacy.isPublicAgain, in: &turn)
        // While tracking is suspended, a fix reaches neither the regions nor the driving rules nor the vehicle.
        guard !turn.isSuspended else { return }
        // Fixes at rest share one error, so several of them prove no crossing; the arrival judges the borders instead.
        let (crossings, hasLeftFollowed) =
            journey.isAtRest ? ([], false) : surroundings.cross(fix, journey.logbook, in: &turn)
        if !crossings.isEmpty || hasLeftFollowed {
            let time = UTCTime(fix.time, isTrusted: true)
            let left = journey.logbook.record(.location, at: fix.position, time, trigger: .follow, turn)
            record(crossings, in: &turn)
            if hasLeftFollowed { turn.effects.append(.record(left)) }
        }
        journey.judgeDriving(at: fix, in: &turn)
        pass(.fix(fix), in: &turn)
    }

    /// Adopts the new estimate of UTC; what an untrusted or wrong clock has dated is corrected by `span`, unless that is nil.
    private mutating func correct(by span: Duration?, in turn: inout Turn) {
        turn.time = utc
        guard let span else { return }
        turn.effects.append(.correctTimestamps(before: turn.now, by: span))
        journey.logbook.correct(by: span)
        privacy.correct(by: span, &journey.logbook, in: &turn)
        health.clockIsSet(journey.logbook, in: &turn)
        updateSchedule(in: &turn)
    }

    // MARK: Tracking

    /// The vehicle gets no event while tracking is suspended.
    private mutating func pass(_ event: VehicleEvent, in turn: inout Turn) {
        guard !turn.isSuspended,
            let change = journey.handle(event, within: surroundings.borders, in: &turn)
        else { return }
        apply(change, in: &turn)
    }

    private mutating func apply(_ change: StateChange, in turn: inout Turn) {
        let events = journey.apply(change, &surroundings, in: &turn)
        if case .arrive = change, !turn.isSuspended, journey.logbook.parked != nil, let fix = lastFix {
            record(surroundings.cross(fix, hasArrived: true, journey.logbook, in: &turn).crossings, in: &turn)
        }
        power.waitToHalt(in: &turn)
        for event in events { pass(event, in: &turn) }
    }

    private mutating func start(in turn: inout Turn) {
        turn.effects.append(.queueRules(QueueRules(turn.options)))
        privacy.follow(settings.configuration, &journey.logbook, in: &turn)
        let report = power.countStart(of: settings.configuration.program)
        journey.logbook.record(.power(.started, start: report), in: &turn)
        health.start(in: &turn)
        settings.continueTrial(in: &turn)
        beginTracking(in: &turn)
    }

    private mutating func beginTracking(in turn: inout Turn) {
        updateSchedule(in: &turn)
        startTracking(in: &turn)
        journey.logbook.waitForGap(in: &turn)
        power.waitToHalt(in: &turn)
    }

    /// Call it after a start of the program, or after a suspension.
    private mutating func startTracking(in turn: inout Turn) {
        pass(.started, in: &turn)
        surroundings.arm(in: &turn)
        rescan(in: &turn)
    }

    /// Parks a moving vehicle; a location request may keep the receiver on.
    private mutating func endTracking(because reason: String, in turn: inout Turn) {
        if let arrival = journey.arrival(because: reason, turn) { apply(.arrive(arrival), in: &turn) }
        journey.end(in: &turn)
    }

    /// `wasSuspended` is whether tracking was suspended before the event; nil if the event has not changed that yet.
    private mutating func updateSchedule(wasSuspended: Bool? = nil, in turn: inout Turn) {
        let (wasSuspended, tag) = (wasSuspended ?? turn.isSuspended, journey.logbook.tag)
        guard let change = settings.updateSchedule(wasSuspended: wasSuspended, tag: tag, in: &turn) else { return }
        suspend(from: wasSuspended, because: change.reason, in: &turn)
        if let next = change.next { turn.effects.arm(.schedule, at: next) }
    }

    private mutating func suspend(from wasSuspended: Bool, because reason: String, in turn: inout Turn) {
        switch (wasSuspended, turn.isSuspended) {
        case (false, true):
            endTracking(because: reason, in: &turn)
            rescan(in: &turn)
        case (true, false): startTracking(in: &turn)
        case (true, true), (false, false): break
        }
    }

    // MARK: Regions and beacons

    private mutating func record(_ crossings: [RegionCrossing], in turn: inout Turn) {
        let rights = settings.configuration.serverRights
        for crossing in crossings {
            let mode = surroundings.record(crossing, journey.logbook, rights, in: &turn)
            if let mode { switchMode(to: mode, in: &turn) }
        }
        surroundings.arm(in: &turn)
    }

    private mutating func carryOut(_ heard: [BeaconTracker.Effect], in turn: inout Turn) {
        for effect in heard {
            guard let crossings = surroundings.carryOut(effect, at: journey.place, in: &turn) else { continue }
            record(crossings, in: &turn)
        }
    }

    private mutating func rescan(in turn: inout Turn) {
        surroundings.rescan(movingSince: journey.movingSince, in: &turn)
    }

    // MARK: Options

    private mutating func switchMode(to mode: MonitoringMode?, in turn: inout Turn) {
        apply(settings.replace(mode: mode, journey.logbook, in: &turn), in: &turn)
    }

    private mutating func set(_ layers: [OptionLayer], by origin: OptionOrigin, in turn: inout Turn) {
        apply(settings.replace(origin, with: layers, journey.logbook, in: &turn), in: &turn)
    }

    private mutating func apply(_ saving: PowerManager.Saving?, in turn: inout Turn) {
        guard let saving else { return }
        set(saving.layers, by: .supply, in: &turn)
        // Deliver after the event's records: servers must receive the record of the low battery before uploads pause.
        if saving == .begins { turn.effects.append(.deliver) }
    }

    /// Trip, places and odometer stay; the rules discard their evidence of a departure or a stop.
    private mutating func apply(_ change: Settings.Change?, in turn: inout Turn) {
        guard let change else { return rescan(in: &turn) }
        privacy.follow(settings.configuration, &journey.logbook, in: &turn)
        if !turn.isSuspended {
            journey.optionsChanged(from: change.before, within: surroundings.borders, in: &turn)
        }
        updateSchedule(wasSuspended: change.wasSuspended, in: &turn)
        surroundings.followExitDelay(in: &turn)
        rescan(in: &turn)
    }

    /// Trip, state of the vehicle and waypoints stay.
    private mutating func follow(_ changed: EngineConfiguration, in turn: inout Turn) {
        let wasSuspended = turn.isSuspended
        surroundings.follow(changed, insteadOf: settings.configuration, journey.logbook, in: &turn)
        apply(settings.follow(changed, journey.logbook, in: &turn), in: &turn)
        // The following calls apply a changed time zone and changed regions, even if no option has changed.
        privacy.follow(settings.configuration, &journey.logbook, in: &turn)
        settings.followZone()
        updateSchedule(wasSuspended: wasSuspended, in: &turn)
        surroundings.arm(in: &turn)
        surroundings.listen(in: &turn)
        rescan(in: &turn)
    }

    // MARK: A state that the store found only after the start

    package var canResume: Bool { !isMoving && !journey.hasRequests }

    /// Continues from a state that the store found only after the start, as if it had been there at the start.
    private mutating func resume(_ former: EngineState, in turn: inout Turn) {
        let live = state
        if journey.receiver.isOn { turn.effects.append(.receiver(isOn: false)) }
        var resumed = Engine(
            settings.configuration, serverRegions: surroundings.servers,
            restoring: former.continued(by: live, isOdometerSet: journey.logbook.isOdometerSet))
        (resumed.utc, resumed.hasMotionSensor, resumed.health) = (utc, hasMotionSensor, health)
        resumed.journey.resume(from: journey)
        resumed.surroundings.resume(from: surroundings)
        resumed.power.resume(from: power)
        self = resumed
        updateFacts(of: &turn)
        turn.effects.append(.queueRules(QueueRules(turn.options)))
        turn.effects.decide(.options, "the state from before the start was found; tracking continues from it")
        let merged = former.privacy.privacy.continued(by: live.privacy.privacy)
        privacy.adopt(merged, settings.configuration, &journey.logbook, in: &turn)
        // Tracking was switched off after the start, so the trip of the earlier run ends here.
        if settings.isSwitchedOff, isMoving { endTracking(because: "tracking was switched off", in: &turn) }
        beginTracking(in: &turn)
        settings.continueTrial(in: &turn)
    }
}
