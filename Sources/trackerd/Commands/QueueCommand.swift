import ArgumentParser
import Compatibility
import Store
import TrackerDaemon
import Tracking
import Upload

/// `trackerd queue`: lists the records that wait for targets, and the set-aside records.
struct QueueCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "queue",
        abstract:
            "Shows the number of waiting records for each target, lists set-aside records, or sends them again.",
        discussion: """
            If the server refuses a record but accepts other records, the daemon sets the refused record aside. The record \
            remains on the device. If no daemon is running and --socket is not set, the command opens the configured \
            database itself.
            """,
        subcommands: [List.self, Retry.self], defaultSubcommand: List.self)

    /// `trackerd queue list`.
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(for: QueueRequest.self, named: "list")

        @OptionGroup var control: ControlOptions

        func run() throws {
            try control.report(QueueRequest.self, lines: QueueText.lines) { configuration in
                try QueueDesk(SetAsideTable(reading: configuration.storePath), targets: configuration.targetNames)
                    .contents()
            }
        }
    }

    /// `trackerd queue retry`.
    struct Retry: ParsableCommand {
        static let configuration = CommandConfiguration(for: RetryQueueRequest.self)

        @Option(help: .key(RetryQueueRequest.targetKey))
        var target: String?

        @Argument(help: "The numbers of the records; by default all set-aside records.")
        var sequences: [Int64] = []

        @OptionGroup var control: ControlOptions

        func run() throws {
            let numbers = sequences.isEmpty ? nil : sequences.map(String.init).joined(separator: ",")
            let values: KeyValuePairs<ControlKey, (any CustomStringConvertible)?> = [
                RetryQueueRequest.targetKey: target, RetryQueueRequest.sequencesKey: numbers,
            ]
            try control.report(RetryQueueRequest.self, .given(values), lines: { [$0.text] }) { configuration in
                let lock = try QueueLock(path: configuration.storePath)
                defer { withExtendedLifetime(lock) {} }
                return try QueueDesk(
                    SetAsideTable(path: configuration.storePath), targets: configuration.targetNames
                ).sendAgain(RetryQueueRequest(target: target, sequences: sequences))
            }
        }
    }
}

extension Configuration {
    /// The names of the configured targets.
    var targetNames: [String] { targets.map(\.name) }
}

extension ControlOptions {
    /// Sends a request to the daemon and prints the response; if no daemon is running, uses the database in the configuration.
    func report<Request: ControlRequest>(
        _ request: Request.Type, _ values: [OptionTree.Entry] = [], lines: (Request.Response) -> [String],
        withoutDaemon: (Configuration) throws -> Request.Response
    ) throws {
        try report(try ask(request, values, withoutDaemon: withoutDaemon), lines: lines)
    }

    /// Sends a request to the daemon, or uses the configured database if no daemon is running; returns the response.
    func ask<Request: ControlRequest>(
        _ request: Request.Type, _ values: [OptionTree.Entry],
        withoutDaemon: (Configuration) throws -> Request.Response
    ) throws -> Request.Response {
        do throws(ControlClientError) {
            return try ask(request, values)
        } catch {
            // With `--socket`, the user asks for the daemon at this socket, so do not use the database instead.
            guard case .noDaemon = error, socket == nil else { throw error }
            return try withoutDaemon(try Configuration.read(config))
        }
    }
}
