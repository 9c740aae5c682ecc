//  A program that starts while its disk is away begins without its state. When the disk comes back, the state of before the
//  start is found late, and the engine goes on from it: with the odometer, the trips and what an owner has set.

import Quantities
import TrackingOptions

extension EngineState {
    /// This state, found late, after the engine has begun without it and come to `live`.
    ///
    /// What counts is added up; where the vehicle is now counts more than where it was, unless a trip was under way.
    ///
    /// `isOdometerSet`: somebody has set the odometer since the start, so that it is right as it is.
    func continued(by live: EngineState, isOdometerSet: Bool) -> EngineState {
        var state = self
        if live.lastFix != nil { state.odometer = live.odometer }
        state.odometer.set(
            to: isOdometerSet ? live.odometer.distance : odometer.distance + live.odometer.distance)
        state.trips.countOn(by: live.trips.count)
        if !isMoving, live.lastFix != nil {
            state.parked = live.parked ?? parked
            state.parkedSince = live.parkedSince ?? parkedSince
            state.lastFix = live.lastFix
            state.lastRecorded = live.lastRecorded ?? lastRecorded
            state.stays = live.stays
        }
        state.layers = live.layers.completed(by: layers)
        if live.names != VehicleDetection.Names() { state.names = live.names }
        state.isSwitchedOff = isSwitchedOff || live.isSwitchedOff
        state.tag = live.tag ?? tag
        state.timeToFirstFix = timeToFirstFix ?? live.timeToFirstFix
        let set = Set(live.waypoints.map(\.key))
        state.waypoints = waypoints.filter { !set.contains($0.key) } + live.waypoints
        let following = Set(live.followed.map(\.name))
        state.followed = followed.filter { !following.contains($0.name) } + live.followed
        return state
    }
}

extension Record {
    /// The record, with distance and trip counted on from a state that was found late.
    package func continued(from former: EngineState) -> Record {
        var record = self
        record.odometer = odometer + former.odometer.distance
        record.trip = trip.map { $0 + former.trips.count }
        if case .trip(var report) = content {
            report.number = report.number.map { $0 + former.trips.count }
            record.content = .trip(report)
        }
        return record
    }
}

extension Engine {
    /// Whether a state that was found late can be taken over now: the vehicle is parked and nobody waits for a location.
    package var canResume: Bool { !state.isMoving && !requests.isWaiting }

    /// Goes on from a state that was found late, as a program does that starts now.
    mutating func resume(_ former: EngineState, at now: Instant) -> [Effect] {
        let live = self
        let wasReceiverOn = power.isOn
        self = Engine(setup, restoring: former.continued(by: live.state, isOdometerSet: live.isOdometerSet))
        clock = live.clock
        isListening = live.isListening
        hasMotionSensor = live.hasMotionSensor
        provider = live.provider
        canSwitchReceiver = live.canSwitchReceiver
        (supply, isSupplyLost) = (live.supply, live.isSupplyLost)
        (isIgnitionOn, light, areUploadsHeld) = (live.isIgnitionOn, live.light, live.areUploadsHeld)
        let text = "the state of before the start was found; going on from it"
        return (wasReceiverOn ? [.receiver(isOn: false)] : []) + [.decided(Decision(.options, text))]
            + lookAtSchedule(at: now) + start(at: now) + waitForGap(at: now) + waitToHalt(at: now)
    }
}
