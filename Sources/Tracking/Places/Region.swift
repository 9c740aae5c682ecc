package import Quantities
package import TrackingOptions

/// A place whose entering and leaving is told.
package struct Region: Sendable, Hashable, Codable {
    /// What is wanted of it beyond enter and leave.
    package struct Wishes: Sendable, Hashable, Codable {
        /// After how long inside that is told, once a stay.
        package var dwell: Duration?
        /// The weakest signal of its beacon that counts, in dBm.
        package var rssiLimit: Int8?
        /// How long it must have been left before that is told.
        package var holdDown = Duration.zero
        /// The mode to switch to when it is entered.
        package var modeOnEnter: MonitoringMode?
        /// The mode to switch to when it is left.
        package var modeOnLeave: MonitoringMode?
        /// Whether its own place is wherever it was entered or left last.
        package var movesWithVehicle = false

        /// Wants nothing special.
        package init() {}
    }

    /// What it is known by.
    package let name: RegionName
    /// What it is called in messages; nothing when they keep that to themselves.
    package let text: String?
    /// When it was defined.
    package let defined: Timestamp
    /// What tells that the vehicle is in it.
    package let shape: RegionShape
    /// What is wanted of it beyond enter and leave.
    package let wishes: Wishes

    /// The key that does not change.
    package var id: String { name.id }

    /// Makes a region, or says what is wrong with it.
    package init(
        _ name: RegionName, text: String?, defined: Timestamp, shape: RegionShape, wishes: Wishes = Wishes()
    ) throws(RegionProblem) {
        self.name = name
        self.text = text
        self.defined = defined
        self.shape = shape
        self.wishes = wishes
        if let cause = cause { throw RegionProblem(region: name.name, cause: cause) }
    }

    private var cause: RegionProblem.Cause? {
        if name.id.isEmpty { return .noKey }
        if case .circle(_, let radius) = shape.area, !(radius > .zero && radius <= RegionProblem.largestRadius) {
            return .radius(radius)
        }
        if let beacon = shape.beacon, !BeaconIdentity.isUUID(beacon.uuid) { return .uuid(beacon.uuid) }
        if let dwell = wishes.dwell, dwell <= .zero { return .dwell(dwell) }
        if let limit = wishes.rssiLimit, limit > 20 || limit < -127 { return .rssi(limit) }
        return nil
    }
}
