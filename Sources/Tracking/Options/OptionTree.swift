/// What a file or a message says, whatever it was written in: texts under keys, with their lines.
package indirect enum OptionTree: Sendable, Hashable {
    /// A key and what stands under it.
    package struct Entry: Sendable, Hashable {
        package let key: String
        /// The line, counted from 1; nothing where there are none.
        package let line: Int?
        package let value: OptionTree

        package init(_ key: String, line: Int?, _ value: OptionTree) {
            self.key = key
            self.line = line
            self.value = value
        }
    }

    /// Nothing, or `null`.
    case empty
    /// A text, a number, a flag.
    case text(String)
    /// Keys.
    case mapping([Entry])
    /// A list, which no option has.
    case list

    /// As a message quotes it.
    var quoted: String {
        switch self {
        case .text(let text): "`\(text)`"
        case .empty, .mapping, .list: "what is written"
        }
    }
}

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
