import TrackingOptions

extension MonitoringMode {
    /// Whether a record stays on the device because nobody asked for it in this mode.
    ///
    /// The documents of OwnTracks allow manual reports alone in quiet mode, and region events beside them in manual mode.
    /// A waypoint is published when its owner sets it, in each mode.
    func withholds(_ record: Record) -> Bool {
        switch record.content {
        case .request, .waypoint: return false
        case .transition: return !recordsRegions
        // The location beside a region event belongs to it.
        case .location: return !(recordsUnasked || recordsRegions && record.trigger != nil)
        case .motionchange, .visit, .trip, .ping, .providerchange, .power, .optionschange, .driving:
            return !recordsUnasked
        }
    }
}

extension SyncRule {
    /// Whether a record stays on the device; the answer to a request never does, since somebody waits for it.
    func withholds(_ record: Record) -> Bool {
        if case .request = record.content { return false }
        switch self {
        case .all: return false
        case .none: return true
        case .stopsAndExits:
            if case .transition(let transition) = record.content { return transition.direction != .leave }
            return !record.isStop
        }
    }
}
