/// A value for an option, and where it was written.
package struct OptionAssignment: Sendable, Hashable, Codable {
    /// The option.
    package let key: String
    /// Its value.
    package let value: OptionValue
    /// Where it was written: a table of a seed, a file and line, a variable; for people to read.
    package let source: String

    /// Assigns a value.
    package init(_ key: String, _ value: OptionValue, source: String) {
        self.key = key
        self.value = value
        self.source = source
    }
}

extension [OptionAssignment] {
    /// Assigns several values that come from the same place.
    static func from(_ source: String, _ values: KeyValuePairs<String, OptionValue>) -> [OptionAssignment] {
        values.map { OptionAssignment($0.key, $0.value, source: source) }
    }
}
