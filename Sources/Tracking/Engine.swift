//  Tracking: what trackerd decides. Values in, values out: no file, no clock, no randomness; time comes with the events.
//  It may import Quantities and Motion only. Start reading here: the engine keeps what survives a restart, passes each
//  event to the state that the vehicle is in (`Stationary`, `Moving`), and turns their steps into effects.

import Motion
package import Quantities

/// The state machine at the heart of the tracker: an event in, effects out, in the order in which they must happen.
package struct Engine: Sendable {
    private enum Phase: Sendable {
        case stationary(Stationary)
        case moving(Moving)
    }

    /// What a restart needs; belongs on disk together with each record.
    package private(set) var state: EngineState

    private let options: TrackingOptions
    private var clock = ClockTrust()
    private var filter: FixFilter
    private var phase: Phase
    private var hasMotionSensor = false

    /// Makes an engine that goes on where `state` was left.
    package init(_ options: TrackingOptions, restoring state: EngineState = EngineState()) {
        self.options = options
        self.state = state
        filter = FixFilter(accuracyLimit: options.accuracyLimit, last: state.lastFix)
        phase =
            state.isMoving
            ? .moving(Moving(options, hasMotionSensor: false))
            : .stationary(Stationary(options, hasMotionSensor: false))
    }

    /// Takes in what happened at that moment, and says what to do about it.
    package mutating func handle(_ event: Event, at now: Instant) -> [Effect] {
        switch event {
        case .started: return forward(.started, at: now)
        case .fix(let fix): return take(fix, at: now)
        case .motion(let verdict): return forward(.motion(isMoving: verdict.isMoving), at: now)
        case .timer(let kind): return forward(.timer(kind), at: now)
        case .command(let command): return forward(.command(command), at: now)
        case .ignition(let isOn): return isOn ? forward(.ignitionOn, at: now) : []
        case .wallClock(let time, let isTrusted):
            clock.learn(system: time, isTrusted: isTrusted, at: now)
            return []
        case .motionSensor(let isThere):
            hasMotionSensor = isThere
            let text = isThere ? "the accelerometer answers" : "no accelerometer; motion is judged from fixes alone"
            return [.decided(Decision(.sensor, text))] + forward(.motionSensor(isThere: isThere), at: now)
        case .receiver(let isThere):
            return [.decided(Decision(.sensor, isThere ? "the receiver is there" : "the receiver is gone"))]
        case .beacon(let sighting):
            let name = "\(sighting.uuid) \(sighting.major) \(sighting.minor)"
            return [.decided(Decision(.beacon, "heard \(name) at \(sighting.rssi) dBm"))]
        }
    }

    private mutating func take(_ fix: Fix, at now: Instant) -> [Effect] {
        switch filter.judge(fix) {
        case .refused(let reason):
            return [.refused(reason)]
        case .accepted(let fix):
            clock.learn(fix: fix.time, at: now)
            state.lastFix = fix
            return forward(.fix(fix), at: now)
        }
    }

    private mutating func forward(_ input: Input, at now: Instant) -> [Effect] {
        let steps: [Step]
        switch phase {
        case .stationary(var stationary):
            steps = stationary.handle(input, parkedAt: state.parked?.coordinate, at: now)
            phase = .stationary(stationary)
        case .moving(var moving):
            steps = moving.handle(input, state: &state, at: now)
            phase = .moving(moving)
        }
        let effects = perform(steps, at: now)
        return steps.contains(where: \.isDeparture) && input.isFix ? effects + forward(input, at: now) : effects
    }

    private mutating func perform(_ steps: [Step], at now: Instant) -> [Effect] {
        var effects: [Effect] = []
        for step in steps {
            switch step {
            case .perform(let effect): effects.append(effect)
            case .parked(let fix): park(at: fix.position)
            case .keep(let fix): effects.append(keep(fix))
            case .depart(let departure): effects += depart(departure, at: now)
            case .arrive(let arrival):
                effects += arrive(arrival, at: now)
                return effects
            }
        }
        return effects
    }
}

// MARK: - The way from one state to the other

extension Engine {
    /// Writes the anchor at the parked place, so that the track has no gap at its start, and only then wakes the receiver.
    private mutating func depart(_ departure: Departure, at now: Instant) -> [Effect] {
        state.isMoving = true
        state.trips += 1
        let moving = Moving(options, hasMotionSensor: hasMotionSensor)
        phase = .moving(moving)
        let (time, isTrusted) = departure.parkedUntil.map { ($0, true) } ?? clock.time(at: now)
        // On the very first start no parked place is known; then the trip begins where the vehicle is.
        let start = state.parked ?? departure.position
        if let start { state.lastRecorded = .init(coordinate: start.coordinate, time: time) }
        let anchor = record(.motionchange, at: start, time: time, isTrusted: isTrusted)
        return [
            .cancel(.check), .cancel(.fixTimeout), .record(anchor), .state(isMoving: true),
            .decided(Decision(.start, departure.reason)),
        ] + perform(moving.enter(), at: now)
    }

    /// Writes the last fix and the place of arrival, and only then switches the receiver off.
    private mutating func arrive(_ arrival: Arrival, at now: Instant) -> [Effect] {
        let last = arrival.lastFix.flatMap { fix in
            state.lastRecorded?.time == fix.time ? nil : keep(fix)
        }
        state.isMoving = false
        let here = arrival.position ?? arrival.lastFix?.position ?? state.parked
        let (time, isTrusted) = arrivalTime(arrival, at: now)
        if let here {
            park(at: here)
            state.lastRecorded = .init(coordinate: here.coordinate, time: time)
        }
        let stop = record(.motionchange, at: state.parked, time: time, isTrusted: isTrusted)
        let stationary = Stationary(options, hasMotionSensor: hasMotionSensor, isShaking: arrival.isShaking)
        phase = .stationary(stationary)
        let effects: [Effect] = [.cancel(.stillness), .cancel(.silence)] + [last].compactMap { $0 }
        return effects + [
            .record(stop), .state(isMoving: false), .decided(Decision(.stop, arrival.reason)), .receiver(isOn: false),
        ] + perform(stationary.enter(at: now), at: now)
    }

    private func arrivalTime(_ arrival: Arrival, at now: Instant) -> (time: Timestamp, isTrusted: Bool) {
        if let rested = arrival.restedSince { return (rested, true) }
        return clock.time(at: arrival.stillSince ?? now)
    }

    private mutating func park(at position: Position) {
        state.parked = position
        state.parked?.speed = nil
        state.parked?.course = nil
        state.odometer.park(at: position.coordinate)
    }

    private mutating func keep(_ fix: AcceptedFix) -> Effect {
        state.lastRecorded = .init(coordinate: fix.coordinate, time: fix.time)
        return .record(record(.location, at: fix.position, time: fix.time, isTrusted: true))
    }

    private func record(_ content: Record.Content, at place: Position?, time: Timestamp, isTrusted: Bool) -> Record {
        Record(
            content, time: time, isTimeTrusted: isTrusted, position: place, isMoving: state.isMoving,
            odometer: state.odometer.distance, trip: state.trips > 0 ? state.trips : nil)
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
