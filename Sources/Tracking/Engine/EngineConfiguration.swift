package import Calendar
package import Quantities
package import TrackingOptions

/// The settings of the engine, as the configuration defines them.
package struct EngineConfiguration: Sendable, Hashable {
    /// The tracking options, each with its origin.
    package var layers: OptionLayers
    /// The layer that each monitoring mode adds; if a mode has no layer here, it changes only the option `monitoring`.
    package var modes: [MonitoringMode: OptionLayer]
    /// The regions for which the engine records entries and exits.
    package var regions: [Region]
    /// The circles in which the engine records no position.
    package var privatePlaces: [PrivatePlace] = []
    /// The beacons that identify the vehicle or its driver.
    package var markedBeacons: [MarkedBeacon]
    /// What the servers of the targets may reduce.
    package var serverRights = ServerRights()
    package var zone: TimeZoneRules
    /// The earliest possible date of a fix; the engine rejects fixes with earlier dates.
    package var notBefore: Timestamp
    /// When to reduce the power consumption of the board or halt the board.
    package var power: PowerPolicy
    /// The methods by which this board can recover a lost receiver, in the order of use.
    package var recoveries: [ReceiverRecovery] = []
    /// Whether the board has an accelerometer; if true, a missing accelerometer is a fault.
    package var expectsMotionSensor = false
    /// Whether the board has a private switch; if false, the engine forgets the last position of an earlier switch.
    package var hasPrivateSwitch = false
    /// Program and board, as the record of the start lists them.
    package var program = ProgramFacts()

    /// Makes a configuration; the default arguments define no options, modes, regions or beacons.
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

    package init(options: TrackingOptions) {
        let assignments = TrackingOption.all.map { OptionAssignment($0.key, $0.value(in: options), source: "given") }
        self.init(layers: OptionLayers([OptionLayer(.profile, name: "given", assignments)]))
    }

    /// Returns this configuration with the options, modes, regions, private places, beacons, rights and time zone of
    /// `changed`.
    ///
    /// The other properties describe the board and the program, and change only when the program starts again.
    func adopting(_ changed: EngineConfiguration) -> EngineConfiguration {
        var adopted = self
        adopted.layers = changed.layers
        adopted.modes = changed.modes
        adopted.regions = changed.regions
        adopted.privatePlaces = changed.privatePlaces
        adopted.markedBeacons = changed.markedBeacons
        adopted.serverRights = changed.serverRights
        adopted.zone = changed.zone
        return adopted
    }

    func layer(of mode: MonitoringMode) -> OptionLayer {
        modes[mode]
            ?? OptionLayer(
                .mode, name: mode.name, [OptionAssignment("monitoring", .choice(mode), source: "mode \(mode.name)")])
    }
}
