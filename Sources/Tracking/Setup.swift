package import Quantities

/// What the engine is given beside the events: what the configuration says.
package struct Setup: Sendable, Hashable {
    /// How the vehicle is tracked.
    package var options: TrackingOptions
    /// The places whose entering and leaving is told.
    package var regions: [Region]
    /// The beacons that tell which vehicle this is, and who drives it.
    package var markedBeacons: [MarkedBeacon]
    /// The zone in which the schedule is read.
    package var zone: ZoneRules
    /// No fix is believed that is dated earlier.
    package var notBefore: Timestamp

    /// Puts a setup together; what is left out is not there.
    package init(
        options: TrackingOptions = TrackingOptions(), regions: [Region] = [], markedBeacons: [MarkedBeacon] = [],
        zone: ZoneRules = .utc, notBefore: Timestamp = ReleaseDate.earliest
    ) {
        self.options = options
        self.regions = regions
        self.markedBeacons = markedBeacons
        self.zone = zone
        self.notBefore = notBefore
    }
}
