package import TrackingOptions

extension MonitoringMode {
    /// Whether a record remains on the device because this mode does not allow its upload.
    ///
    /// OwnTracks' documentation allows only manual reports in quiet mode, and manual reports and region events in manual mode.
    /// In each mode, a waypoint is published when its owner sets it.
    func withholds(_ record: Record) -> Bool {
        switch record.content {
        case .request, .waypoint, .order: return false
        case .transition: return !recordsRegions
        // A location record with a trigger accompanies a region event. The same rule therefore applies.
        case .location: return !(recordsUnasked || recordsRegions && record.trigger != nil)
        case .motionchange, .visit, .trip, .ping, .providerchange, .power, .health, .optionschange, .driving:
            return !recordsUnasked
        }
    }
}

extension SyncRule {
    /// Whether a record remains on the device.
    ///
    /// An answer to a request or order never remains on the device, because the sender waits for the answer.
    package func withholds(_ record: Record) -> Bool {
        if record.kind.traits.contains(.answer) { return false }
        return switch self {
        case .all: false
        case .none: true
        case .stopsAndExits: !record.isStop && !record.isExit
        }
    }
}
