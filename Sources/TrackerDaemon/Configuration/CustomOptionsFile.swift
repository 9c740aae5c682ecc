package import Compatibility
import FoundationEssentials
import Tracking

/// Tracking options that are given with the order to track: what would stand under `tracking`, in a file of its own.
package enum CustomOptionsFile {
    /// Reads the file; throws everything that is wrong with it, and gives what is worth being told of.
    package static func read(
        _ path: String
    ) throws(ConfigurationError) -> (options: OptionTree, notes: [ConfigurationError.Problem]) {
        guard let data = FileManager.default.contents(atPath: path) else {
            let text = "the file cannot be read. Check its name and its permissions."
            throw ConfigurationError(problems: [.init(file: path, line: nil, text: text)])
        }
        let problems = ProblemList(file: path)
        let options = YAMLFile.compose(String(decoding: data, as: UTF8.self), problems).map { OptionTree($0) }
        guard case .mapping(let entries)? = options, problems.problems.isEmpty else {
            let text = "the file holds no `key: value` lines. Write one option a line."
            let unknown = ConfigurationError.Problem(file: path, line: nil, text: text)
            throw ConfigurationError(problems: problems.problems.isEmpty ? [unknown] : problems.problems)
        }
        let reading = OptionReader.read(entries, path: "") { line in line.map { "\(path):\($0)" } ?? path }
        guard reading.problems.isEmpty else {
            throw ConfigurationError(
                problems: reading.problems.map { .init(file: path, line: $0.line, text: $0.text) })
        }
        return (.mapping(entries), reading.notes.map { .init(file: path, line: $0.line, text: $0.text) })
    }
}
