package import Compatibility
import FoundationEssentials
import Tracking
import Yams

/// Tracking options as a server sends them: JSON, which is YAML.
package enum RemoteOptionsFile {
    /// More than this is no options document.
    private static let largest = 256 * 1024

    /// Reads a document; throws everything that is wrong with it, upon which the options in force stay.
    package static func parse(_ text: String, file: String) throws(ConfigurationError) -> RemoteOptions {
        guard text.utf8.count <= largest else {
            let words = "the document is larger than \(largest / 1024) KiB."
            throw ConfigurationError(problems: [.init(file: file, line: nil, text: words)])
        }
        let problems = ProblemList(file: file)
        let node = YAMLFile.compose(text, problems)
        if !problems.problems.isEmpty { throw ConfigurationError(problems: problems.problems) }
        do {
            return try RemoteOptions.read(node.map { OptionTree($0, depth: 8) } ?? .empty)
        } catch {
            throw ConfigurationError(
                problems: error.problems.map { .init(file: file, line: $0.line, text: $0.text) })
        }
    }

    /// Reads a document from a file.
    package static func read(_ path: String) throws(ConfigurationError) -> RemoteOptions {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw ConfigurationError(problems: [.init(file: path, line: nil, text: "the file cannot be read.")])
        }
        return try parse(String(decoding: data, as: UTF8.self), file: path)
    }
}
