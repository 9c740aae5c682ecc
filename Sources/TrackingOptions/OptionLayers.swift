/// Layers of options; an upper layer overrides the layers below it.
///
/// The layers have the order of `OptionOrigin`. The custom, mode and remote layers are set while the program runs, and
/// survive a restart (`carryingOver`). The supply layer exists while the battery is low. The program reads the other
/// layers at each start.
package struct OptionLayers: Sendable, Hashable, Codable {
    /// The layers; the lowest is first.
    package private(set) var layers: [OptionLayer] = []

    /// Makes an object from layers in any order, and sorts them.
    package init(_ layers: [OptionLayer] = []) {
        for layer in layers { add(layer) }
    }

    /// Replaces all layers of an origin; an empty list removes them.
    package mutating func replace(_ origin: OptionOrigin, with layers: [OptionLayer]) {
        self.layers.removeAll { $0.origin == origin }
        for layer in layers { add(layer) }
    }

    /// Returns a copy with the custom, mode and remote layers of an earlier run.
    package func carryingOver(from earlier: OptionLayers) -> OptionLayers {
        var merged = self
        for origin in [OptionOrigin.custom, .mode, .remote] {
            merged.replace(origin, with: earlier.layers.filter { $0.origin == origin })
        }
        return merged
    }

    /// Returns a copy that also has the custom, mode and remote layers of `earlier`.
    ///
    /// The copy does not take over layers of an origin that already has a layer here.
    package func completed(by earlier: OptionLayers) -> OptionLayers {
        var merged = self
        for origin in [OptionOrigin.custom, .mode, .remote] where !layers.contains(where: { $0.origin == origin }) {
            merged.replace(origin, with: earlier.layers.filter { $0.origin == origin })
        }
        return merged
    }

    /// Whether some values apply only on a trip, or only between trips.
    package var dependOnTrip: Bool { layers.contains { $0.onTrip != nil } }

    /// Returns the options in force, each with its origin.
    package func resolve(isOnTrip: Bool) -> ResolvedOptions {
        var resolved = ResolvedOptions()
        let mode = layers.last { $0.origin == .mode }
        if let mode { resolved.replaceAll(with: mode) }
        for layer in layers where layer.applies(isOnTrip: isOnTrip) {
            let below = resolved
            defer { if layer.origin == .remote { resolved.keepPrivate(as: below) } }
            if layer.origin == .mode {
                resolved.apply(layer.assignments.filter { $0.key == OptionLayer.modeKey }, of: layer)
            } else if let mode, layer.profileCount > 0 {
                resolved.replaceAll(with: mode)
                resolved.apply(layer.assignments.dropFirst(layer.profileCount), of: layer)
            } else {
                resolved.apply(layer.assignments, of: layer)
            }
        }
        return resolved
    }

    /// Returns the options in force, in which the owner's values replace those of a server that the server may not set.
    ///
    /// The owner's values are those without the options of servers, of all layers as they are at the moment.
    package func resolve(isOnTrip: Bool, under rights: ServerRights) -> ResolvedOptions {
        guard let server else { return resolve(isOnTrip: isOnTrip) }
        var lasting = self
        lasting.replace(.supply, with: [])
        var resolved = lasting.resolve(isOnTrip: isOnTrip)
        resolved.withhold(
            below: lasting.withoutServer.resolve(isOnTrip: isOnTrip), rights.limits,
            maySilence: rights.permitSilence(to: server))
        for layer in layers where layer.origin == .supply { resolved.apply(layer.assignments, of: layer) }
        return resolved
    }

    /// The target whose server has set the remote options; nil if there are none.
    private var server: String? { layers.last { $0.origin == .remote }?.name }

    private var withoutServer: OptionLayers {
        var owned = self
        owned.replace(.remote, with: [])
        return owned
    }

    /// Returns whether somebody who may do so has set `beacons` to false.
    package func forbidBeacons(isOnTrip: Bool, under rights: ServerRights) -> Bool {
        let maySilence = server.map(rights.permitSilence) ?? true
        return (maySilence ? self : withoutServer).forbidBeacons(isOnTrip: isOnTrip)
            && forbidBeacons(isOnTrip: isOnTrip)
    }

    /// The mode that replaces the configured mode; nil if the configured mode is in force.
    package var mode: MonitoringMode? {
        layers.last { $0.origin == .mode }.flatMap { layer in MonitoringMode.allCases.first { $0.name == layer.name } }
    }

    /// The mode that the profile, the file and the custom options select, even if a later command has switched to
    /// another mode.
    package var configuredMode: MonitoringMode {
        let configured: [OptionOrigin] = [.default, .profile, .file, .custom]
        return OptionLayers(layers.filter { configured.contains($0.origin) }).resolve(isOnTrip: false).options
            .monitoring
    }

    /// Switches to a mode; the configured mode needs no layer.
    package mutating func replace(mode: MonitoringMode, with layer: OptionLayer) {
        replace(.mode, with: mode == configuredMode ? [] : [layer])
    }

    /// A copy in which the mode layer contains only the option `monitoring`; the table of modes has the other values.
    package var withModeAlone: OptionLayers {
        var copy = self
        copy.replace(
            .mode,
            with: layers.filter { $0.origin == .mode }.map { layer in
                OptionLayer(.mode, name: layer.name, layer.assignments.filter { $0.key == OptionLayer.modeKey })
            })
        return copy
    }

    private mutating func add(_ layer: OptionLayer) {
        let order = OptionOrigin.allCases
        let place = order.firstIndex(of: layer.origin)
        let above = layers.firstIndex { other in order.firstIndex(of: other.origin) ?? 0 > place ?? 0 }
        layers.insert(layer, at: above ?? layers.endIndex)
    }
}

/// The options in force, and their origins.
package struct ResolvedOptions: Sendable, Hashable {
    package struct Item: Sendable, Hashable {
        package let key: String
        package internal(set) var value: OptionValue
        /// Where the value comes from.
        package internal(set) var origin: OptionOrigin
        /// The name of the profile, mode or file with the value; empty for a default.
        package internal(set) var name: String
        /// The place of the value within that profile, mode or file; empty for a default, unless `switchOnBeacons` has
        /// set the value.
        package internal(set) var source: String
        /// The value of a server that does not apply, because the server may not set it; nil if there is none.
        package internal(set) var withheld: OptionAssignment?
    }

    package private(set) var options = TrackingOptions()
    /// Each option, in the order of the table.
    package private(set) var items: [Item]

    init() {
        let options = TrackingOptions()
        items = TrackingOption.all.map {
            Item(key: $0.key, value: $0.value(in: options), origin: .default, name: "", source: "")
        }
    }

    /// Returns the option with this key, or nil if there is none.
    package func item(_ key: String) -> Item? { items.first { $0.key == key } }

    /// The values of a server that do not apply, in the order of the table.
    package var withheld: [OptionAssignment] { items.compactMap(\.withheld) }

    /// Replaces the values that a server may not set by the owner's values.
    ///
    /// The owner's values of the options that only a profile or a preset of the server sets may be enough. Those options
    /// therefore come first.
    fileprivate mutating func withhold(below owned: ResolvedOptions, _ limits: ServerLimits, maySilence: Bool) {
        let check = FloorCheck(owned: owned.options, limits: limits)
        var faults: [String] {
            let forbidden = check.forbiddenKeys(in: options)
            return maySilence || !forbidden.isEmpty ? forbidden : check.silencingKeys(in: options)
        }
        while case let keys = faults, !keys.isEmpty {
            let values = items.enumerated().filter { keys.contains($1.key) }.map { index, item in
                (index, value: OptionAssignment(item.key, item.value, source: item.source))
            }
            let unnamed = values.filter { $0.value.isOfProfile }
            for (index, value) in unnamed.isEmpty ? values : unnamed {
                items[index] = owned.items[index]
                items[index].withheld = value
                TrackingOption.all[index].copy(from: owned.options, to: &options)
            }
        }
    }

    /// Keeps the mode `quiet` or `manual` of `below`, because a server's options cannot end these modes.
    fileprivate mutating func keepPrivate(as below: ResolvedOptions) {
        guard !below.options.monitoring.recordsUnasked, options.monitoring.recordsUnasked,
            let index = items.firstIndex(where: { $0.key == OptionLayer.modeKey })
        else { return }
        options.monitoring = below.options.monitoring
        items[index] = below.items[index]
    }

    /// Discards all values, and applies the values of a layer.
    mutating func replaceAll(with layer: OptionLayer) {
        self = ResolvedOptions()
        apply(layer.assignments, of: layer)
    }

    /// Applies values in their order.
    mutating func apply(_ assignments: some Sequence<OptionAssignment>, of layer: OptionLayer) {
        for assignment in assignments { apply(assignment, of: layer) }
    }

    /// Sets `beacons` to true because a beacon is configured, and states this as the source of the value.
    package mutating func switchOnBeacons() {
        guard let index = items.firstIndex(where: { $0.key == "beacons" }), !options.beacons else { return }
        options.beacons = true
        (items[index].value, items[index].origin, items[index].name) = (.flag(true), .default, "")
        items[index].source = "a beacon is configured"
    }

    /// Applies a value if the option is known and the value is within its bounds.
    mutating func apply(_ assignment: OptionAssignment, of layer: OptionLayer) {
        // An older version of the program may have stored an option that does not exist in this version.
        guard let index = items.firstIndex(where: { $0.key == assignment.key }),
            TrackingOption.all[index].assign(assignment.value, to: &options)
        else { return }
        items[index].value = assignment.value
        items[index].origin = layer.origin
        items[index].name = layer.name
        items[index].source = assignment.source
    }
}
