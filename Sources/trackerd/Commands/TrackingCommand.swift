import ArgumentParser
import Compatibility
import Glibc
import TrackerDaemon
import Tracking
import TrackingOptions

/// `trackerd tracking`: tracking altogether, and with which options.
struct TrackingCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tracking", abstract: "Switches tracking on or off, with options of one's own if wanted.",
        subcommands: [Start.self, Stop.self, Show.self])

    /// `trackerd tracking start`.
    struct Start: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Tracks, as the configuration says or with the options of a file.",
            discussion: """
                The file holds what would stand under `tracking`, in YAML or JSON. It replaces the whole section until \
                `tracking stop`, and survives a restart. Without a file the configuration holds again.
                """)

        @Option(help: "The file with the options.")
        var options: String?

        @OptionGroup var control: ControlOptions

        func run() throws {
            guard let options else { return try control.order("tracking start") }
            let (tree, notes) = try CustomOptionsFile.read(options)
            for note in notes {
                let line = "\(note)\n"
                _ = write(STDERR_FILENO, line, line.utf8.count)
            }
            let name = options.split(separator: "/").last.map(String.init) ?? options
            try control.order(
                "tracking start", .given(["name": name]) + [OptionTree.Entry("options", line: nil, tree)])
        }
    }

    /// `trackerd tracking stop`.
    struct Stop: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Tracks no more until `tracking start`, also after a restart; forgets options of one's own.")

        @OptionGroup var control: ControlOptions

        func run() throws { try control.order("tracking stop") }
    }

    /// `trackerd tracking show`.
    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Tells whether it tracks, and the options of one's own, if there are any.")

        @OptionGroup var control: ControlOptions

        func run() throws {
            try control.report("tracking show") { (tracking: ControlTracking) in
                let options = (tracking.options ?? [:]).sorted { $0.key < $1.key }
                return ["# tracking is \(tracking.tracking)"] + (tracking.name.map { ["# options of \($0)"] } ?? [])
                    + options.map { "\($0): \($1)" }
            }
        }
    }
}
