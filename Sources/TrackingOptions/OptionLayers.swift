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

    /// The same with what was set while the program ran before: one's own options, the mode, and the server's options.
    package func carryingOver(from earlier: OptionLayers) -> OptionLayers {
        var merged = self
        for origin in [OptionOrigin.custom, .mode, .remote] {
            merged.replace(origin, with: earlier.layers.filter { $0.origin == origin })
        }
        return merged
    }

    /// These, with what `earlier` has of each kind that can be set while the program runs and that is not set here.
    package func completed(by earlier: OptionLayers) -> OptionLayers {
        var merged = self
        for origin in [OptionOrigin.custom, .mode, .remote] where !layers.contains(where: { $0.origin == origin }) {
            merged.replace(origin, with: earlier.layers.filter { $0.origin == origin })
        }
        return merged
    }

    /// Whether being on a trip makes a difference.
    package var dependOnTrip: Bool { layers.contains { $0.onTrip != nil } }

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

/// The options that hold, and why.
package struct ResolvedOptions: Sendable, Hashable {
    /// An option, its value, and who said so.
    package struct Item: Sendable, Hashable {
        /// The option.
        package let key: String
        /// Its value.
        package internal(set) var value: OptionValue
        /// Where the value comes from.
        package internal(set) var origin: OptionOrigin
        /// Which profile, mode or file; empty for a default.
        package internal(set) var name: String
        /// Where in it the value was written; empty for a default.
        package internal(set) var source: String
    }

    /// The values.
    package private(set) var options = TrackingOptions()
    /// Each option, in the order of the table.
    package private(set) var items: [Item]

    /// Begins with the defaults.
    init() {
        let options = TrackingOptions()
        items = TrackingOption.all.map {
            Item(key: $0.key, value: $0.value(in: options), origin: .default, name: "", source: "")
        }
    }

    /// What is said about one option; nothing when there is none of that name.
    package func item(_ key: String) -> Item? { items.first { $0.key == key } }

    /// Takes a value over, if the option is known and the value changes something.
    mutating func apply(_ assignment: OptionAssignment, of layer: OptionLayer) {
        // A version of the program that is gone may have stored an option that is gone with it.
        guard let index = items.firstIndex(where: { $0.key == assignment.key }),
            TrackingOption.all[index].assign(assignment.value, to: &options)
        else { return }
        items[index].value = assignment.value
        items[index].origin = layer.origin
        items[index].name = layer.name
        items[index].source = assignment.source
    }
}
