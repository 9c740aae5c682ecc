import ArgumentParser
import Compatibility
import Tracking

/// `trackerd trip`: a trip of one's own.
struct Trip: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Starts or ends a trip by hand, with an id and whatever is to be kept with it.",
        subcommands: [Start.self, End.self])

    /// `trackerd trip start`.
    struct Start: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Starts a trip; it lasts until `trip end`, whatever stops there are.",
            discussion: "A trip that is under way becomes this one. One that was started by hand before is ended.")

        @Option(help: "What others know the trip by, such as the number of an order.")
        var id: String?

        @Option(help: "Something to keep with the trip, KEY=VALUE; may be given several times.")
        var metadata: [String] = []

        @OptionGroup var control: ControlOptions

        func validate() throws { _ = try entries() }

        func run() throws {
            let lines = OptionTree.Entry("metadata", line: nil, .mapping(try entries()))
            try control.order("trip start", .given(["tripId": id]) + [lines])
        }

        private func entries() throws -> [OptionTree.Entry] {
            try metadata.map { line in
                guard let sign = line.firstIndex(of: "="), sign > line.startIndex else {
                    throw ValidationError("`\(line)` is not a key and its value. Write such as driver=Ada.")
                }
                return .init(String(line[..<sign]), line: nil, .text(String(line[line.index(after: sign)...])))
            }
        }
    }

    /// `trackerd trip end`.
    struct End: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Ends the trip that was started by hand.")

        @OptionGroup var control: ControlOptions

        func run() throws { try control.order("trip end") }
    }
}
