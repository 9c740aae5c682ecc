import Quantities
package import TrackingOptions

/// A mistake in written options, or a note about them.
package struct OptionError: Sendable, Hashable {
    /// The line, counted from 1; nil if there are no lines.
    package let line: Int?
    /// What is wrong, and how to correct it.
    package let text: String
}

/// The result of reading options: values, mistakes and notes.
package struct OptionReading: Sendable, Hashable {
    /// The profile that the options set, or else the preset or the defaults of a section; nil if there is none of
    /// these.
    package internal(set) var profile: Profile?
    /// The values, in the order of the table; each option occurs at most once.
    package internal(set) var assignments: [OptionAssignment] = []
    package internal(set) var problems: [OptionError] = []
    /// Notes about options that have no mistake.
    package internal(set) var notes: [OptionError] = []

    /// The values of the profile for every option, if there is a profile; after them, the written values.
    ///
    /// With a profile, the values form a complete layer, which hides all layers below.
    package var whole: [OptionAssignment] { (profile?.complete ?? []) + assignments }
}

extension OptionLayer {
    /// Returns the layer of the options in `tracking start`; the layer hides the profile and the file.
    package static func custom(_ reading: OptionReading, name: String) -> OptionLayer {
        let profile = reading.profile ?? .vehicle
        let complete = profile.complete
        return OptionLayer(.custom, name: name, complete + reading.assignments, ofProfile: complete.count)
    }
}

/// The content of a file or a message in any format: values under keys, with their lines.
package indirect enum OptionTree: Sendable, Hashable {
    package struct Entry: Sendable, Hashable {
        package let key: String
        /// The line, counted from 1; nil if there are no lines.
        package let line: Int?
        package let value: OptionTree

        package init(_ key: String, line: Int?, _ value: OptionTree) {
            self.key = key
            self.line = line
            self.value = value
        }

        /// The entry; if its text is `nil`, the entry without a value.
        ///
        /// The documentation of some products writes `nil` for no value.
        var withoutNil: Entry { value == .text("nil") ? Entry(key, line: line, .empty) : self }
    }

    /// No value, or `null`.
    case empty
    /// A text, a number or a flag.
    case text(String)
    case mapping([Entry])
    /// A list; no option accepts one.
    case list

    /// The value as messages quote it.
    var quoted: String {
        switch self {
        case .text(let text): "`\(text.printable())`"
        case .empty, .mapping, .list: "the given value"
        }
    }
}
