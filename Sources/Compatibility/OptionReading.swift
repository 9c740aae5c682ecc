import Quantities
package import TrackingOptions

package struct OptionError: Sendable, Hashable {
    /// The line, counted from 1; nil if there are no lines.
    package let line: Int?
    package let text: String
}

package struct OptionReading: Sendable, Hashable {
    /// The named profile; without one, the preset or the defaults of a section.
    package internal(set) var profile: Profile?
    /// The values in the order of the table, each option at most once.
    package internal(set) var assignments: [OptionAssignment] = []
    package internal(set) var problems: [OptionError] = []
    package internal(set) var notes: [OptionError] = []

    /// The profile's options, if there is one, and then the written values: a complete layer, which hides all below.
    package var whole: [OptionAssignment] { (profile?.complete ?? []) + assignments }
}

extension OptionLayer {
    /// The layer of `tracking start`, which hides the profile and the file.
    package static func custom(_ reading: OptionReading, name: String) -> OptionLayer {
        let profile = reading.profile ?? .vehicle
        let complete = profile.complete
        return OptionLayer(.custom, name: name, complete + reading.assignments, ofProfile: complete.count)
    }
}

/// The values of a file or a message in any format.
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

        /// The entry without a value if the text is `nil`, as the documentation of some products writes it.
        var withoutNil: Entry { value == .text("nil") ? Entry(key, line: line, .empty) : self }
    }

    case empty
    case text(String)
    case mapping([Entry])
    /// No option accepts a list.
    case list

    var quoted: String {
        switch self {
        case .text(let text): "`\(text.printable())`"
        case .empty, .mapping, .list: "the given value"
        }
    }
}
