import FoundationEssentials
import Yams

/// A YAML file, read and taken apart, with the place of each value.
enum YAMLFile {
    /// Reads a file and hands its uppermost mapping to `body`; throws everything that was wrong.
    static func read<Value>(
        _ path: String, missing remedy: String, _ body: (inout MappingReader) -> Value?
    ) throws(ConfigurationError) -> Value {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw ConfigurationError(problems: [
                .init(file: path, line: nil, text: "the file cannot be read. \(remedy)")
            ])
        }
        return try parse(String(decoding: data, as: UTF8.self), file: path, body)
    }

    /// The same for a text that is there already.
    static func parse<Value>(
        _ text: String, file: String, _ body: (inout MappingReader) -> Value?
    ) throws(ConfigurationError) -> Value {
        let problems = ProblemList(file: file)
        let value = compose(text, problems).flatMap { node -> Value? in
            guard var reader = MappingReader(node, path: "", problems: problems) else { return nil }
            let value = body(&reader)
            reader.finish()
            return value
        }
        guard let value, problems.problems.isEmpty else {
            let found = problems.problems.sorted { ($0.line ?? 0) < ($1.line ?? 0) }
            let unknown = ConfigurationError.Problem(
                file: file, line: nil, text: "the file is empty. Write one key a line.")
            throw ConfigurationError(problems: found.isEmpty ? [unknown] : found)
        }
        return value
    }

    private static func compose(_ text: String, _ problems: ProblemList) -> Node? {
        do {
            return try Yams.compose(yaml: text)
        } catch let error as YamlError {
            switch error {
            case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
                .composer(_, let problem, let mark, _):
                let text =
                    "this is not YAML: \(problem) at column \(mark.column). Check indentation, quotes and colons."
                problems.add(text, line: mark.line)
            default: problems.add("this is not YAML: \(error)", line: nil)
            }
        } catch {
            problems.add("this is not YAML: \(error)", line: nil)
        }
        return nil
    }
}
