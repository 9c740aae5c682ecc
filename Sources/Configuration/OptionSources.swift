package import Compatibility
package import TrackingOptions
import Tracking

/// Options in environment variables: `TRACKERD_STOP_TIMEOUT` sets `stopTimeout`.
package enum OptionVariables {
    private static let prefix = "TRACKERD_"

    package static func name(of key: String) -> String {
        let words = key.map { $0.isUppercase ? "_\($0)" : $0.uppercased() }
        return prefix + words.joined()
    }

    static func read(_ environment: [String: String]) throws(ConfigurationError) -> OptionLayer? {
        let given = environment.filter { $0.key.hasPrefix(prefix) }.sorted { $0.key < $1.key }
        let names = TrackingOption.all.map { (key: $0.key, variable: name(of: $0.key)) }
        var assignments: [OptionAssignment] = []
        var problems: [ConfigurationError.Problem] = []
        for (variable, text) in given {
            guard let key = names.first(where: { $0.variable == variable })?.key else {
                // Other programs may have such variables too, so only a name close to that of an option is an error.
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

/// Options in arguments of the form `KEY=VALUE`.
package enum CommandLineOptions {
    package static func read(_ arguments: [String]) throws(ConfigurationError) -> OptionLayer? {
        guard !arguments.isEmpty else { return nil }
        var entries: [OptionTree.Entry] = []
        var problems: [ConfigurationError.Problem] = []
        for argument in arguments {
            guard let sign = argument.firstIndex(of: "=") else {
                let text =
                    "`\(argument)` is not of the form KEY=VALUE. Write a key and a value, such as `stopTimeout=90s`."
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

/// The file of `tracking start`, which contains the keys of the section `tracking`.
package enum CustomOptionsFile {
    package static func read(
        _ path: String
    ) throws(ConfigurationError) -> (options: OptionTree, notes: [ConfigurationError.Problem]) {
        let problems = ProblemList(file: path)
        let content = try TextFile.read(path, missing: "Check its name and its permissions.")
        let options = YAMLFile.compose(content, problems).map { OptionTree($0) }
        guard case .mapping(let entries)? = options, problems.problems.isEmpty else {
            let text = "the file contains no `key: value` lines. Write one option per line."
            let unknown = ConfigurationError.Problem(file: path, line: nil, text: text)
            throw ConfigurationError(problems: problems.problems.isEmpty ? [unknown] : problems.problems)
        }
        let reading = OptionReader.read(entries, path: "") { line in line.map { "\(path):\($0)" } ?? path }
        guard reading.problems.isEmpty else {
            throw ConfigurationError(problems: reading.problems.map { .init(file: path, line: $0.line, text: $0.text) })
        }
        return (.mapping(entries), reading.notes.map { .init(file: path, line: $0.line, text: $0.text) })
    }
}

/// Options from a server, in JSON, which is also valid YAML.
package enum RemoteOptionsFile {
    /// The limit in bytes.
    private static let largest = 256 * 1024

    /// One error makes the whole document invalid.
    package static func parse(_ text: String, file: String) throws(ConfigurationError) -> RemoteOptions {
        guard text.utf8.count <= largest else {
            let words = "the document is larger than \(largest / 1024) KiB. Shorten it."
            throw ConfigurationError(problems: [.init(file: file, line: nil, text: words)])
        }
        let problems = ProblemList(file: file)
        let node = YAMLFile.compose(text, problems)
        if !problems.problems.isEmpty { throw ConfigurationError(problems: problems.problems) }
        do {
            return try RemoteOptions.read(node.map { OptionTree($0, depth: 8) } ?? .empty)
        } catch {
            throw ConfigurationError(problems: error.problems.map { .init(file: file, line: $0.line, text: $0.text) })
        }
    }

    package static func read(_ path: String) throws(ConfigurationError) -> RemoteOptions {
        try parse(TextFile.read(path, missing: "Check its name and its permissions."), file: path)
    }
}
