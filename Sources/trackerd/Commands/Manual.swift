import ArgumentParser
import FoundationEssentials
import TrackerDaemon

/// `trackerd manual`: the parts of the documents that are made from the program's own tables.
struct Manual: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Prints parts of the documents that are made from the program's own tables.", shouldDisplay: false)

    /// A part of the documents.
    enum Part: String, ExpressibleByArgument, CaseIterable {
        case options, profiles, seeds

        var text: String {
            switch self {
            case .options: OptionManual.options
            case .profiles: OptionManual.profiles
            case .seeds: SeedManual.text
            }
        }
    }

    @Argument(help: "Which part.")
    var part: Part

    @Option(help: "Put it into this file, between its two comments, instead of printing it.")
    var into: String?

    func run() throws {
        guard let into else { return print(part.text) }
        var text = String(decoding: try Data(contentsOf: URL(filePath: into)), as: UTF8.self)
        guard let begin = text.firstRange(of: "<!-- trackerd manual \(part.rawValue) -->\n"),
            let end = text[begin.upperBound...].firstRange(of: "\n<!-- end -->")
        else {
            throw ValidationError(
                "\(into) has no `<!-- trackerd manual \(part.rawValue) -->` and `<!-- end -->` to put it between.")
        }
        text.replaceSubrange(begin.upperBound..<end.lowerBound, with: part.text)
        try Data(text.utf8).write(to: URL(filePath: into), options: .atomic)
    }
}
