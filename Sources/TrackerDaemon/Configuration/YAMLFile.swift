import Compatibility
import FoundationEssentials
import Tracking
import Yams

/// A YAML file, read and taken apart, with the place of each value.
enum YAMLFile {
    /// Reads a file and hands its uppermost mapping to `body`; throws everything that was wrong.
    static func read<Value>(
        _ path: String, missing remedy: String, _ body: (inout MappingReader) -> Value?
    ) throws(ConfigurationError) -> Value {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw ConfigurationError(problems: [
                .init(file: path, line: nil, text: "the file cannot be read\(reason(path)). \(remedy)")
            ])
        }
        return try parse(String(decoding: data, as: UTF8.self), file: path, body)
    }

    /// The same for a text that is there already.
    static func parse<Value>(
        _ text: String, file: String, _ body: (inout MappingReader) -> Value?
    ) throws(ConfigurationError) -> Value {
        let problems = ProblemList(file: file, text: text)
        let value = compose(text, problems).flatMap { node -> Value? in
            guard var reader = MappingReader(node, path: "", problems: problems) else { return nil }
            let value = body(&reader)
            reader.finish()
            return value
        }
        try problems.check()
        guard let value else {
            let empty = ConfigurationError.Problem(
                file: file, line: nil, text: "the file is empty. Write one key a line.")
            throw ConfigurationError(problems: [empty])
        }
        return value
    }

    /// The top node; nil if there is none, or if the text is not YAML, which is noted.
    static func compose(_ text: String, _ problems: ProblemList) -> Node? {
        do {
            // Some editors put a byte order mark in front.
            return try Yams.compose(yaml: text.hasPrefix("\u{feff}") ? String(text.dropFirst()) : text)
        } catch let error as YamlError {
            switch error {
            case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
                .composer(_, let problem, let mark, _):
                let text =
                    "this is not YAML: \(problem) at column \(mark.column). Check indentation, quotes and colons."
                problems.add(text, line: mark.line)
            case .duplicatedKeysInMapping(let keys, let context):
                for key in keys.sorted() {
                    let line = secondLine(of: key, in: text, from: context.mark.line)
                    problems.add("`\(key)` is a duplicate key. Keep one of them.", line: line)
                }
            default: problems.add("this is not YAML: \(error)", line: nil)
            }
        } catch {
            problems.add("this is not YAML: \(error)", line: nil)
        }
        return nil
    }

    /// Why a file cannot be read, in brackets; empty if it does not exist, which the remedy covers.
    private static func reason(_ path: String) -> String {
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else { return "" }
        return attributes[.type] as? FileAttributeType == .typeDirectory
            ? " (it is a folder)" : " (its permissions do not allow it)"
    }

    /// The line of the second occurrence of a key in the mapping that begins at `start`, which is all that the parser reports.
    private static func secondLine(of key: String, in text: String, from start: Int) -> Int {
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated().dropFirst(
            start - 1)
        let found = lines.filter { $0.element.drop { $0 == " " || $0 == "-" || $0 == "\"" }.hasPrefix(key) }
        return found.count > 1 ? found[found.startIndex + 1].offset + 1 : start
    }
}

extension OptionTree {
    /// Converts a node of YAML, or of JSON, which is YAML.
    ///
    /// It reads no deeper than an options object can be: YAML aliases could expand without limit.
    init(_ node: Node, depth: Int = 5) {
        switch node {
        case .scalar(let scalar): self = node.null == nil ? .text(scalar.string) : .empty
        case .mapping(let mapping) where depth > 0:
            self = .mapping(
                mapping.compactMap { key, value in
                    key.scalar.map { Entry($0.string, line: key.mark?.line, OptionTree(value, depth: depth - 1)) }
                })
        case .mapping, .sequence, .alias: self = .list
        }
    }
}

/// All errors of a configuration, each with its place and its remedy.
package struct ConfigurationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// One error.
    package struct Problem: Sendable, Hashable, CustomStringConvertible {
        /// The file.
        package let file: String
        /// The line, counted from 1; nil for the whole file.
        package let line: Int?
        /// What is wrong, and what to do.
        package let text: String

        /// Place and problem, as compilers write them.
        package var description: String { "\(file)\(line.map { ":\($0)" } ?? ""): \(text)" }
    }

    /// The errors in the order of the file; at least one.
    package let problems: [Problem]

    /// A line a problem.
    package var description: String { problems.map(\.description).joined(separator: "\n") }
}
