package import Motion
package import Quantities

/// What survives a restart; written in one transaction with each record.
package struct EngineState: Sendable, Hashable, Codable {
    /// The last point that was recorded.
    package struct Recorded: Sendable, Hashable, Codable {
        /// Where.
        package var coordinate: Coordinate
        /// When.
        package var time: Timestamp
        /// The course there.
        package var course: Degrees?

        /// Notes a place.
        init(coordinate: Coordinate, time: Timestamp, course: Degrees? = nil) {
            self.coordinate = coordinate
            self.time = time
            self.course = course
        }

        /// Notes a fix.
        init(_ fix: AcceptedFix) {
            self.init(coordinate: fix.coordinate, time: fix.time, course: fix.position.course)
        }
    }

    /// Whether the vehicle moves.
    package var isMoving = false
    /// Where it was parked last; nothing before the first good fix.
    package var parked: Position?
    /// The last fix that was believed.
    package var lastFix: AcceptedFix?
    /// The last point that was recorded.
    package var lastRecorded: Recorded?
    /// When it came to rest there.
    package var parkedSince: Timestamp?
    /// The stay that ends, if the start turns out to be real.
    package var endingStay: Visit?
    /// How the accelerometer is mounted, as far as that is known.
    package var mounting = MountingEstimate()
    /// Whether somebody might tow the vehicle away.
    package var tow = TowRule.Memory.off(parked: nil)
    /// The trips.
    package var trips = TripLog()
    /// Time to first fix, averaged.
    package var timeToFirstFix: Duration?
    /// Whether somebody has switched tracking off.
    package var isSwitchedOff = false
    /// The options that were set while the program ran: the mode that was switched to, and the server's.
    package var layers = OptionLayers()
    /// The regions that the vehicle is in.
    package var stays: [RegionStay] = []
    /// The waypoints that were set.
    package var waypoints: [Waypoint] = []
    /// The circles among them that move along.
    package var followed: [FollowRegion] = []
    /// Which vehicle it is, and who drives it.
    package var names = VehicleDetection.Names()
    /// What records are tagged with.
    package var tag: String?
    /// Metres driven.
    package var odometer = Odometer()

    /// Makes the state of a tracker that has never run.
    package init() {}
}
