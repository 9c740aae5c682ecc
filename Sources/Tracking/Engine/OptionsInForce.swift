import Quantities
package import TrackingOptions

package struct OptionsInForce: Sendable {
    /// The layers, the lowest first.
    private(set) var layers: OptionLayers
    private(set) var shared: SharedOptions
    private var isOnTrip: Bool
    private var rights: ServerRights
    /// Whether the set value of `beacons` is false; the values in profiles, modes and defaults have no effect here.
    private(set) var forbidBeacons: Bool
    /// The options of a server that are on trial until an upload succeeds with them; nil if there are none.
    private(set) var trial: OptionsTrial?

    /// Continues with the options of an earlier run; the present configuration defines the layer of a restored mode.
    init(_ configuration: EngineConfiguration, restoring snapshot: Snapshot, isOnTrip: Bool) {
        layers = Self.layers(of: configuration, carryingOver: snapshot.layers)
        rights = configuration.serverRights
        shared = SharedOptions(layers.resolve(isOnTrip: isOnTrip, under: rights).options)
        self.isOnTrip = isOnTrip
        forbidBeacons = layers.forbidBeacons(isOnTrip: isOnTrip, under: rights)
        trial = snapshot.trial
    }

    /// Uses the layers of a configuration that was read again, together with the layers that were set while the program ran.
    mutating func follow(_ configuration: EngineConfiguration) {
        let saving = layers.layers.filter { $0.origin == .supply }
        layers = Self.layers(of: configuration, carryingOver: snapshot.layers)
        layers.replace(.supply, with: saving)
        rights = configuration.serverRights
    }

    /// Returns the layers of the configuration and of an earlier run; the present configuration defines the layer of a
    /// restored mode.
    private static func layers(
        of configuration: EngineConfiguration, carryingOver earlier: OptionLayers
    ) -> OptionLayers {
        var layers = configuration.layers.carryingOver(from: earlier)
        if let mode = layers.mode { layers.replace(mode: mode, with: configuration.layer(of: mode)) }
        return layers
    }

    var options: TrackingOptions { _read { yield shared.options } }

    /// The values in force, each with its origin.
    var resolved: ResolvedOptions { layers.resolve(isOnTrip: isOnTrip, under: rights) }

    /// Replaces all layers of this origin with `layers`.
    mutating func replace(_ origin: OptionOrigin, with layers: [OptionLayer]) {
        self.layers.replace(origin, with: layers)
    }

    /// Sets the layer of a monitoring mode; nil removes this layer, and the configured mode is in force again.
    mutating func replace(mode: MonitoringMode?, _ configuration: EngineConfiguration) {
        guard let mode else { return layers.replace(.mode, with: []) }
        layers.replace(mode: mode, with: configuration.layer(of: mode))
    }

    /// Whether the values may differ now because a trip has begun or ended.
    func dependOn(trip isOnTrip: Bool) -> Bool { isOnTrip != self.isOnTrip && layers.dependOnTrip }

    /// Determines the values in force; returns the previous values and the keys that differ, or nil if no value differs.
    mutating func resolve(isOnTrip: Bool) -> (before: TrackingOptions, keys: [String])? {
        self.isOnTrip = isOnTrip
        forbidBeacons = layers.forbidBeacons(isOnTrip: isOnTrip, under: rights)
        let (before, after) = (options, resolved.options)
        guard after != before else { return nil }
        shared = SharedOptions(after)
        return (before, TrackingOption.all.filter { $0.value(in: after) != $0.value(in: before) }.map(\.key))
    }

    package struct Snapshot: EngineSnapshot {
        /// The options that the owner, a mode or the server has set while the program was running.
        package var layers = OptionLayers()
        /// The options of a server that are on trial until an upload succeeds with them; nil if there are none.
        package var trial: OptionsTrial?

        package enum CodingKeys: String, CodingKey { case layers, trial }

        mutating func read(_ fields: inout SnapshotReader<CodingKeys>) {
            fields.read(.layers, into: &layers)
            fields.read(.trial, into: &trial)
        }
    }

    /// The state that survives a restart.
    var snapshot: Snapshot {
        Snapshot(layers: OptionLayers().carryingOver(from: layers.withModeAlone), trial: trial)
    }
}

// MARK: - The trial of a server's options

/// A trial of the options that a server has sent; it ends when an upload to that server succeeds with these options.
///
/// If no upload succeeds within `duration`, the engine restores the earlier options. Without this rule, one wrong order
/// could permanently cut the vehicle off from its server. After a restart the trial lasts the whole `duration` again.
package struct OptionsTrial: Sendable, Hashable, Codable {
    /// The target whose server has sent the options.
    package var target: String
    /// The options of servers that were in force before the trial.
    package var former: [OptionLayer]

    /// The time within which an upload must succeed.
    package static let duration: Duration = .seconds(900)

    package init(target: String, former: [OptionLayer]) { (self.target, self.former) = (target, former) }
}

extension OptionsInForce {
    /// Begins a trial of the options that the server of this target sends; they remain if the server receives a record within
    /// `OptionsTrial.duration`.
    mutating func beginTrial(of target: String, in turn: inout Turn) {
        // If other options are on trial, no upload has succeeded with them. A failure must then restore the options
        // from before the first trial.
        let former = trial?.former ?? layers.layers.filter { $0.origin == .remote }
        trial = OptionsTrial(target: target, former: former)
        continueTrial(in: &turn)
    }

    /// Arms the timer of a trial, if there is one.
    func continueTrial(in turn: inout Turn) {
        if trial != nil { turn.effects.arm(.trial, at: turn.now + OptionsTrial.duration) }
    }

    /// Ends the trial, because the server has received a record.
    mutating func confirmTrial(by target: String, in turn: inout Turn) {
        guard trial?.target == target else { return }
        trial = nil
        turn.effects.cancel(.trial)
        turn.effects.decide(.options, "\(target) has received a record, so its options remain")
    }

    /// Ends the trial, because no upload has succeeded in time; returns the options that apply again, nil without a trial.
    mutating func endTrial(in turn: inout Turn) -> [OptionLayer]? {
        guard let ended = trial else { return nil }
        trial = nil
        turn.effects.decide(
            .options, "\(ended.target) has received no record for 15 minutes; its earlier options apply again")
        return ended.former
    }
}
