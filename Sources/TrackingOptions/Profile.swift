/// A named set of values: data, not code.
package struct Profile: Sendable, Hashable {
    /// What it is called in the configuration.
    package let name: String
    /// What it is for, in one sentence.
    package let text: String
    /// Its values, each with its source; what is not among them has its default.
    package let assignments: [OptionAssignment]

    /// Names a set of values, in one sentence.
    package init(_ name: String, _ text: String, _ assignments: [OptionAssignment]...) {
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

extension Profile {
    /// The profile that is used when none is named.
    package static let vehicle = Profile(
        "vehicle", "The default, tuned on recorded drives of cars and vans.",
        .from(
            "tuned on recorded drives",
            [
                "distanceFilter": .metres(200), "disableElasticity": .flag(false), "elasticityMultiplier": .number(1),
                "turnFilter": .degrees(25), "stopTimeout": .seconds(180), "stopDuration": .seconds(200),
                "stopDistance": .metres(70), "desiredSyncInterval": .seconds(20), "replay": .choice(ReplayRule.all),
            ]))
}
