package struct Profile: Sendable, Hashable {
    package let name: String
    package let text: String
    package let assignments: [OptionAssignment]

    package init(_ name: String, _ text: String, _ assignments: [OptionAssignment]...) {
        self.name = name
        self.text = text
        self.assignments = Array(assignments.joined())
    }

    package var options: TrackingOptions { resolved.options }

    package var resolved: ResolvedOptions { OptionLayers([.profile(self)]).resolve(isOnTrip: false) }

    /// The values of all options, also of those that the profile does not set: a layer that hides all below.
    package var complete: [OptionAssignment] {
        resolved.items.map { item in
            let source = item.source.isEmpty ? "default" : item.source
            return OptionAssignment(item.key, item.value, source: "\(OptionAssignment.profilePrefix)\(name): \(source)")
        }
    }
}

extension OptionLayer {
    package static func profile(_ profile: Profile) -> OptionLayer {
        OptionLayer(.profile, name: profile.name, profile.assignments)
    }
}

extension Profile {
    /// The profile in use if the configuration selects none.
    package static let vehicle = Profile(
        "vehicle", "The default profile, with values tuned on recorded drives of cars and vans.",
        .from(
            "tuned on recorded drives",
            [
                "distanceFilter": .metres(200), "disableElasticity": .flag(false), "elasticityMultiplier": .number(1),
                "turnFilter": .degrees(90), "stopTimeout": .seconds(180), "stopDuration": .seconds(200),
                "stopDistance": .metres(70), "stopRequiresRest": .flag(true), "desiredSyncInterval": .seconds(20),
                "replay": .choice(ReplayRule.all),
            ]))
}
