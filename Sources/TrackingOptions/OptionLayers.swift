/// Layers in the order of `OptionOrigin`; an upper one overrides those below. The custom, mode and remote layers are set at run
/// time and survive a restart (`carryingOver`), the supply layer exists while the battery is low, and the others are read at
/// each start and each reload.
package struct OptionLayers: Sendable, Hashable, Codable {
    /// The layers; the lowest is first.
    package private(set) var layers: [OptionLayer] = []

    package init(_ layers: [OptionLayer] = []) {
        for layer in layers { add(layer) }
    }

    package mutating func replace(_ origin: OptionOrigin, with layers: [OptionLayer]) {
        self.layers.removeAll { $0.origin == origin }
        for layer in layers { add(layer) }
    }

    /// These layers with the custom, mode and remote layers of `earlier`.
    package func carryingOver(from earlier: OptionLayers) -> OptionLayers {
        OptionLayers(layers.filter { !Self.setAtRunTime.contains($0.origin) }).completed(by: earlier)
    }

    private static let setAtRunTime: [OptionOrigin] = [.custom, .mode, .remote]

    /// These layers with the custom, mode and remote layers of `earlier`, unless a layer of that origin exists here.
    package func completed(by earlier: OptionLayers) -> OptionLayers {
        var merged = self
        for origin in Self.setAtRunTime where !layers.contains(where: { $0.origin == origin }) {
            merged.replace(origin, with: earlier.layers.filter { $0.origin == origin })
        }
        return merged
    }

    package var dependOnTrip: Bool { layers.contains { $0.onTrip != nil } }

    package func resolve(isOnTrip: Bool) -> ResolvedOptions {
        let resolved = resolve(isOnTrip: isOnTrip, in: nil)
        guard layers.contains(where: { $0.assignments.contains { $0.mode != nil } }) else { return resolved }
        return resolve(isOnTrip: isOnTrip, in: resolved.options.monitoring)
    }

    /// Leaves out the values that are only for another mode than `inForce`.
    private func resolve(isOnTrip: Bool, in inForce: MonitoringMode?) -> ResolvedOptions {
        var resolved = ResolvedOptions(in: inForce)
        let applied = layers.filter { $0.applies(isOnTrip: isOnTrip) }
        let server = applied.last { !$0.serverMode.isEmpty }
        let mode = server ?? applied.last { $0.origin == .mode }
        let ofMode = server?.serverMode ?? mode?.assignments ?? []
        if let mode { resolved.replaceAll(with: ofMode, of: mode) }
        for layer in applied {
            let below = resolved
            defer { if layer.origin == .remote { resolved.keepPrivate(as: below) } }
            if layer.origin == .mode {
                resolved.apply(layer.assignments.filter { $0.key == OptionLayer.modeKey }, of: layer)
            } else if let mode, layer.profileCount > 0 {
                resolved.replaceAll(with: ofMode, of: mode)
                resolved.apply(layer.given, of: layer)
            } else {
                resolved.apply(layer.serverMode.isEmpty ? layer.assignments[...] : layer.given, of: layer)
            }
        }
        return resolved
    }

    /// If a server's value is not permitted, the value without any options of servers applies.
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

    /// The target whose server has set the remote options.
    private var server: String? { layers.last { $0.origin == .remote }?.name }

    private var withoutServer: OptionLayers {
        var owned = self
        owned.replace(.remote, with: [])
        return owned
    }

    package func forbidBeacons(isOnTrip: Bool, under rights: ServerRights) -> Bool {
        let maySilence = server.map(rights.permitSilence) ?? true
        return (maySilence ? self : withoutServer).forbidBeacons(isOnTrip: isOnTrip)
            && forbidBeacons(isOnTrip: isOnTrip)
    }

    package var mode: MonitoringMode? {
        layers.last { $0.origin == .mode }.flatMap { layer in MonitoringMode.allCases.first { $0.name == layer.name } }
    }

    /// The mode of profile, file and custom options, even if a command has switched to another.
    package var configuredMode: MonitoringMode {
        let configured: [OptionOrigin] = [.default, .profile, .file, .custom]
        return OptionLayers(layers.filter { configured.contains($0.origin) }).resolve(isOnTrip: false).options
            .monitoring
    }

    /// Replaces the mode's layer; for the configured mode only removes it, because that mode needs no layer.
    package mutating func replace(mode: MonitoringMode, with layer: OptionLayer) {
        replace(.mode, with: mode == configuredMode ? [] : [layer])
    }

    /// The layers, but with only `monitoring` in the mode's layer; the table of modes has its other values.
    package var withModeAlone: OptionLayers {
        var copy = self
        copy.replace(
            .mode,
            with: layers.filter { $0.origin == .mode }.map { layer in
                OptionLayer(.mode, name: layer.name, layer.assignments.filter { $0.key == OptionLayer.modeKey })
            })
        return copy
    }

    /// The value that a layer sets itself; nil if only a profile, a mode or a default sets the option.
    package func given(_ key: String, isOnTrip: Bool) -> OptionAssignment? {
        var given: OptionAssignment?
        for layer in layers where layer.applies(isOnTrip: isOnTrip) && layer.origin != .mode {
            // The values of a profile hide all layers below.
            if layer.profileCount > 0 { given = nil }
            given = layer.given.last { $0.key == key } ?? given
        }
        return given
    }

    /// Returns whether a configured beacon must not switch scanning on.
    package func forbidBeacons(isOnTrip: Bool) -> Bool { given("beacons", isOnTrip: isOnTrip)?.value == .flag(false) }

    private mutating func add(_ layer: OptionLayer) {
        let order = OptionOrigin.allCases
        let place = order.firstIndex(of: layer.origin)
        let above = layers.firstIndex { other in order.firstIndex(of: other.origin) ?? 0 > place ?? 0 }
        layers.insert(layer, at: above ?? layers.endIndex)
    }
}

package struct ResolvedOptions: Sendable, Hashable {
    package struct Item: Sendable, Hashable {
        package let key: String
        package internal(set) var value: OptionValue
        package internal(set) var origin: OptionOrigin
        /// The name of the layer with the value, such as a profile, a mode or a file; empty for a default.
        package internal(set) var name: String
        /// The place within that layer; empty for a default, unless `switchOnBeacons` set the value.
        package internal(set) var source: String
        /// A value that a server has set without permission.
        package internal(set) var withheld: OptionAssignment?
    }

    package private(set) var options = TrackingOptions()
    package private(set) var items: [Item]
    private let inForce: MonitoringMode?

    init(in inForce: MonitoringMode?) {
        self.inForce = inForce
        let options = TrackingOptions()
        items = TrackingOption.all.map {
            Item(key: $0.key, value: $0.value(in: options), origin: .default, name: "", source: "")
        }
    }

    package func item(_ key: String) -> Item? { items.first { $0.key == key } }

    package var withheld: [OptionAssignment] { items.compactMap(\.withheld) }

    /// Restores the owner's values of options that a server has no permission to set. Options that only a profile or
    /// preset of the server sets come first, because restoring these may be enough.
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

    /// Restores the modes `quiet` and `manual`, which a server's options cannot end.
    fileprivate mutating func keepPrivate(as below: ResolvedOptions) {
        guard !below.options.monitoring.recordsUnasked, options.monitoring.recordsUnasked,
            let index = items.firstIndex(where: { $0.key == OptionLayer.modeKey })
        else { return }
        options.monitoring = below.options.monitoring
        items[index] = below.items[index]
    }

    mutating func replaceAll(with assignments: [OptionAssignment], of layer: OptionLayer) {
        self = ResolvedOptions(in: inForce)
        apply(assignments, of: layer)
    }

    mutating func apply(_ assignments: some Sequence<OptionAssignment>, of layer: OptionLayer) {
        for assignment in assignments { apply(assignment, of: layer) }
    }

    /// Switches scanning on for a configured beacon, which becomes the source of the value.
    package mutating func switchOnBeacons() {
        guard let index = items.firstIndex(where: { $0.key == "beacons" }), !options.beacons else { return }
        options.beacons = true
        (items[index].value, items[index].origin, items[index].name) = (.flag(true), .default, "")
        items[index].source = "a beacon is configured"
    }

    mutating func apply(_ assignment: OptionAssignment, of layer: OptionLayer) {
        // An older version may have stored an option that does not exist in this one.
        guard assignment.mode == nil || assignment.mode == inForce,
            let index = items.firstIndex(where: { $0.key == assignment.key }),
            TrackingOption.all[index].assign(assignment.value, to: &options)
        else { return }
        items[index].value = assignment.value
        items[index].origin = layer.origin
        items[index].name = layer.name
        items[index].source = assignment.source
    }
}
