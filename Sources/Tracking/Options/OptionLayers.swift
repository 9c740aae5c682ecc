/// All that says how the vehicle is tracked: layers, of which the upper go over the lower.
///
/// Order from below: default, profile, file, custom, mode, remote, environment, command line, supply. Custom, mode and remote
/// are set while the program runs, and survive a restart (`carryingOver`); the others are read anew.
package struct OptionLayers: Sendable, Hashable, Codable {
    /// The layers, from below.
    package private(set) var layers: [OptionLayer] = []

    /// Puts layers together, in whatever order they come.
    package init(_ layers: [OptionLayer] = []) {
        for layer in layers { add(layer) }
    }

    /// Puts these in place of all layers of that origin; none withdraws them.
    package mutating func replace(_ origin: OptionOrigin, with layers: [OptionLayer]) {
        self.layers.removeAll { $0.origin == origin }
        for layer in layers { add(layer) }
    }

    /// Switches the monitoring mode; whatever the server or the command line says goes over it.
    package mutating func switchMode(to mode: MonitoringMode) { replace(.mode, with: [.mode(mode)]) }

    /// The same with what was set while the program ran before: one's own options, the mode, and the server's options.
    package func carryingOver(from earlier: OptionLayers) -> OptionLayers {
        var merged = self
        for origin in [OptionOrigin.custom, .mode, .remote] {
            merged.replace(origin, with: earlier.layers.filter { $0.origin == origin })
        }
        return merged
    }

    /// These, with what `earlier` has of each kind that can be set while the program runs and that is not set here.
    func completed(by earlier: OptionLayers) -> OptionLayers {
        var merged = self
        for origin in [OptionOrigin.custom, .mode, .remote] where !layers.contains(where: { $0.origin == origin }) {
            merged.replace(origin, with: earlier.layers.filter { $0.origin == origin })
        }
        return merged
    }

    /// Whether being on a trip makes a difference.
    var dependOnTrip: Bool { layers.contains { $0.onTrip != nil } }

    /// The options that hold, each with its origin.
    package func resolve(isOnTrip: Bool) -> ResolvedOptions {
        var resolved = ResolvedOptions()
        for layer in layers where layer.applies(isOnTrip: isOnTrip) {
            for assignment in layer.assignments { resolved.apply(assignment, of: layer) }
        }
        return resolved
    }

    private mutating func add(_ layer: OptionLayer) {
        let order = OptionOrigin.allCases
        let place = order.firstIndex(of: layer.origin)
        let above = layers.firstIndex { other in order.firstIndex(of: other.origin) ?? 0 > place ?? 0 }
        layers.insert(layer, at: above ?? layers.endIndex)
    }
}
