//  Further inputs of the engine: regions and beacons, options, a changed configuration, commands, and a stored state
//  that the store found only after the start.

import Quantities
import TrackingOptions

// MARK: - Regions and beacons

extension Engine {
    /// Whether trackerd may scan for beacons: the option is on, or a beacon is configured and no option forbids the
    /// scan.
    package var usesBeacons: Bool {
        options.options.beacons || beacons.isAnyConfigured && !options.forbidBeacons
    }

    /// Watches the nearest regions of servers, and requests other regions if the vehicle has left the area that they cover.
    mutating func syncRegions(in turn: inout Turn) {
        let place = equipment.logbook.lastPlace
        regions.follow(place, options.options)
        let mayShare = options.options.sharesPlace && !isSuspended && !isPrivate && place != hiddenPlace
        let shared = mayShare ? place : nil
        let query = regions.query(at: shared, options.options)
        guard query != regionQuery else { return }
        regionQuery = query
        turn.effects.append(.fetchRegions(query))
    }

    mutating func record(_ crossings: [RegionCrossing], in turn: inout Turn) {
        updateFacts(of: &turn)
        for crossing in crossings {
            let signal = beacons.reading(of: crossing.transition.region.id, at: turn.now)
            regions.record(crossing, signal: signal, equipment.logbook, in: &turn)
            if crossing.movesWaypoint { regions.move(crossing.transition.region.id, to: crossing.position) }
            updateFacts(of: &turn)
            if let mode = crossing.mode { switchMode(to: mode, by: crossing.transition.region, in: &turn) }
        }
        regions.arm(in: &turn)
    }

    /// Switches to the mode in the name of a waypoint, unless a server has set the waypoint and may not do so at this moment.
    private mutating func switchMode(to mode: MonitoringMode, by waypoint: RegionName, in turn: inout Turn) {
        let server = regions.waypoints.first { $0.key == waypoint.id }?.server
        if let server, !configuration.serverRights.permitMode(mode, after: options.options.monitoring, to: server) {
            return turn.effects.decide(
                .options, "`\(waypoint.name)` does not switch to the mode \(mode.name), which \(server) may not do")
        }
        switchMode(to: mode, in: &turn)
    }

    mutating func carryOut(_ heard: [BeaconTracker.Effect], in turn: inout Turn) {
        updateFacts(of: &turn)
        for effect in heard {
            switch effect {
            case .entered(let id): note(beacon: id, isPresent: true, in: &turn)
            case .left(let id, _): note(beacon: id, isPresent: false, in: &turn)
            case .arm(let moment): turn.effects.arm(.beacons, at: moment)
            case .cancel: turn.effects.cancel(.beacons)
            }
        }
    }

    mutating func note(beacon id: String, isPresent: Bool, in turn: inout Turn) {
        let place = equipment.logbook.place(isMoving: vehicle.isMoving)
        let time = turn.utc.time
        let crossings = regions.take(beacon: id, isPresent: isPresent, at: time, place: place)
        record(crossings, in: &turn)
    }

    /// Sets the scan duty that the present state requires.
    mutating func rescan(in turn: inout Turn) {
        let heard = beacons.rescan(movingSince: vehicle.movingSince, isOn: usesBeacons && !isSuspended, in: &turn)
        carryOut(heard, in: &turn)
    }

    /// Scans for the beacons of the regions that are watched now.
    mutating func listenForRegions(in turn: inout Turn) {
        beacons.watch(regions.regions)
        updateFacts(of: &turn)
        rescan(in: &turn)
    }
}

// MARK: - Options

extension Engine {
    /// Switches to a monitoring mode, which survives a restart; nil returns to the configured mode.
    mutating func switchMode(to mode: MonitoringMode?, in turn: inout Turn) {
        options.replace(mode: mode, configuration)
        resolveOptions(because: .mode, in: &turn)
    }

    mutating func set(_ layers: [OptionLayer], by origin: OptionOrigin, in turn: inout Turn) {
        options.replace(origin, with: layers)
        resolveOptions(because: origin, in: &turn)
    }

    /// Determines the options in force, and applies them if they have changed.
    ///
    /// The trip, the places and the odometer do not change, but the rules discard their evidence of a departure or a
    /// stop.
    mutating func resolveOptions(because origin: OptionOrigin, in turn: inout Turn) {
        let wasSuspended = isSuspended
        guard let change = options.resolve(isOnTrip: equipment.logbook.trips.log.isOnTrip) else {
            // The layers may now forbid or allow beacons, although the value of the option `beacons` is the same.
            return rescan(in: &turn)
        }
        gate.follow(options.options)
        updateFacts(of: &turn)
        let rules = QueueRules(options.options)
        if rules != QueueRules(change.before) { turn.effects.append(.queueRules(rules)) }
        let withheld = options.resolved.withheld.map(\.key).joined(separator: ", ")
        if !withheld.isEmpty {
            turn.effects.decide(.options, "the owner's values apply, not the server's: \(withheld)")
        }
        let record = OptionsChange(origin: origin.title, keys: change.keys)
        equipment.record(.optionschange(record), in: &turn)
        turn.effects.decide(.options, "\(origin.title) changes \(change.keys.joined(separator: ", "))")
        followPrivacy(in: &turn)
        if !isSuspended {
            turn.effects.cancel(.check, .update, .heartbeat, .stillness, .silence, .acquire, .fixTimeout)
            equipment.borders = regions.borders
            vehicle.optionsChanged(from: change.before, &equipment, in: &turn)
        }
        updateSchedule(wasSuspended: wasSuspended, in: &turn)
        carryOut(beacons.follow(exitDelay: options.options.beaconExitDelay, at: turn.now), in: &turn)
        rescan(in: &turn)
    }

    mutating func measure(_ voltage: Volts, in turn: inout Turn) {
        carryOut(power.measure(voltage, equipment.logbook, in: &turn), in: &turn)
    }

    mutating func carryOut(_ saving: PowerManager.Saving?, in turn: inout Turn) {
        switch saving {
        case nil: break
        case .begins:
            set([PowerManager.savingLayer], by: .supply, in: &turn)
            // Request the delivery after the records of this event. Then servers receive the record of the low battery
            // before uploads pause.
            turn.effects.append(.deliver)
        case .ends: set([], by: .supply, in: &turn)
        }
    }
}

// MARK: - A changed configuration

extension Engine {
    /// Applies a configuration that was read again; the trip, the state of the vehicle and the waypoints remain.
    mutating func follow(_ changed: EngineConfiguration, in turn: inout Turn) {
        let (former, wasSuspended) = (configuration, isSuspended)
        configuration = former.adopting(changed)
        if changed.regions != former.regions { regions.configure(changed.regions) }
        if changed.markedBeacons != former.markedBeacons {
            beacons.identify(changed.markedBeacons, isOnTrip: vehicle.isMoving)
        }
        options.follow(configuration)
        updateFacts(of: &turn)
        resolveOptions(because: .file, in: &turn)
        // The following calls apply a changed time zone and changed regions, even if no option has changed.
        followPrivacy(in: &turn)
        gate.follow(options.options, zone: configuration.zone)
        updateSchedule(wasSuspended: wasSuspended, in: &turn)
        regions.arm(in: &turn)
        listenForRegions(in: &turn)
    }
}

// MARK: - Commands

extension Engine {
    mutating func obey(_ command: Command, in turn: inout Turn) {
        switch command {
        case .move: pass(.move, in: &turn)
        case .stay: pass(.stay, in: &turn)
        case .locate(let request): requests.start(request, &equipment, in: &turn)
        case .startTrip(let report): startTrip(report, in: &turn)
        case .endTrip: equipment.logbook.endTrip(in: &turn)
        case .tag(let tag): equipment.logbook.tag = tag
        case .odometer(let distance): equipment.logbook.setOdometer(to: distance)
        case .tracking(let isOn): track(isOn, in: &turn)
        case .privacy(let isOn, let span): holdPrivacy(isOn, for: span, in: &turn)
        case .stayAwake(let span): power.stayAwake(for: span, in: &turn)
        case .mode(let mode): switchMode(to: mode, in: &turn)
        case .waypoint(let waypoint):
            guard regions.set(waypoint, into: &turn.effects) else { return }
            updateFacts(of: &turn)
            regions.record(waypoint, equipment.logbook, in: &turn)
            listenForRegions(in: &turn)
        case .forgetWaypoint(let key):
            regions.forget(key)
            listenForRegions(in: &turn)
        case .clearWaypoints:
            regions.forgetAll()
            listenForRegions(in: &turn)
        }
    }

    /// Starts a trip by command; the state becomes Moving unless tracking is suspended.
    ///
    /// A later stop does not end this trip. A command that repeats the trip under way has no effect.
    mutating func startTrip(_ report: TripReport, in turn: inout Turn) {
        guard !isPrivate else { return turn.effects.decide(.request, "no trip begins: \(RequestAnswer.isPrivate)") }
        guard equipment.logbook.startTrip(report, isTracking: !isSuspended, in: &turn) else { return }
        pass(.move, in: &turn)
    }

    /// Switches tracking on or off.
    mutating func track(_ isOn: Bool, in turn: inout Turn) {
        let (wasSuspended, reason) = (isSuspended, "tracking was switched off")
        // `suspend` ends a trip only if tracking was not suspended before.
        if !isOn { endTracking(because: reason, in: &turn) }
        gate.isSwitchedOff = !isOn
        suspend(from: wasSuspended, because: reason, in: &turn)
    }
}

// MARK: - A state that the store found only after the start

extension Engine {
    /// Whether the engine can continue from a state that the store found only after the start.
    ///
    /// The vehicle must be parked, and no location request may wait.
    package var canResume: Bool { !vehicle.isMoving && !requests.isWaiting }

    /// Continues from a state that the store found only after the start, in the same way as the program continues at
    /// its start.
    mutating func resume(_ former: EngineState, in turn: inout Turn) {
        let (isOdometerSet, live) = (equipment.logbook.isOdometerSet, state.privacy.privacy)
        if equipment.receiver.isOn { turn.effects.append(.receiver(isOn: false)) }
        var resumed = Engine(
            configuration, serverRegions: regions.sync.servers,
            restoring: former.continued(by: state, isOdometerSet: isOdometerSet))
        (resumed.utc, resumed.hasMotionSensor, resumed.health) = (utc, hasMotionSensor, health)
        resumed.equipment.receiver.resume(from: equipment.receiver)
        resumed.beacons.resume(from: beacons)
        resumed.power.resume(from: power)
        self = resumed
        updateFacts(of: &turn)
        turn.effects.append(.queueRules(QueueRules(options.options)))
        turn.effects.decide(.options, "the state of before the start was found; going on from it")
        adoptPrivacy(former.privacy.privacy.continued(by: live), in: &turn)
        // The tracking was switched off after the start, so the trip of the earlier run ends here.
        if gate.isSwitchedOff, vehicle.isMoving { endTracking(because: "tracking was switched off", in: &turn) }
        beginTracking(in: &turn)
        options.continueTrial(in: &turn)
    }
}
