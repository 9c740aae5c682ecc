import Quantities
package import TrackingOptions

/// The options in force and the schedule, with the configuration from which they come.
package struct Settings: Sendable {
    private(set) var configuration: EngineConfiguration
    /// The layers, the lowest first.
    private(set) var layers: OptionLayers
    private var inForce: SharedOptions
    private var isOnTrip: Bool
    /// Whether the set value of `beacons` is false; the values in profiles, modes and defaults have no effect here.
    private(set) var forbidBeacons: Bool
    /// The options of a server that are on trial until an upload succeeds with them; nil if there are none.
    private(set) var trial: OptionsTrial?
    private var gate: TrackingGate

    /// Continues with the options of an earlier run; the present configuration defines the layer of a restored mode.
    init(_ configuration: EngineConfiguration, restoring state: EngineState) {
        self.configuration = configuration
        isOnTrip = state.logbook.trips.isOnTrip
        layers = Self.layers(of: configuration, carryingOver: state.options.layers)
        let options = layers.resolve(isOnTrip: isOnTrip, under: configuration.serverRights).options
        inForce = SharedOptions(options)
        forbidBeacons = layers.forbidBeacons(isOnTrip: isOnTrip, under: configuration.serverRights)
        trial = state.options.trial
        gate = TrackingGate(options, zone: configuration.zone, restoring: state.gate)
    }

    /// Returns the layers of the configuration and of an earlier run.
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

    // MARK: Options

    var shared: SharedOptions { inForce }

    var options: TrackingOptions { _read { yield inForce.options } }

    /// The values in force, each with its origin.
    var resolved: ResolvedOptions { layers.resolve(isOnTrip: isOnTrip, under: configuration.serverRights) }

    /// Returns the values of a server that would not apply with these layers, because the server may not set them.
    func withheld(in layers: OptionLayers, isOnTrip: Bool, isAnyBeaconConfigured: Bool) -> [OptionAssignment] {
        let rights = configuration.serverRights
        let withheld = layers.resolve(isOnTrip: isOnTrip, under: rights).withheld
        guard isAnyBeaconConfigured, layers.forbidBeacons(isOnTrip: isOnTrip),
            !layers.forbidBeacons(isOnTrip: isOnTrip, under: rights),
            let given = layers.given("beacons", isOnTrip: isOnTrip), !withheld.contains(where: { $0.key == given.key })
        else { return withheld }
        return withheld + [given]
    }

    /// A change of the options in force.
    struct Change {
        let before: TrackingOptions
        let wasSuspended: Bool
    }

    /// Replaces all layers of this origin with `layers`; returns nil if the values in force remain.
    mutating func replace(
        _ origin: OptionOrigin, with layers: [OptionLayer], _ logbook: Logbook, in turn: inout Turn
    ) -> Change? {
        self.layers.replace(origin, with: layers)
        return resolve(because: origin, logbook, in: &turn)
    }

    /// Switches to a monitoring mode, which survives a restart; nil returns to the configured mode.
    mutating func replace(mode: MonitoringMode?, _ logbook: Logbook, in turn: inout Turn) -> Change? {
        if let mode {
            layers.replace(mode: mode, with: configuration.layer(of: mode))
        } else {
            layers.replace(.mode, with: [])
        }
        return resolve(because: .mode, logbook, in: &turn)
    }

    /// Uses a configuration that was read again, together with the layers that were set while the program ran.
    mutating func follow(_ changed: EngineConfiguration, _ logbook: Logbook, in turn: inout Turn) -> Change? {
        configuration = configuration.adopting(changed)
        let saving = layers.layers.filter { $0.origin == .supply }
        layers = Self.layers(of: configuration, carryingOver: snapshot.layers)
        layers.replace(.supply, with: saving)
        return resolve(because: .file, logbook, in: &turn)
    }

    /// Whether the values may differ now because a trip has begun or ended.
    func dependOn(trip isOnTrip: Bool) -> Bool { isOnTrip != self.isOnTrip && layers.dependOnTrip }

    mutating func followTrip(_ logbook: Logbook, in turn: inout Turn) -> Change? {
        resolve(because: .remote, logbook, in: &turn)
    }

    /// Determines the values in force, and records which of them have changed.
    private mutating func resolve(because origin: OptionOrigin, _ logbook: Logbook, in turn: inout Turn) -> Change? {
        isOnTrip = logbook.trips.log.isOnTrip
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

    // MARK: The schedule

    private var isSuspended: Bool { gate.isSuspended(inForce) }

    /// Why tracking is suspended; nil if it is not suspended.
    var suspension: Suspension? { isSuspended ? gate.isSwitchedOff ? .switchedOff : .schedule : nil }

    var isSwitchedOff: Bool { gate.isSwitchedOff }

    var isOffSchedule: Bool { gate.isOffSchedule }

    /// Returns when the schedule next opens or closes; nil if it never does, or if UTC is not known.
    func nextScheduleChange(at now: UTCTime) -> Timestamp? { gate.nextChange(at: now, options) }

    mutating func switchTracking(isOn: Bool, in turn: inout Turn) {
        gate.isSwitchedOff = !isOn
        turn.isSuspended = isSuspended
    }

    /// Uses the time zone of the configuration; call `updateSchedule` afterwards.
    mutating func followZone() { gate.follow(options, zone: configuration.zone) }

    /// As `TrackingGate.update`.
    mutating func updateSchedule(
        wasSuspended: Bool, tag: String?, in turn: inout Turn
    ) -> (reason: String, next: Instant?)? {
        let change = gate.update(wasSuspended: wasSuspended, in: &turn)
        updateFacts(of: &turn, tag: tag)
        return change
    }

    // MARK: The state on disk

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

    var snapshot: Snapshot { Snapshot(layers: OptionLayers().carryingOver(from: layers.withModeAlone), trial: trial) }

    var gateSnapshot: TrackingGate.Snapshot { gate.snapshot }
}

/// Why tracking is suspended.
package enum Suspension: Sendable, Hashable {
    /// A user has switched tracking off.
    case switchedOff
    /// The schedule does not allow tracking at this time.
    case schedule
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

extension Settings {
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
