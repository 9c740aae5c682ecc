import ArgumentParser
import Compatibility
import TrackerDaemon
import Tracking
import TrackingOptions

/// `trackerd config`: what the configuration says.
struct Config: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Shows the tracking options in force with their origin, or checks a configuration file.",
        subcommands: [Show.self, Check.self])

    /// `trackerd config show`.
    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Prints each tracking option with its origin.",
            discussion: """
                From below: default, profile, file, options of the server, environment (TRACKERD_STOP_TIMEOUT=90s), \
                command line (--option stopTimeout=90s).
                """)

        @Option(help: "The configuration file.")
        var config = Configuration.defaultPath

        @Option(help: "A value that goes over all others, KEY=VALUE; may be given several times.")
        var option: [String] = []

        @Option(help: "Show what these options would do if the server sent them: a JSON document.")
        var remote: String?

        @Flag(help: "As on a trip; off it when left out.")
        var onTrip = false

        @Option(help: "The environment whose options of the server count, live or test; the file's when left out.")
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
            abstract: "Checks a configuration file without starting; says everything that is wrong with it.")

        @Argument(help: "The configuration file.")
        var file = Configuration.defaultPath

        func run() throws {
            let configuration = try Configuration.read(file)
            let writer = try LineWriter(nil)
            for note in configuration.notes { writer.write(text: note.description) }
            let count = configuration.targets.count
            writer.write(text: "\(file): in order, with \(count) \(count == 1 ? "target" : "targets").")
            try writer.finish()
        }
    }
}

extension RemoteOptions.Environment: ExpressibleByArgument {}
