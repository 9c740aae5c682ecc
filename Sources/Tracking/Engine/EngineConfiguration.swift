package import Calendar
package import Quantities
package import TrackingOptions

/// What the engine is given beside the events: what the configuration says.
package struct EngineConfiguration: Sendable, Hashable {
    /// How the vehicle is tracked, and who says so.
    package var layers: OptionLayers
    /// The layer that switching to each monitoring mode adds; without one, only the mode itself changes.
    package var modes: [MonitoringMode: OptionLayer]
    /// The places whose entering and leaving is told.
    package var regions: [Region]
    /// The beacons that tell which vehicle this is, and who drives it.
    package var markedBeacons: [MarkedBeacon]
    /// The zone in which the schedule is read.
    package var zone: TimeZoneRules
    /// No fix is believed that is dated earlier.
    package var notBefore: Timestamp
    /// When the board is to draw less, or nothing.
    package var power: PowerPolicy
    /// What this board has to bring a lost receiver back, in the order in which it is tried.
    package var recoveries: [ReceiverRecovery] = []

    /// Puts a setup together; what is left out is not there.
    package init(
        layers: OptionLayers = OptionLayers(), modes: [MonitoringMode: OptionLayer] = [:], regions: [Region] = [],
        markedBeacons: [MarkedBeacon] = [],
        zone: TimeZoneRules = .utc, notBefore: Timestamp = ReleaseDate.earliest, power: PowerPolicy = PowerPolicy()
    ) {
        self.layers = layers
        self.modes = modes
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

    /// The layer of a monitoring mode that was switched to.
    func layer(of mode: MonitoringMode) -> OptionLayer {
        modes[mode]
            ?? OptionLayer(
                .mode, name: mode.name, [OptionAssignment("monitoring", .choice(mode), source: "mode \(mode.name)")])
    }
}
