package import Quantities
package import TrackingOptions

/// A region was entered, left or dwelt in, with all that the engine needs to record it.
package struct RegionCrossing: Sendable, Hashable {
    /// What happened.
    package let transition: Transition
    /// When: when the border was crossed, as far as the fixes tell.
    package let time: Timestamp
    /// Where; nothing when a beacon told and no fix has been taken.
    package let position: Position?
    /// The mode to switch to.
    package let mode: MonitoringMode?
    /// Whether the region's waypoint is to be moved to `position`.
    package let movesWaypoint: Bool

    init(_ direction: Transition.Direction, of region: Region, at sight: Sight, inside: Duration? = nil) {
        transition = Transition(
            direction, by: region.shape.trigger, of: region.name, text: region.text, defined: region.defined,
            inside: inside)
        time = sight.time
        position = sight.position
        switch direction {
        case .enter: mode = region.wishes.modeOnEnter
        case .leave: mode = region.wishes.modeOnLeave
        case .dwell: mode = nil
        }
        movesWaypoint = region.wishes.movesWithVehicle && direction != .dwell
    }
}

/// Where the vehicle was at a moment.
struct Sight: Sendable, Hashable {
    var time: Timestamp
    var position: Position?
}
