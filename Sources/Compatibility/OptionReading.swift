package import TrackingOptions

/// A mistake in written options, or a note about them.
package struct OptionProblem: Sendable, Hashable {
    /// The line, counted from 1; nil if there are no lines.
    package let line: Int?
    /// What is wrong, and what to do.
    package let text: String
}

/// The result of reading options: values, mistakes and notes.
package struct OptionReading: Sendable, Hashable {
    /// The named profile; nil if none is named.
    package internal(set) var profile: Profile?
    /// The values, in the order of the table; none twice.
    package internal(set) var assignments: [OptionAssignment] = []
    /// Mistakes.
    package internal(set) var problems: [OptionProblem] = []
    /// Notes about options that work.
    package internal(set) var notes: [OptionProblem] = []

    /// Every option of the named profile, then the values: for a layer that hides all layers below.
    package var whole: [OptionAssignment] { (profile?.complete ?? []) + assignments }
}

extension OptionLayer {
    /// The layer of options given with the command to track; it hides the profile and the file.
    package static func custom(_ reading: OptionReading, name: String) -> OptionLayer {
        let profile = reading.profile ?? .vehicle
        return OptionLayer(.custom, name: name, profile.complete + reading.assignments)
    }
}
