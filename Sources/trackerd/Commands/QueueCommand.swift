import ArgumentParser
import Compatibility
import Store
import TrackerDaemon
import Tracking
import Upload

/// `trackerd queue`: what servers have still to get, and what they have refused.
struct QueueCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "queue", abstract: "Lists what waits for each target and what it refused, or sends that again.",
        discussion: """
            A record is set aside when its server refuses it and takes others. It stays on the device. While no daemon \
            runs, the command works with the database that the configuration names.
            """,
        subcommands: [List.self, Retry.self], defaultSubcommand: List.self)

    /// `trackerd queue list`.
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lists what waits for each target, and what was set aside (the default).")

        @OptionGroup var control: ControlOptions

        func run() throws {
            try control.report("queue", lines: QueueText.lines) { configuration in
                try QueueDesk(SetAsideTable(reading: configuration.storePath), targets: configuration.targetNames)
                    .contents()
            }
        }
    }

    /// `trackerd queue retry`.
    struct Retry: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Sends records again that were set aside, once what made the server refuse them is put right.")

        @Option(help: "Only those of this target.")
        var target: String?

        @Argument(help: "The numbers of the records; all when left out.")
        var sequences: [Int64] = []

        @OptionGroup var control: ControlOptions

        func run() throws {
            let numbers = sequences.isEmpty ? nil : sequences.map(String.init).joined(separator: ",")
            let values: KeyValuePairs<String, (any CustomStringConvertible)?> = [
                "target": target, "sequences": numbers,
            ]
            try control.report("queue retry", .given(values), lines: { (outcome: ControlOutcome) in [outcome.text] }) {
                configuration in
                let lock = try QueueLock(path: configuration.storePath)
                defer { withExtendedLifetime(lock) {} }
                return try QueueDesk(
                    SetAsideTable(path: configuration.storePath), targets: configuration.targetNames
                ).sendAgain(QueueRetry(target: target, sequences: sequences))
            }
        }
    }
}

extension Configuration {
    fileprivate var targetNames: [String] { targets.map(\.name) }
}

extension ControlOptions {
    /// Asks the daemon, or while none runs the database of the configuration.
    fileprivate func report<Result: Codable>(
        _ request: String, _ values: [OptionTree.Entry] = [], lines: (Result) -> [String],
        withoutDaemon: (Configuration) throws -> Result
    ) throws {
        let result: Result
        do throws(ControlClientError) {
            result = try ask(request, values)
        } catch {
            // Whoever names a socket means the daemon behind it.
            guard case .noDaemon = error, socket == nil else { throw error }
            result = try withoutDaemon(try Configuration.read(config))
        }
        try report(result, lines: lines)
    }
}
