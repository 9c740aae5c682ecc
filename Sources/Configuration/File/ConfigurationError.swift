/// All errors of a configuration, each with its file, its line and its remedy.
package struct ConfigurationError: Error, Sendable, Hashable, CustomStringConvertible {
    package struct Problem: Sendable, Hashable, CustomStringConvertible {
        /// The file, or another source such as `environment` or `command line`.
        package let file: String
        /// The line, counted from 1; nil if the error concerns the whole file, or if the source is not a file.
        package let line: Int?
        package let text: String
        /// Whether the user may want the setting in spite of the note about it; errors do not use this value.
        package var mayBeIntended = true

        /// The file, the line and the error, in the format that compilers use.
        package var description: String { "\(file)\(line.map { ":\($0)" } ?? ""): \(text)" }
    }

    /// The errors in the order of the file; at least one.
    package let problems: [Problem]

    /// The errors, each on its own line.
    package var description: String { problems.map(\.description).joined(separator: "\n") }
}
