/// What is wrong with a configuration: all of it at once, each with its place and the mend.
package struct ConfigurationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// One thing that is wrong.
    package struct Problem: Sendable, Hashable, CustomStringConvertible {
        /// The file.
        package let file: String
        /// The line, counted from 1; nothing when the whole file is meant.
        package let line: Int?
        /// What is wrong, and what to do.
        package let text: String

        /// Place and problem, as compilers write them.
        package var description: String { "\(file)\(line.map { ":\($0)" } ?? ""): \(text)" }
    }

    /// All that is wrong, in the order of the file; at least one.
    package let problems: [Problem]

    /// A line a problem.
    package var description: String { problems.map(\.description).joined(separator: "\n") }
}
