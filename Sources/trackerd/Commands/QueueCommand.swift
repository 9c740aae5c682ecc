import ArgumentParser
import Compatibility
import Configuration
import Control
import Glibc
import Store
import Tracking
import Upload

struct QueueCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "queue",
        abstract:
            "Shows the number of waiting records for each target, lists set-aside records, sends them again, or gives them up.",
        discussion: """
            If the server refuses a record but accepts others, the daemon sets the refused one aside and keeps it on the device. \
            If no daemon is running and --socket is not set, the command opens the configured database itself.
            """,
        subcommands: [List.self, Retry.self, Drop.self], defaultSubcommand: List.self)

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

    struct Retry: ParsableCommand {
        static let configuration = CommandConfiguration(for: RetryQueueRequest.self)

        @Option(help: .key(RetryQueueRequest.targetKey))
        var target: String?

        @Argument(help: "The numbers of the records; by default all set-aside records.")
        var sequences: [Int64] = []

        @OptionGroup var control: ControlOptions

        func run() throws {
            let values: KeyValuePairs<ControlKey, (any CustomStringConvertible)?> = [
                RetryQueueRequest.targetKey: target, RetryQueueRequest.sequencesKey: sequences.list,
            ]
            try control.report(RetryQueueRequest.self, .given(values), lines: { [$0.text] }) { configuration in
                try configuration.withQueueDesk {
                    try $0.sendAgain(sequences, to: target)
                }
            }
        }
    }

    struct Drop: ParsableCommand {
        static let configuration = CommandConfiguration(
            for: DropQueueRequest.self,
            discussion: """
                Use this command if a server is gone for ever, or if it refuses records that cannot be corrected. The records \
                remain on the device until the limits of the database remove them; other targets still receive them.
                """)

        /// Leaves the daemon time for its devices between two requests.
        private static let pause_us: UInt32 = 25_000

        @Option(help: .key(DropQueueRequest.targetKey))
        var target: String?

        @Flag(help: "Also give up the records that wait for the target.")
        var waiting = false

        @Flag(help: "Confirm that the target will never receive the records.")
        var yes = false

        @Argument(help: "The numbers of set-aside records; by default all of them.")
        var sequences: [Int64] = []

        @OptionGroup var control: ControlOptions

        func validate() throws {
            guard !waiting || sequences.isEmpty else {
                throw ValidationError("Numbers select set-aside records only. Leave out the numbers, or --waiting.")
            }
            guard yes else {
                let receivers = target.map { "the target \($0)" } ?? "the targets that lack them"
                throw ValidationError(
                    "This command gives up records: \(receivers) will never receive them. `trackerd queue` lists them; to give them up, add --yes."
                )
            }
        }

        func run() throws {
            var dropped = 0
            while true {
                let step = try drop()
                dropped += step.dropped
                if step.is_complete { break }
                usleep(Self.pause_us)
            }
            try control.report(ControlDrop(dropped: dropped, is_complete: true)) { result in
                switch result.dropped {
                case 0 where waiting: ["No record is set aside or waits."]
                case 0: ["No record is set aside. To give up waiting records too, add --waiting."]
                case 1: ["1 record was given up."]
                default: ["\(result.dropped) records were given up."]
                }
            }
        }

        private func drop() throws -> ControlDrop {
            let values: KeyValuePairs<ControlKey, (any CustomStringConvertible)?> = [
                DropQueueRequest.targetKey: target, DropQueueRequest.sequencesKey: sequences.list,
                DropQueueRequest.waitingKey: waiting ? true : nil,
            ]
            return try control.ask(DropQueueRequest.self, .given(values)) { configuration in
                try configuration.withQueueDesk {
                    try $0.giveUp(sequences, for: target, waiting: waiting)
                }
            }
        }
    }
}

extension [Int64] {
    fileprivate var list: String? { isEmpty ? nil : map(String.init).joined(separator: ",") }
}

extension Configuration {
    /// Throws if a daemon uses the database.
    fileprivate func withQueueDesk<Answer>(_ body: (QueueDesk) throws -> Answer) throws -> Answer {
        let lock = try QueueLock(path: storePath)
        defer { withExtendedLifetime(lock) {} }
        return try body(QueueDesk(SetAsideTable(path: storePath), targets: targetNames))
    }

    var targetNames: [String] { targets.map(\.name) }
}

extension ControlOptions {
    func report<Request: ControlRequest>(
        _ request: Request.Type, _ values: [OptionTree.Entry] = [], lines: (Request.Response) -> [String],
        withoutDaemon: (Configuration) throws -> Request.Response
    ) throws {
        try report(try ask(request, values, withoutDaemon: withoutDaemon), lines: lines)
    }

    func ask<Request: ControlRequest>(
        _ request: Request.Type, _ values: [OptionTree.Entry],
        withoutDaemon: (Configuration) throws -> Request.Response
    ) throws -> Request.Response {
        do throws(ControlClientError) {
            return try ask(request, values)
        } catch {
            // With `--socket`, the user asks for this daemon, so do not use the database instead.
            guard case .noDaemon = error, socket == nil else { throw error }
            return try withoutDaemon(try Configuration.read(config))
        }
    }
}
