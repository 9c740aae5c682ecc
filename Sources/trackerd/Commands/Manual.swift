import ArgumentParser
import FoundationEssentials
import Hardware
import TrackerDaemon

/// `trackerd manual`: the parts of the documents that are made from the program's own tables.
struct Manual: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Prints parts of the documents that are made from the program's own tables.", shouldDisplay: false)

    /// A part of the documents.
    enum Part: String, ExpressibleByArgument, CaseIterable {
        case options, profiles, seeds, wiring
    }

    @Argument(help: "Which part.")
    var part: Part

    @Option(
        help: """
            Put it into this file, between its two comments, instead of printing it; for `wiring`, into wiring.md of \
            this folder, and the drawings beside it.
            """)
    var into: String?

    func run() throws {
        switch part {
        case .options: try write(OptionManual.options, into: into)
        case .profiles: try write(OptionManual.profiles, into: into)
        case .seeds: try write(SeedManual.text, into: into)
        case .wiring:
            let boards = try boards()
            try write(WiringManual.text(boards), into: into.map { "\($0)/wiring.md" })
            if let into { try draw(boards, into: into) }
        }
    }

    private func write(_ part: String, into path: String?) throws {
        guard let path else { return print(part) }
        var text = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
        let name = self.part.rawValue
        guard let begin = text.firstRange(of: "<!-- trackerd manual \(name) -->\n"),
            let end = text[begin.upperBound...].firstRange(of: "\n<!-- end -->")
        else {
            throw ValidationError(
                "\(path) has no `<!-- trackerd manual \(name) -->` and `<!-- end -->` to put it between.")
        }
        text.replaceSubrange(begin.upperBound..<end.lowerBound, with: part)
        try Data(text.utf8).write(to: URL(filePath: path), options: .atomic)
    }

    private func draw(_ boards: [BoardDescription], into folder: String) throws {
        try FileManager.default.createDirectory(atPath: "\(folder)/wiring", withIntermediateDirectories: true)
        for board in boards where board.header != nil {
            let path = "\(folder)/\(WiringManual.drawing(of: board))"
            try Data(WiringDrawing(board).text.utf8).write(to: URL(filePath: path), options: .atomic)
        }
    }

    private func boards() throws -> [BoardDescription] {
        // Those of the checkout, not those that the owner of this computer has.
        let folders = Array(BoardFile.folders(executable: Executable.path).dropFirst())
        return try BoardFile.names(in: folders).map { try BoardFile.read(named: $0, in: folders) }
    }
}
