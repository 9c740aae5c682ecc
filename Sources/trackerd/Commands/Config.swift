import ArgumentParser
import Compatibility
import Configuration
import Control
import Devices
import Doctor
import FoundationEssentials
import Motion
import Tracking
import TrackingOptions
import Upload

struct Config: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Shows the tracking options in force with their origins, or checks or reloads a configuration file.",
        subcommands: [Show.self, Check.self, Reload.self])

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Prints each tracking option in force with its origin.",
            discussion: """
                The command asks the daemon for the options. If it cannot reach the daemon, it reads the configuration file \
                instead. With --file, --option, --remote, --on-trip or --environment, it always reads the file.

                A later origin in this list overrides an earlier one: default, profile, file, options of `trackerd \
                tracking start`, a mode set by command, options of the server, environment (TRACKERD_STOP_TIMEOUT=90s), \
                command line (--option stopTimeout=90s), low battery.
                """)

        @Option(help: "The configuration file.")
        var config = Configuration.defaultPath

        @Option(help: "The daemon's socket, instead of the one in the configuration.")
        var socket: String?

        @Flag(help: "Show the options of the file, and do not ask the daemon.")
        var file = false

        @Option(help: "Show the effect of this value, KEY=VALUE; may be repeated.")
        var option: [String] = []

        @Option(help: "Show the effect of the server options in this JSON file.")
        var remote: String?

        @Flag(help: "Show the options that apply during a trip.")
        var onTrip = false

        @Option(
            help:
                "With --remote, apply the server options for this environment, live or test; by default the `environment` of the configuration file."
        )
        var environment: RemoteOptions.Environment?

        @Flag(help: "Write JSON.")
        var json = false

        /// True if the answer must come from the file, not from the daemon.
        private var isPreview: Bool { file || !option.isEmpty || remote != nil || onTrip || environment != nil }

        func run() throws {
            let (listing, comment) = try isPreview ? (preview(), nil) : inForce()
            let writer = try LineWriter(nil)
            if json {
                writer.write(listing.lines)
            } else {
                writer.write(text: ([comment, listing.text].compactMap { $0 }).joined(separator: "\n"))
            }
            try writer.finish()
            if json, let comment { LineWriter.writeNote(comment) }
        }

        /// The daemon's options; if no daemon can be asked, those of the file.
        private func inForce() throws -> ([ControlOption], comment: String?) {
            let path = socket ?? ControlSection.socket(in: config)
            let reading = socket.map(ControlSection.sibling) ?? ControlSection.readSocket(in: config)
            do throws(ControlClientError) {
                let options = try ControlClient.connected(to: path, orToRead: reading, for: ShowOptionsRequest.self)
                    .ask(ShowOptionsRequest.self)
                return (options, "# these options are in force in the daemon at \(path)")
            } catch {
                switch error {
                case .noDaemon:
                    return (try preview(), "# no daemon answers at \(path); these are the options of \(config)")
                case .forbidden:
                    let reason = "this user has no permission to ask the daemon at \(path)"
                    return (try preview(), "# \(reason); these are the options of \(config)")
                case .ended, .silent, .unreadable, .refused: throw error
                }
            }
        }

        private func preview() throws -> [ControlOption] {
            let configuration = try Configuration.read(config, arguments: option)
            var layers = configuration.layers
            if let remote {
                let options = try RemoteOptionsFile.read(remote)
                layers.replace(.remote, with: options.layers(environment ?? configuration.environment))
            }
            return configuration.resolve(layers, isOnTrip: onTrip).items.map(ControlOption.init)
        }
    }

    struct Reload: ParsableCommand {
        static let configuration = CommandConfiguration(
            for: ReloadRequest.self,
            discussion: """
                The daemon reads its own configuration file, and applies the device's name, options, targets, regions, beacons \
                and the time zone. The reload does not end a trip or restart the receiver. `board`, the board file, `store`, \
                `control` and `metrics` take effect only when the daemon starts; if one of them has changed, the daemon rejects \
                the configuration file.
                """)

        @OptionGroup var control: ControlOptions

        func run() throws { try control.order(ReloadRequest.self) }
    }

    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Checks a configuration file and reports all errors in it, without starting the daemon.",
            discussion: """
                With --connect, the command also tests each server with the target's credentials, but sends no record: a web \
                server gets one GET request, and a broker of MQTT 5 an empty message. If root runs the command, it checks the \
                files and folders as the user of the service. The exit status is 1 if the file has an error, or if the test of \
                a server results in a fault or a warning.
                """)

        @Argument(help: "The configuration file; by default \(Configuration.defaultPath).")
        var file: String?

        @Option(help: "The configuration file, as in the other commands.")
        var config: String?

        @Flag(help: "Also test the connection to the server of each target.")
        var connect = false

        func validate() throws {
            guard file == nil || config == nil else {
                throw ValidationError("The configuration file is given twice. Give it once, with or without --config.")
            }
        }

        func run() throws {
            let file = config ?? file ?? Configuration.defaultPath
            let configuration = try Configuration.check(
                Configuration.text(of: file), file: file, environment: ProcessInfo.processInfo.environment,
                as: CheckingUser(ofServiceWith: file), checkBoard: checkBoard)
            let writer = try LineWriter(nil)
            for note in configuration.notes { writer.write(text: note.description) }
            let count = configuration.targets.count
            writer.write(text: "\(file): valid, with \(count) \(count == 1 ? "target" : "targets").")
            let findings = connect ? Doctor.tryTargets(of: configuration, TargetProbe(now: BootClock().now)) : []
            for finding in findings { writer.write(text: finding.sentences) }
            try writer.finish()
            if findings.contains(where: { $0.grade != .ok }) { throw ExitCode.failure }
        }

        private func checkBoard(_ configuration: Configuration) throws {
            // The file may be for another computer, so the check does not search for the board of this computer.
            guard let board = configuration.board, let base = board.base, base != ComputerModel.automatic else {
                return
            }
            _ = try BoardFile.read(
                named: nil, in: BoardFile.folders(executable: Executable.path), entry: board,
                models: Accelerometers.names)
        }
    }
}

extension RemoteOptions.Environment: ExpressibleByArgument {}

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
            let listing = try Profile.read(name).resolved.items.map(ControlOption.init)
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

extension [ControlOption] {
    /// Lines such as `key: value`, with the origin of each value as a comment.
    var text: String {
        let lines = map { ("\($0.key): \($0.text)", $0.comment) }
        let width = lines.map(\.0.count).max() ?? 0
        return lines.map { line, comment in
            "\(line)\(String(repeating: " ", count: width - line.count))  # \(comment)"
        }.joined(separator: "\n")
    }

    var lines: [String: OptionLine] {
        Dictionary(map { ($0.key, OptionLine(value: $0.value, origin: $0.origin, source: $0.source)) }) { $1 }
    }
}

struct OptionLine: Encodable {
    let value: PlainValue
    let origin: String
    let source: String?
}
