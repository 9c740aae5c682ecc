import Calendar
import Quantities
import TrackingOptions

extension Engine {
    /// Switches to one of OwnTracks' modes; that survives a restart.
    mutating func switchMode(_ mode: MonitoringMode, at now: Instant) -> [Effect] {
        layers.replace(.mode, with: [setup.layer(of: mode)])
        return resolveOptions(because: .mode, at: now)
    }

    /// Puts other options in place of those of that origin.
    mutating func setOptions(_ changed: [OptionLayer], by origin: OptionOrigin, at now: Instant) -> [Effect] {
        layers.replace(origin, with: changed)
        return resolveOptions(because: origin, at: now)
    }

    /// Works out which options hold, and follows them when they are others.
    ///
    /// The trip, the places and the odometer stay what they are; the evidence for a stop is collected anew.
    mutating func resolveOptions(because origin: OptionOrigin, at now: Instant) -> [Effect] {
        state.layers = layers
        let (before, wasSuspended) = (options, isSuspended)
        options = layers.resolve(isOnTrip: state.trips.isOnTrip).options
        guard options != before else { return [] }
        let keys = TrackingOption.all.filter { $0.value(in: options) != $0.value(in: before) }.map(\.key)
        let change = OptionsChange(origin: origin.title, keys: keys)
        let text = "\(origin.title) changes \(keys.joined(separator: ", "))"
        filter.accuracyLimit = options.accuracyLimit
        gate.follow(Schedule(options, zone: setup.zone))
        return [.record(record(.optionschange(change), at: now)), .decided(Decision(.options, text))]
            + restartPhase(at: now) + lookAtSchedule(after: wasSuspended, at: now) + rescan(at: now)
    }

    private mutating func restartPhase(at now: Instant) -> [Effect] {
        guard !isSuspended else { return [] }
        var steps: [Step]
        switch phase {
        case .stationary(var stationary):
            steps = stationary.follow(options, at: now)
            phase = .stationary(stationary)
        case .moving(let old):
            var moving = Moving(
                options, hasMotionSensor: hasMotionSensor, parked: nil, isCold: state.lastFix == nil, at: now)
            moving.follow(old)
            // What the rules so far have held back is kept: the new ones begin after it.
            steps = old.heldBack(after: state.lastRecorded?.time) + moving.enter(at: now)
            phase = .moving(moving)
        }
        if !steps.contains(.receiver(isOn: true)) { steps.insert(.receiver(isOn: false), at: 0) }
        let timers: [TimerKind] = [
            .check, .update, .heartbeat, .stillness, .silence, .acquire, .fixTimeout,
        ]
        return timers.map { .cancel($0) } + carryOut(steps, at: now)
    }
}
