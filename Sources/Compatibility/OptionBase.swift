package import TrackingOptions

/// The options in force, over which a server sets single keys.
package struct OptionBase: Sendable, Hashable {
    let mode: MonitoringMode
    /// The mode without options of servers.
    let ownMode: MonitoringMode
    /// The platform whose values OwnTracks' modes have.
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

    /// The profile that a section sets without naming one, because OwnTracks' key `monitoring` selects a mode with all its
    /// values; nil if only keys change.
    func profile(of system: OptionSystem, in mode: MonitoringMode, on platform: OptionPlatform) -> Profile? {
        guard system == .ownTracks, mode != self.mode, mode != ownMode else { return nil }
        return .of(mode, on: platform)
    }
}

extension RemoteOptions {
    /// Returns the present options of servers with those of this document in addition.
    package func merged(over base: OptionBase, _ environment: Environment) -> [OptionLayer] {
        let (on, off) = (
            merged(over: base, environment, isOnTrip: true), merged(over: base, environment, isOnTrip: false)
        )
        if on == off { return [on].compactMap { $0 } }
        return [(on, true), (off, false)].compactMap { layer, isOnTrip in
            layer.map { OptionLayer(.remote, name: $0.name, onTrip: isOnTrip, $0.assignments) }
        }
    }

    private func merged(over base: OptionBase, _ environment: Environment, isOnTrip: Bool) -> OptionLayer? {
        let present = base.remote.last { $0.onTrip == nil || $0.onTrip == isOnTrip }
        guard let new = layers(environment).last(where: { $0.onTrip == nil || $0.onTrip == isOnTrip }) else {
            return present.map { OptionLayer(.remote, name: $0.name, $0.assignments) }
        }
        let (earlier, added) = (present?.assignments ?? [], new.assignments)
        let named = added.filter { !$0.isOfProfile }
        let mode = named.last { $0.key == OptionBase.modeKey }?.value
        let profile: [OptionAssignment]
        if added.contains(where: \.isOfProfile) {
            profile = added.filter(\.isOfProfile)
        } else if mode == .choice(base.ownMode), base.ownMode != base.mode {
            // The server returns to the owner's mode, so the values of the other mode end.
            profile = []
        } else {
            profile = earlier.filter(\.isOfProfile)
        }
        let remaining = earlier.filter { value in !value.isOfProfile && !named.contains { $0.key == value.key } }
        return OptionLayer(.remote, name: new.name, profile + remaining + named)
    }
}

extension OptionBase {
    fileprivate static let modeKey = "monitoring"
}
