import Quantities

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
        case .text(let text): "`\(text.printable())`"
        case .empty, .mapping, .list: "what is written"
        }
    }
}
