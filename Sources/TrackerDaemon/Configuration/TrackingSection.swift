import Compatibility
import Tracking
import TrackingOptions
import Yams

/// The section `tracking` of the configuration file.
enum TrackingSection {
    /// Reads the layers that it makes: the profile, and what stands beside it.
    static func read(_ file: inout MappingReader, notes: inout [ConfigurationError.Problem]) -> [OptionLayer] {
        guard let node = file.child("tracking") else { return [.profile(.vehicle)] }
        let name = file.problems.file
        guard case .mapping(let entries) = OptionTree(node) else {
            file.problems.add("`tracking` holds no `key: value` lines. Write one key a line.", at: node)
            return []
        }
        let reading = OptionReader.read(entries, path: "tracking") { line in line.map { "\(name):\($0)" } ?? name }
        for problem in reading.problems { file.problems.add(problem.text, line: problem.line) }
        notes += reading.notes.map { .init(file: name, line: $0.line, text: $0.text) }
        return [
            .profile(reading.profile ?? .vehicle), OptionLayer(.file, name: name, reading.assignments),
        ]
    }
}
