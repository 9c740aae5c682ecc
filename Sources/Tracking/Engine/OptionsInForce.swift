import Quantities
package import TrackingOptions

/// The layers of options, and the values that are in force.
package struct OptionsInForce: Sendable {
    /// The layers, from below.
    private(set) var layers: OptionLayers
    /// The values in force, shared by all who read them.
    private(set) var shared: SharedOptions
    private var isOnTrip: Bool

    init(_ configured: OptionLayers, restoring snapshot: Snapshot, isOnTrip: Bool) {
        layers = configured.carryingOver(from: snapshot.layers)
        shared = SharedOptions(layers.resolve(isOnTrip: isOnTrip).options)
        self.isOnTrip = isOnTrip
    }

    /// The values in force.
    var options: TrackingOptions { shared.options }

    /// The values in force, each with its origin.
    var resolved: ResolvedOptions { layers.resolve(isOnTrip: isOnTrip) }

    /// Puts layers in place of those of that origin.
    mutating func replace(_ origin: OptionOrigin, with layers: [OptionLayer]) {
        self.layers.replace(origin, with: layers)
    }

    /// Whether the values may differ because a trip began or ended.
    func dependOn(trip isOnTrip: Bool) -> Bool { isOnTrip != self.isOnTrip && layers.dependOnTrip }

    /// Works out the values in force; returns what they were before, and the keys that differ, nil if none does.
    mutating func resolve(isOnTrip: Bool) -> (before: TrackingOptions, keys: [String])? {
        self.isOnTrip = isOnTrip
        let (before, after) = (options, layers.resolve(isOnTrip: isOnTrip).options)
        guard after != before else { return nil }
        shared = SharedOptions(after)
        return (before, TrackingOption.all.filter { $0.value(in: after) != $0.value(in: before) }.map(\.key))
    }

    /// What survives a restart.
    package struct Snapshot: EngineSnapshot {
        /// The options that were set while the program ran: by the owner, by mode, and by the server.
        package var layers = OptionLayers()

        package enum CodingKeys: String, CodingKey { case layers }

        mutating func read(_ fields: inout SnapshotReader<CodingKeys>) { fields.read(.layers, into: &layers) }
    }

    /// What survives a restart.
    var snapshot: Snapshot { Snapshot(layers: OptionLayers().carryingOver(from: layers)) }
}

extension MonitoringMode {
    /// Whether a record stays on the device because nobody asked for it in this mode.
    ///
    /// The documents of OwnTracks allow manual reports alone in quiet mode, and region events beside them in manual mode.
    /// A waypoint is published when its owner sets it, in each mode.
    func withholds(_ record: Record) -> Bool {
        switch record.content {
        case .request, .waypoint: return false
        case .transition: return !recordsRegions
        // The location beside a region event belongs to it.
        case .location: return !(recordsUnasked || recordsRegions && record.trigger != nil)
        case .motionchange, .visit, .trip, .ping, .providerchange, .power, .optionschange, .driving:
            return !recordsUnasked
        }
    }
}

extension SyncRule {
    /// Whether a record stays on the device; the answer to a request never does, since somebody waits for it.
    func withholds(_ record: Record) -> Bool {
        if case .request = record.content { return false }
        switch self {
        case .all: return false
        case .none: return true
        case .stopsAndExits:
            if case .transition(let transition) = record.content { return transition.direction != .leave }
            return !record.isStop
        }
    }
}
