import Compatibility
import Tracking
import TrackingOptions

/// Tracking options in the environment: `TRACKERD_STOP_TIMEOUT` is `stopTimeout`.
package enum OptionVariables {
    private static let prefix = "TRACKERD_"

    /// The variable of an option.
    package static func name(of key: String) -> String {
        let words = key.map { $0.isUppercase ? "_\($0)" : $0.uppercased() }
        return prefix + words.joined()
    }

    /// Reads the layer that the environment makes; nothing when no option is among the variables.
    static func read(_ environment: [String: String]) throws(ConfigurationError) -> OptionLayer? {
        let given = environment.filter { $0.key.hasPrefix(prefix) }.sorted { $0.key < $1.key }
        let names = TrackingOption.all.map { (key: $0.key, variable: name(of: $0.key)) }
        var assignments: [OptionAssignment] = []
        var problems: [ConfigurationError.Problem] = []
        for (variable, text) in given {
            guard let key = names.first(where: { $0.variable == variable })?.key else {
                // Other parts may have variables of their own; what is nearly an option is a slip.
                guard let near = Spelling.nearest(to: variable, among: names.map(\.variable)) else { continue }
                let words = "`\(variable)` is not an option. Did you mean `\(near)`?"
                problems.append(.init(file: "environment", line: nil, text: words))
                continue
            }
            let tree: OptionTree = text.isEmpty || text == "null" ? .empty : .text(text)
            let reading = OptionReader.read([.init(key, line: nil, tree)], path: "") { _ in variable }
            assignments += reading.assignments
            problems += reading.problems.map {
                .init(file: "environment", line: nil, text: "\(variable): \($0.text)")
            }
        }
        if !problems.isEmpty { throw ConfigurationError(problems: problems) }
        return assignments.isEmpty ? nil : OptionLayer(.environment, name: "environment", assignments)
    }
}
