import ArgumentParser
import Compatibility
import TrackerDaemon
import Tracking
import TrackingOptions

/// `trackerd config`: the options in force, and a check of the file.
struct Config: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Shows the tracking options in force with their origins, or checks a configuration file.",
        subcommands: [Show.self, Check.self])

    /// `trackerd config show`.
    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Prints each tracking option with its origin.",
            discussion: """
                Each layer overrides the layers before it: default, profile, file, options of the server, environment \
                (TRACKERD_STOP_TIMEOUT=90s), command line (--option stopTimeout=90s).
                """)

        @Option(help: "The configuration file.")
        var config = Configuration.defaultPath

        @Option(help: "A value that overrides all others, KEY=VALUE; may be repeated.")
        var option: [String] = []

        @Option(help: "Show the effect of the server options in this JSON file.")
        var remote: String?

        @Flag(help: "Show the options for a trip.")
        var onTrip = false

        @Option(help: "Apply the server options for this environment, live or test; by default the file's environment.")
        var environment: RemoteOptions.Environment?

        @Flag(help: "Write JSON.")
        var json = false

        func run() throws {
            let configuration = try Configuration.read(config, arguments: option)
            var layers = configuration.layers
            if let remote {
                let options = try RemoteOptionsFile.read(remote)
                layers.replace(.remote, with: options.layers(environment ?? configuration.environment))
            }
            let listing = OptionListing(resolved: layers.resolve(isOnTrip: onTrip))
            let writer = try LineWriter(nil)
            if json { writer.write(listing.lines) } else { writer.write(text: listing.text) }
            try writer.finish()
        }
    }

    /// `trackerd config check`.
    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Checks a configuration file and reports all errors in it, without starting the daemon.")

        @Argument(help: "The configuration file.")
        var file = Configuration.defaultPath

        func run() throws {
            let configuration = try Configuration.read(file)
            let writer = try LineWriter(nil)
            for note in configuration.notes { writer.write(text: note.description) }
            let count = configuration.targets.count
            writer.write(text: "\(file): valid, with \(count) \(count == 1 ? "target" : "targets").")
            try writer.finish()
        }
    }
}

extension RemoteOptions.Environment: ExpressibleByArgument {}
