/// A named set of options: data, not code.
package struct Profile: Sendable, Hashable {
    /// What it is called in the configuration.
    package let name: String
    /// What it is for, in one sentence.
    package let text: String
    /// Its values.
    package let options: TrackingOptions

    private init(_ name: String, _ text: String, _ change: (inout TrackingOptions) -> Void) {
        self.name = name
        self.text = text
        var options = TrackingOptions()
        change(&options)
        self.options = options
    }

    /// The profile that is used when none is named.
    package static let vehicle = Profile("vehicle", "The default, for a car or a van.") {
        $0.stopTimeout = .seconds(180)
    }

    /// Motion alone decides, with the defaults of the classic motion-driven trackers.
    package static let motion = Profile("motion", "The accelerometer alone decides; no place rule.") {
        $0.stopDuration = .zero
    }

    /// All profiles, in the order in which they are listed.
    package static let all = [vehicle, motion]

    /// The profile of that name.
    package static func named(_ name: String) -> Profile? { all.first { $0.name == name } }
}
