import Control
import Compatibility
import ArgumentParser
import Tracking

struct TripCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trip", abstract: "Starts or ends a trip by hand, with an ID and metadata of your own.",
        subcommands: [Start.self, OrderCommand<EndTripRequest>.self])

    struct Start: ParsableCommand {
        static let configuration = CommandConfiguration(
            for: StartTripRequest.self,
            discussion: """
                An automatic trip under way becomes this trip, unless the vehicle has already stopped and the trip only waits \
                for `tripGap`: then it ends. A trip that you started by hand ends too, unless it has the same ID.
                """
        )

        @Option(help: .key(StartTripRequest.tripID))
        var id: String?

        @Option(help: "A text to record with the trip, KEY=VALUE; may be repeated.")
        var metadata: [String] = []

        @OptionGroup var control: ControlOptions

        func validate() throws { _ = try entries() }

        func run() throws {
            let lines = OptionTree.Entry(StartTripRequest.metadata.name, line: nil, .mapping(try entries()))
            try control.order(StartTripRequest.self, .given([StartTripRequest.tripID: id]) + [lines])
        }

        private func entries() throws -> [OptionTree.Entry] {
            try metadata.map { line in
                guard let sign = line.firstIndex(of: "="), sign > line.startIndex else {
                    throw ValidationError(
                        "`\(line)` is not of the form KEY=VALUE. Write a key and a value, such as driver=Ada.")
                }
                return .init(String(line[..<sign]), line: nil, .text(String(line[line.index(after: sign)...])))
            }
        }
    }
}

struct OdometerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "odometer", abstract: "Shows or sets the distance driven.", subcommands: [Show.self, Set.self],
        defaultSubcommand: Show.self)

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(for: OdometerRequest.self, named: "show")

        @OptionGroup var control: ControlOptions

        func run() throws { try control.report(OdometerRequest.self) { ["\($0.odometer_m) m"] } }
    }

    struct Set: ParsableCommand {
        static let configuration = CommandConfiguration(for: SetOdometerRequest.self)

        @Argument(help: .key(SetOdometerRequest.metres))
        var metres: Double

        @OptionGroup var control: ControlOptions

        func run() throws {
            try control.order(SetOdometerRequest.self, .given([SetOdometerRequest.metres: metres]))
        }
    }
}
