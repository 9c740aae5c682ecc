/// All errors of a configuration, each with its file, its line and its remedy.
package struct ConfigurationError: Error, Sendable, Hashable, CustomStringConvertible {
    package struct Problem: Sendable, Hashable, CustomStringConvertible {
        /// Or another source, such as `environment` or `command line`.
        package let file: String
        /// Counted from 1; nil for the whole file, or if the source is no file.
        package let line: Int?
        package let text: String
        /// Whether the user may want the setting in spite of the note about it; errors do not use this value.
        package var mayBeIntended = true

        package var description: String { "\(file)\(line.map { ":\($0)" } ?? ""): \(text)" }
    }

    /// In the order of the file; at least one.
    package let problems: [Problem]

    package var description: String { problems.map(\.description).joined(separator: "\n") }
}
