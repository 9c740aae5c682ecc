import ArgumentParser
import Compatibility
import Control
import Tracking
import TrackingOptions

struct Profiles: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Lists the profiles, or prints one profile with the source of each value.")

    @Argument(help: "The profile to print.")
    var name: String?

    @Flag(help: "Write JSON.")
    var json = false

    func run() throws {
        let writer = try LineWriter(nil)
        if let name {
            let listing = OptionListing(resolved: try Profile.read(name).resolved)
            if json { writer.write(listing.lines) } else { writer.write(text: listing.text) }
        } else if json {
            writer.write(Profile.all.map { ["name": $0.name, "text": $0.text] })
        } else {
            let lines = TextTable.lines(Profile.all.map { [$0.name, $0.text] }, right: [])
            for line in lines { writer.write(text: line) }
        }
        try writer.finish()
    }
}

extension Profile {
    static func read(_ name: String) throws -> Profile {
        if let profile = named(name) { return profile }
        let known = all.map(\.name)
        let hint = Spelling.nearest(to: name, among: known).map { " Did you mean `\($0)`?" } ?? ""
        throw ValidationError("`\(name)` is not a profile.\(hint) The profiles are \(known.joined(separator: ", ")).")
    }
}

/// Options as a configuration file, or as JSON.
struct OptionListing {
    let options: [ControlOption]

    init(_ options: [ControlOption]) { self.options = options }

    init(resolved: ResolvedOptions) { options = resolved.items.map(ControlOption.init) }

    /// Lines such as `key: value`, with the origin of each value as a comment.
    var text: String {
        let lines = options.map { ("\($0.key): \($0.text)", $0.comment) }
        let width = lines.map(\.0.count).max() ?? 0
        return lines.map { line, comment in
            "\(line)\(String(repeating: " ", count: width - line.count))  # \(comment)"
        }.joined(separator: "\n")
    }

    var lines: [String: Line] {
        Dictionary(options.map { ($0.key, Line(value: $0.value, origin: $0.origin, source: $0.source)) }) { $1 }
    }

    struct Line: Encodable {
        let value: PlainValue
        let origin: String
        let source: String?
    }
}
