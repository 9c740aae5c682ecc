import Quantities
package import TrackingOptions

/// The options in force and the schedule, with the configuration from which they come.
package struct Settings: Sendable {
    private let keptInMemory = KeptInMemory()
    private(set) var configuration: EngineConfiguration
    /// The lowest layer comes first.
    private(set) var layers: OptionLayers
    private var inForce: SharedOptions
    private var isOnTrip: Bool
    /// True if a user or a server has forbidden the scan; profiles, modes and defaults do not matter here.
    private(set) var forbidBeacons: Bool
    /// Nil unless a server's options are on trial.
    private(set) var trial: OptionsTrial?
    private var gate: TrackingGate

    /// A restored mode has the layer that the present configuration defines.
    init(
        _ configuration: EngineConfiguration, restoring snapshot: Snapshot, _ gate: TrackingGate.Snapshot,
        isOnTrip: Bool
    ) {
        self.configuration = configuration
        self.isOnTrip = isOnTrip
        layers = Self.layers(of: configuration, carryingOver: snapshot.layers)
        let options = layers.resolve(isOnTrip: isOnTrip, under: configuration.serverRights).options
        inForce = SharedOptions(options)
        forbidBeacons = layers.forbidBeacons(isOnTrip: isOnTrip, under: configuration.serverRights)
        trial = snapshot.trial
        self.gate = TrackingGate(options, zone: configuration.zone, restoring: gate)
    }

    private static func layers(
        of configuration: EngineConfiguration, carryingOver earlier: OptionLayers
    ) -> OptionLayers {
        var layers = configuration.layers.carryingOver(from: earlier)
        if let mode = layers.mode { layers.replace(mode: mode, with: configuration.layer(of: mode)) }
        return layers
    }

    func updateFacts(of turn: inout Turn, tag: String?) {
        turn.shared = inForce
        (turn.isSuspended, turn.forbidsBeacons) = (isSuspended, forbidBeacons)
        turn.labels.tag = gate.isOffSchedule ? inForce.options.tagForOffScheduleTracking ?? tag : tag
    }

    var shared: SharedOptions { inForce }

    var options: TrackingOptions { _read { yield inForce.options } }

    var resolved: ResolvedOptions { layers.resolve(isOnTrip: isOnTrip, under: configuration.serverRights) }

    func withheld(in layers: OptionLayers, isOnTrip: Bool, isAnyBeaconConfigured: Bool) -> [OptionAssignment] {
        let rights = configuration.serverRights
        let withheld = layers.resolve(isOnTrip: isOnTrip, under: rights).withheld
        guard isAnyBeaconConfigured, layers.forbidBeacons(isOnTrip: isOnTrip),
            !layers.forbidBeacons(isOnTrip: isOnTrip, under: rights),
            let given = layers.given("beacons", isOnTrip: isOnTrip), !withheld.contains(where: { $0.key == given.key })
        else { return withheld }
        return withheld + [given]
    }

    struct Change {
        let before: TrackingOptions
        let wasSuspended: Bool
    }

    /// Replaces the layers of this origin; nil if the values in force stay.
    mutating func replace(
        _ origin: OptionOrigin, with layers: [OptionLayer], _ logbook: Logbook, in turn: inout Turn
    ) -> Change? {
        self.layers.replace(origin, with: layers)
        return resolve(because: origin, logbook, in: &turn)
    }

    /// Replaces the mode, which survives a restart; nil stands for the configured one.
    mutating func replace(mode: MonitoringMode?, _ logbook: Logbook, in turn: inout Turn) -> Change? {
        if let mode {
            layers.replace(mode: mode, with: configuration.layer(of: mode))
        } else {
            layers.replace(.mode, with: [])
        }
        return resolve(because: .mode, logbook, in: &turn)
    }

    /// Keeps the layers that were set at run time.
    mutating func follow(_ changed: EngineConfiguration, _ logbook: Logbook, in turn: inout Turn) -> Change? {
        configuration = configuration.adopting(changed)
        let saving = layers.layers.filter { $0.origin == .supply }
        layers = Self.layers(of: configuration, carryingOver: snapshot.layers)
        layers.replace(.supply, with: saving)
        return resolve(because: .file, logbook, in: &turn)
    }

    func dependOn(trip isOnTrip: Bool) -> Bool { isOnTrip != self.isOnTrip && layers.dependOnTrip }

    mutating func followTrip(_ logbook: Logbook, in turn: inout Turn) -> Change? {
        resolve(because: .remote, logbook, in: &turn)
    }

    private mutating func resolve(because origin: OptionOrigin, _ logbook: Logbook, in turn: inout Turn) -> Change? {
        isOnTrip = logbook.trips.log.isDeclared
        forbidBeacons = layers.forbidBeacons(isOnTrip: isOnTrip, under: configuration.serverRights)
        turn.forbidsBeacons = forbidBeacons
        let (change, resolved) = (Change(before: options, wasSuspended: turn.isSuspended), resolved)
        let after = resolved.options
        guard after != change.before else { return nil }
        inForce = SharedOptions(after)
        gate.follow(after)
        updateFacts(of: &turn, tag: logbook.tag)
        let rules = QueueRules(after)
        if rules != QueueRules(change.before) { turn.effects.append(.queueRules(rules)) }
        let withheld = resolved.withheld.map(\.key).joined(separator: ", ")
        if !withheld.isEmpty {
            turn.effects.decide(.options, "the owner's values apply, not the server's: \(withheld)")
        }
        let keys = TrackingOption.all.filter { $0.value(in: after) != $0.value(in: change.before) }.map(\.key)
        logbook.record(.optionschange(OptionsChange(origin: origin.title, keys: keys)), in: &turn)
        turn.effects.decide(.options, "\(origin.title) changes \(keys.joined(separator: ", "))")
        return change
    }

    private var isSuspended: Bool { gate.isSuspended(inForce) }

    var suspension: Suspension? { isSuspended ? gate.isSwitchedOff ? .switchedOff : .schedule : nil }

    var isSwitchedOff: Bool { gate.isSwitchedOff }

    var isOffSchedule: Bool { gate.isOffSchedule }

    func nextScheduleChange(at now: UTCTime) -> Timestamp? { gate.nextChange(at: now, options) }

    mutating func switchTracking(isOn: Bool, in turn: inout Turn) {
        gate.isSwitchedOff = !isOn
        turn.isSuspended = isSuspended
    }

    /// Call `updateSchedule` afterwards.
    mutating func followZone() { gate.follow(options, zone: configuration.zone) }

    mutating func updateSchedule(
        wasSuspended: Bool, tag: String?, in turn: inout Turn
    ) -> (reason: String, next: Instant?)? {
        let change = gate.update(wasSuspended: wasSuspended, in: &turn)
        updateFacts(of: &turn, tag: tag)
        return change
    }

    package struct Snapshot: EngineSnapshot {
        /// The layers that the owner, a mode or a server has set at run time.
        package var layers = OptionLayers()
        package var trial: OptionsTrial?

        package enum CodingKeys: String, CodingKey { case layers, trial }

        mutating func read(_ fields: inout SnapshotReader<CodingKeys>) {
            fields.read(.layers, into: &layers)
            fields.read(.trial, into: &trial)
        }
    }

    var snapshot: Snapshot { Snapshot(layers: OptionLayers().carryingOver(from: layers.withModeAlone), trial: trial) }

    var gateSnapshot: TrackingGate.Snapshot { gate.snapshot }
}

package enum Suspension: Sendable, Hashable {
    case switchedOff
    case schedule
}

/// A server's options are on trial until an upload to that server succeeds with them. If none does within `duration`,
/// the earlier options apply again, so that no wrong order can permanently cut the vehicle off from its server.
/// After a restart the trial lasts the whole `duration` again.
package struct OptionsTrial: Sendable, Hashable, Codable {
    package var target: String
    package var former: [OptionLayer]

    package static let duration: Duration = .seconds(900)

    package init(target: String, former: [OptionLayer]) { (self.target, self.former) = (target, former) }
}

extension Settings {
    mutating func beginTrial(of target: String, in turn: inout Turn) {
        // No upload has succeeded with options that are still on trial, so those from before the first trial remain `former`.
        let former = trial?.former ?? layers.layers.filter { $0.origin == .remote }
        trial = OptionsTrial(target: target, former: former)
        continueTrial(in: &turn)
    }

    func continueTrial(in turn: inout Turn) {
        if trial != nil { turn.effects.arm(.trial, at: turn.now + OptionsTrial.duration) }
    }

    mutating func confirmTrial(by target: String, in turn: inout Turn) {
        guard trial?.target == target else { return }
        trial = nil
        turn.effects.cancel(.trial)
        turn.effects.decide(.options, "\(target) has received a record, so its options remain")
    }

    /// Returns the options that apply again, because no upload has succeeded in time.
    mutating func endTrial(in turn: inout Turn) -> [OptionLayer]? {
        guard let ended = trial else { return nil }
        trial = nil
        turn.effects.decide(
            .options, "\(ended.target) has received no record for 15 minutes; its earlier options apply again")
        return ended.former
    }
}
