package import Calendar
package import Quantities
package import TrackingOptions

package struct EngineConfiguration: Sendable, Hashable {
    package var layers: OptionLayers
    /// In a mode without a layer, only the option `monitoring` changes.
    package var modes: [MonitoringMode: OptionLayer]
    package var regions: [Region]
    package var privatePlaces: [PrivatePlace] = []
    package var markedBeacons: [MarkedBeacon]
    package var serverRights = ServerRights()
    package var zone: TimeZoneRules
    /// Earlier fixes are rejected.
    package var notBefore: Timestamp
    package var power: PowerPolicy
    /// The ways to recover a lost receiver, in the order of use.
    package var recoveries: [ReceiverRecovery] = []
    /// Whether a missing accelerometer is a fault.
    package var expectsMotionSensor = false
    /// If false, the last position of an earlier switch is forgotten.
    package var hasPrivateSwitch = false
    /// What the record of the start states about the program.
    package var program = ProgramFacts()

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

    /// Takes over what can change at run time. The other properties describe board and program, and change only at a
    /// start.
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
