/// A named set of values: data, not code.
package struct Profile: Sendable, Hashable {
    /// What it is called in the configuration.
    package let name: String
    /// What it is for, in one sentence.
    package let text: String
    /// Its values, each with its source; what is not among them has its default.
    package let assignments: [OptionAssignment]

    init(_ name: String, _ text: String, _ assignments: [OptionAssignment]...) {
        self.name = name
        self.text = text
        self.assignments = Array(assignments.joined())
    }

    /// The options of who uses it as it is.
    package var options: TrackingOptions { resolved.options }

    /// The same, each with its source.
    package var resolved: ResolvedOptions { OptionLayers([.profile(self)]).resolve(isOnTrip: false) }

    /// Every option, whether the profile sets it or not: what a layer needs in order to hide all that lies below.
    package var complete: [OptionAssignment] {
        resolved.items.map { item in
            let source = item.source.isEmpty ? "default" : item.source
            return OptionAssignment(item.key, item.value, source: "profile \(name): \(source)")
        }
    }
}
