import Quantities

/// The content of a file or a message in any format: texts under keys, with their lines.
package indirect enum OptionTree: Sendable, Hashable {
    /// A key and its value.
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
    }

    /// Empty, or `null`.
    case empty
    /// A text, a number, a flag.
    case text(String)
    /// Keys.
    case mapping([Entry])
    /// A list, which no option has.
    case list

    /// The value as a message quotes it.
    var quoted: String {
        switch self {
        case .text(let text): "`\(text.printable())`"
        case .empty, .mapping, .list: "what is written"
        }
    }
}
