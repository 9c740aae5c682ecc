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
