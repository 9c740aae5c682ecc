import Compatibility
import Tracking
package import TrackingOptions

/// Tracking options on the command line, `KEY=VALUE` each.
package enum CommandLineOptions {
    /// Reads the layer that they make; nothing when there are none.
    package static func read(_ arguments: [String]) throws(ConfigurationError) -> OptionLayer? {
        guard !arguments.isEmpty else { return nil }
        var entries: [OptionTree.Entry] = []
        var problems: [ConfigurationError.Problem] = []
        for argument in arguments {
            guard let sign = argument.firstIndex(of: "=") else {
                let text = "`\(argument)` is not an option and its value. Write such as `stopTimeout=90s`."
                problems.append(.init(file: "command line", line: nil, text: text))
                continue
            }
            let value = String(argument[argument.index(after: sign)...])
            entries.append(.init(String(argument[..<sign]), line: nil, value == "null" ? .empty : .text(value)))
        }
        let reading = OptionReader.read(entries, path: "") { _ in "command line" }
        problems += reading.problems.map { .init(file: "command line", line: nil, text: $0.text) }
        if !problems.isEmpty { throw ConfigurationError(problems: problems) }
        return OptionLayer(.commandLine, name: "command line", reading.whole)
    }
}
