import Quantities
import TrackingOptions

extension Engine {
    /// Judges the way of driving, and whether the vehicle is towed away.
    mutating func judgeDriving(_ event: DrivingRule.Event, at now: Instant) -> [Effect] {
        guard options.drivingEvents else { return [] }
        let events = driving.handle(event, at: now)
        state.mounting = driving.mounting
        let towed: [Effect] =
            switch event {
            case .motion(let verdict): judgeTow(.motion(verdict), at: now)
            case .fix(let fix): judgeTow(.fix(fix), at: now)
            }
        return carryOut(events.map { .record(.driving($0)) }, at: now) + towed
    }

    /// Tells the watch over tows what happened.
    mutating func judgeTow(_ event: TowRule.Event, at now: Instant) -> [Effect] {
        guard options.drivingEvents else { return [] }
        let event = tow.handle(event, at: now)
        state.tow = tow.memory
        return carryOut([event].compactMap { $0 }.map { .record(.driving($0)) }, at: now)
    }
}
