package import Quantities

/// What the engine is given beside the events: what the configuration says.
package struct EngineConfiguration: Sendable, Hashable {
    /// How the vehicle is tracked, and who says so.
    package var layers: OptionLayers
    /// The places whose entering and leaving is told.
    package var regions: [Region]
    /// The beacons that tell which vehicle this is, and who drives it.
    package var markedBeacons: [MarkedBeacon]
    /// The zone in which the schedule is read.
    package var zone: ZoneRules
    /// No fix is believed that is dated earlier.
    package var notBefore: Timestamp
    /// When the board is to draw less, or nothing.
    package var power: PowerPolicy
    /// What this board has to bring a lost receiver back, in the order in which it is tried.
    package var recoveries: [ReceiverRecovery] = []

    /// Puts a setup together; what is left out is not there.
    package init(
        layers: OptionLayers = OptionLayers(), regions: [Region] = [], markedBeacons: [MarkedBeacon] = [],
        zone: ZoneRules = .utc, notBefore: Timestamp = ReleaseDate.earliest, power: PowerPolicy = PowerPolicy()
    ) {
        self.layers = layers
        self.regions = regions
        self.markedBeacons = markedBeacons
        self.zone = zone
        self.notBefore = notBefore
        self.power = power
    }

    /// A setup with nothing but options.
    package init(options: TrackingOptions) {
        let assignments = TrackingOption.all.map { OptionAssignment($0.key, $0.value(in: options), source: "given") }
        self.init(layers: OptionLayers([OptionLayer(.file, name: "given", assignments)]))
    }
}
