//  A program that starts while its disk is away begins without its state. When the disk comes back, the state of before the
//  start is found late, and the engine goes on from it: with the odometer, the trips and what an owner has set.

import TrackingOptions
import Quantities

extension EngineState {
    /// This state, found late, after the engine has begun without it and come to `live`.
    ///
    /// What counts is added up; where the vehicle is now counts more than where it was, unless a trip was under way.
    ///
    /// `isOdometerSet`: somebody has set the odometer since the start, so that it is right as it is.
    func continued(by live: EngineState, isOdometerSet: Bool) -> EngineState {
        var state = self
        let isElsewhere = !isMoving && live.logbook.lastFix != nil
        state.logbook = logbook.continued(by: live.logbook, isElsewhere: isElsewhere, isOdometerSet: isOdometerSet)
        state.regions = regions.continued(by: live.regions, isElsewhere: isElsewhere)
        state.beacons = beacons.continued(by: live.beacons)
        state.options.layers = live.options.layers.completed(by: options.layers)
        state.gate.isSwitchedOff = gate.isSwitchedOff || live.gate.isSwitchedOff
        state.receiver.timeToFirstFix = receiver.timeToFirstFix ?? live.receiver.timeToFirstFix
        return state
    }
}

extension Logbook.Snapshot {
    func continued(by live: Self, isElsewhere: Bool, isOdometerSet: Bool) -> Self {
        var merged = self
        if live.lastFix != nil { merged.odometer = live.odometer }
        merged.odometer.set(
            to: isOdometerSet ? live.odometer.distance : odometer.distance + live.odometer.distance)
        merged.trips.countOn(by: live.trips.count)
        if isElsewhere {
            merged.parked = live.parked ?? parked
            merged.parkedSince = live.parkedSince ?? parkedSince
            merged.lastFix = live.lastFix
            merged.lastRecorded = live.lastRecorded ?? lastRecorded
        }
        merged.tag = live.tag ?? tag
        return merged
    }
}

extension Record {
    /// The record, with distance and trip counted on from a state that was found late.
    package func continued(from former: EngineState) -> Record {
        var record = self
        record.odometer = odometer + former.logbook.odometer.distance
        record.trip = trip.map { $0 + former.logbook.trips.count }
        if case .trip(var report) = content {
            report.number = report.number.map { $0 + former.logbook.trips.count }
            record.content = .trip(report)
        }
        return record
    }
}
