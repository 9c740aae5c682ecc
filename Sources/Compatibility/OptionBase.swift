package import TrackingOptions

/// What is in force, over which a server sets single keys.
package struct OptionBase: Sendable, Hashable {
    let mode: MonitoringMode
    /// Without options of servers.
    let ownMode: MonitoringMode
    /// Decides the values of OwnTracks' modes.
    let platform: OptionPlatform
    let remote: [OptionLayer]

    package init(_ layers: OptionLayers) {
        var owned = layers
        owned.replace(.remote, with: [])
        mode = layers.resolve(isOnTrip: false).options.monitoring
        ownMode = owned.resolve(isOnTrip: false).options.monitoring
        platform = layers.usesOwnTracksOnAndroid ? .android : .ios
        remote = layers.layers.filter { $0.origin == .remote }
    }

    /// The one that a section sets without naming it, because OwnTracks' key `monitoring` selects a mode with all its
    /// values; nil if only keys change.
    func profile(of system: OptionSystem, in mode: MonitoringMode, on platform: OptionPlatform) -> Profile? {
        guard system == .ownTracks, mode != self.mode, mode != ownMode else { return nil }
        return .of(mode, on: platform)
    }
}
