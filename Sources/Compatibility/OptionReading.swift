package import TrackingOptions

/// Something that is wrong with what was written, or worth being told of.
package struct OptionProblem: Sendable, Hashable {
    /// The line, counted from 1; nothing where there are none.
    package let line: Int?
    /// What it is, and what to do.
    package let text: String
}

/// What was read: values, and what is wrong with them.
package struct OptionReading: Sendable, Hashable {
    /// The profile that is named; nothing when none is.
    package internal(set) var profile: Profile?
    /// The values, in the order of the table; none twice.
    package internal(set) var assignments: [OptionAssignment] = []
    /// What is wrong.
    package internal(set) var problems: [OptionProblem] = []
    /// What works, and is worth being told of.
    package internal(set) var notes: [OptionProblem] = []

    /// The profile, if one is named, with the values over it: for a layer that is to hide all that lies below.
    package var whole: [OptionAssignment] { (profile?.complete ?? []) + assignments }
}

extension OptionLayer {
    /// The layer of options that are given with the order to track; it hides the profile and the file.
    package static func custom(_ reading: OptionReading, name: String) -> OptionLayer {
        let profile = reading.profile ?? .vehicle
        return OptionLayer(.custom, name: name, profile.complete + reading.assignments)
    }
}
