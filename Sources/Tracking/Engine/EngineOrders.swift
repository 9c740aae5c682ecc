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
    mutating func syncRegions(into effects: inout EffectBuffer) {
        let place = equipment.logbook.lastPlace
        regions.follow(place, options.options)
        let mayShare = options.options.sharesPlace && !isSuspended && !isPrivate && place != hiddenPlace
        let shared = mayShare ? place : nil
        let query = regions.query(at: shared, options.options)
        guard query != regionQuery else { return }
        regionQuery = query
        effects.append(.fetchRegions(query))
    }

    mutating func record(_ crossings: [RegionCrossing], into effects: inout EffectBuffer) {
        for crossing in crossings {
            let signal = beacons.reading(of: crossing.transition.region.id, at: now)
            regions.record(crossing, signal: signal, context, equipment.logbook, into: &effects)
            if crossing.movesWaypoint { regions.move(crossing.transition.region.id, to: crossing.position) }
            if let mode = crossing.mode { switchMode(to: mode, by: crossing.transition.region, into: &effects) }
        }
        regions.arm(context, into: &effects)
    }

    /// Switches to the mode in the name of a waypoint, unless a server has set the waypoint and may not do so at this moment.
    private mutating func switchMode(
        to mode: MonitoringMode, by waypoint: RegionName, into effects: inout EffectBuffer
    ) {
        let server = regions.waypoints.first { $0.key == waypoint.id }?.server
        if let server, !configuration.serverRights.permitMode(mode, after: options.options.monitoring, to: server) {
            return effects.decide(
                .options, "`\(waypoint.name)` does not switch to the mode \(mode.name), which \(server) may not do")
        }
        switchMode(to: mode, into: &effects)
    }

    mutating func carryOut(
        _ heard: [BeaconTracker.Effect], into effects: inout EffectBuffer
    ) {
        for effect in heard {
            switch effect {
            case .entered(let id): note(beacon: id, isPresent: true, into: &effects)
            case .left(let id, _): note(beacon: id, isPresent: false, into: &effects)
            case .arm(let moment): effects.arm(.beacons, at: moment)
            case .cancel: effects.cancel(.beacons)
            }
        }
    }

    mutating func note(
        beacon id: String, isPresent: Bool, into effects: inout EffectBuffer
    ) {
        let place = equipment.logbook.place(isMoving: vehicle.isMoving)
        let time = utc.time(at: now).time
        let crossings = regions.take(beacon: id, isPresent: isPresent, at: time, place: place)
        record(crossings, into: &effects)
    }

    /// Sets the scan duty that the present state requires.
    mutating func rescan(into effects: inout EffectBuffer) {
        let heard = beacons.rescan(
            movingSince: vehicle.movingSince, isOn: usesBeacons && !isSuspended, context, into: &effects)
        carryOut(heard, into: &effects)
    }

    /// Scans for the beacons of the regions that are watched now.
    mutating func listenForRegions(into effects: inout EffectBuffer) {
        beacons.watch(regions.regions)
        rescan(into: &effects)
    }
}

// MARK: - Options

extension Engine {
    /// Switches to a monitoring mode, which survives a restart; nil returns to the configured mode.
    mutating func switchMode(to mode: MonitoringMode?, into effects: inout EffectBuffer) {
        options.replace(mode: mode, configuration)
        resolveOptions(because: .mode, into: &effects)
    }

    mutating func set(
        _ layers: [OptionLayer], by origin: OptionOrigin, into effects: inout EffectBuffer
    ) {
        options.replace(origin, with: layers)
        resolveOptions(because: origin, into: &effects)
    }

    /// Determines the options in force, and applies them if they have changed.
    ///
    /// The trip, the places and the odometer do not change, but the rules discard their evidence of a departure or a
    /// stop.
    mutating func resolveOptions(
        because origin: OptionOrigin, into effects: inout EffectBuffer
    ) {
        let wasSuspended = isSuspended
        guard let change = options.resolve(isOnTrip: equipment.logbook.trips.log.isOnTrip) else {
            // The layers may now forbid or allow beacons, although the value of the option `beacons` is the same.
            return rescan(into: &effects)
        }
        gate.follow(options.options)
        let rules = QueueRules(options.options)
        if rules != QueueRules(change.before) { effects.append(.queueRules(rules)) }
        let withheld = options.resolved.withheld.map(\.key).joined(separator: ", ")
        if !withheld.isEmpty { effects.decide(.options, "the owner's values apply, not the server's: \(withheld)") }
        let record = OptionsChange(origin: origin.title, keys: change.keys)
        equipment.record(.optionschange(record), context, into: &effects)
        effects.decide(.options, "\(origin.title) changes \(change.keys.joined(separator: ", "))")
        followPrivacy(into: &effects)
        if !isSuspended {
            effects.cancel(.check, .update, .heartbeat, .stillness, .silence, .acquire, .fixTimeout)
            equipment.borders = regions.borders
            vehicle.optionsChanged(from: change.before, context, &equipment, into: &effects)
        }
        updateSchedule(wasSuspended: wasSuspended, into: &effects)
        carryOut(beacons.follow(exitDelay: options.options.beaconExitDelay, at: now), into: &effects)
        rescan(into: &effects)
    }

    mutating func measure(_ voltage: Volts, into effects: inout EffectBuffer) {
        carryOut(power.measure(voltage, context, equipment.logbook, into: &effects), into: &effects)
    }

    mutating func carryOut(_ saving: PowerManager.Saving?, into effects: inout EffectBuffer) {
        switch saving {
        case nil: break
        case .begins:
            set([PowerManager.savingLayer], by: .supply, into: &effects)
            // Request the delivery after the records of this event. Then servers receive the record of the low battery
            // before uploads pause.
            effects.append(.deliver)
        case .ends: set([], by: .supply, into: &effects)
        }
    }
}

// MARK: - A changed configuration

extension Engine {
    /// Applies a configuration that was read again; the trip, the state of the vehicle and the waypoints remain.
    mutating func follow(_ changed: EngineConfiguration, into effects: inout EffectBuffer) {
        let (former, wasSuspended) = (configuration, isSuspended)
        configuration = former.adopting(changed)
        if changed.regions != former.regions { regions.configure(changed.regions) }
        if changed.markedBeacons != former.markedBeacons {
            beacons.identify(changed.markedBeacons, isOnTrip: vehicle.isMoving)
        }
        options.follow(configuration)
        resolveOptions(because: .file, into: &effects)
        // The following calls apply a changed time zone and changed regions, even if no option has changed.
        followPrivacy(into: &effects)
        gate.follow(options.options, zone: configuration.zone)
        updateSchedule(wasSuspended: wasSuspended, into: &effects)
        regions.arm(context, into: &effects)
        listenForRegions(into: &effects)
    }
}

// MARK: - Commands

extension Engine {
    mutating func obey(_ command: Command, into effects: inout EffectBuffer) {
        switch command {
        case .move: pass(.move, into: &effects)
        case .stay: pass(.stay, into: &effects)
        case .locate(let request): requests.start(request, context, &equipment, into: &effects)
        case .startTrip(let report): startTrip(report, into: &effects)
        case .endTrip: equipment.logbook.endTrip(context, into: &effects)
        case .tag(let tag): equipment.logbook.tag = tag
        case .odometer(let distance): equipment.logbook.setOdometer(to: distance)
        case .tracking(let isOn): track(isOn, into: &effects)
        case .privacy(let isOn, let span): holdPrivacy(isOn, for: span, into: &effects)
        case .stayAwake(let span): power.stayAwake(for: span, context, into: &effects)
        case .mode(let mode): switchMode(to: mode, into: &effects)
        case .waypoint(let waypoint):
            guard regions.set(waypoint, into: &effects) else { return }
            regions.record(waypoint, context, equipment.logbook, into: &effects)
            listenForRegions(into: &effects)
        case .forgetWaypoint(let key):
            regions.forget(key)
            listenForRegions(into: &effects)
        case .clearWaypoints:
            regions.forgetAll()
            listenForRegions(into: &effects)
        }
    }

    /// Starts a trip by command; the state becomes Moving unless tracking is suspended.
    ///
    /// A later stop does not end this trip. A command that repeats the trip under way has no effect.
    mutating func startTrip(_ report: TripReport, into effects: inout EffectBuffer) {
        guard !isPrivate else { return effects.decide(.request, "no trip begins: \(RequestAnswer.isPrivate)") }
        guard equipment.logbook.startTrip(report, isTracking: !isSuspended, context, into: &effects) else { return }
        pass(.move, into: &effects)
    }

    /// Switches tracking on or off.
    mutating func track(_ isOn: Bool, into effects: inout EffectBuffer) {
        let (wasSuspended, reason) = (isSuspended, "tracking was switched off")
        // `suspend` ends a trip only if tracking was not suspended before.
        if !isOn { endTracking(because: reason, into: &effects) }
        gate.isSwitchedOff = !isOn
        suspend(from: wasSuspended, because: reason, into: &effects)
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
    mutating func resume(_ former: EngineState, into effects: inout EffectBuffer) {
        let (isOdometerSet, live) = (equipment.logbook.isOdometerSet, state.privacy.privacy)
        if equipment.receiver.isOn { effects.append(.receiver(isOn: false)) }
        var resumed = Engine(
            configuration, serverRegions: regions.sync.servers,
            restoring: former.continued(by: state, isOdometerSet: isOdometerSet))
        (resumed.now, resumed.utc, resumed.filteredCount) = (now, utc, filteredCount)
        (resumed.hasMotionSensor, resumed.health) = (hasMotionSensor, health)
        resumed.equipment.receiver.resume(from: equipment.receiver)
        resumed.beacons.resume(from: beacons)
        resumed.power.resume(from: power)
        self = resumed
        effects.append(.queueRules(QueueRules(options.options)))
        effects.decide(.options, "the state of before the start was found; going on from it")
        adoptPrivacy(former.privacy.privacy.continued(by: live), into: &effects)
        // The tracking was switched off after the start, so the trip of the earlier run ends here.
        if gate.isSwitchedOff, vehicle.isMoving { endTracking(because: "tracking was switched off", into: &effects) }
        beginTracking(into: &effects)
        continueTrial(into: &effects)
    }
}
