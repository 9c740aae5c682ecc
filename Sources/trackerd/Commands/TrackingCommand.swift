import ArgumentParser
import Compatibility
import Configuration
import Control
import Tracking
import TrackingOptions

struct TrackingCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tracking",
        abstract: "Switches tracking on or off, and shows, sets or removes custom options.",
        subcommands: [
            Start.self, OrderCommand<StopTrackingRequest>.self, Show.self, OrderCommand<ResetTrackingRequest>.self,
        ])

    struct Start: ParsableCommand {
        static let configuration = CommandConfiguration(
            for: StartTrackingRequest.self,
            discussion: """
                The file contains keys of the section `tracking`, in YAML or JSON. These options replace the whole section \
                until `tracking stop` or `tracking reset`, even after a restart. Without a file, the configured options apply again.
                """)

        @Option(help: "The file with the custom options.")
        var options: String?

        @OptionGroup var control: ControlOptions

        func run() throws {
            guard let options else { return try control.order(StartTrackingRequest.self) }
            let (tree, notes) = try CustomOptionsFile.read(options)
            for note in notes { LineWriter.writeNote("\(note)") }
            let name = options.split(separator: "/").last.map(String.init) ?? options
            try control.order(
                StartTrackingRequest.self,
                .given([StartTrackingRequest.nameKey: name])
                    + [OptionTree.Entry(StartTrackingRequest.optionsKey.name, line: nil, tree)])
        }
    }

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(for: ShowTrackingRequest.self)

        @OptionGroup var control: ControlOptions

        func run() throws {
            try control.report(ShowTrackingRequest.self) { tracking in
                let options = (tracking.options ?? [:]).sorted { $0.key < $1.key }
                let head = [
                    "# tracking is \(tracking.tracking)", tracking.name.map { "# options of \($0)" },
                    tracking.profile.map { "# these options override the profile \($0)" },
                ]
                return head.compactMap { $0 }
                    + options.map { key, value in
                        let other = tracking.overridden?[key].map { "  # overridden: \($0)" } ?? ""
                        return "\(key): \(value)\(other)"
                    }
            }
        }
    }
}

struct PrivateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "private",
        abstract: "Begins or ends a private period, in which the tracker records no position, no trip and no visit.",
        subcommands: [On.self, OrderCommand<EndPrivacyRequest>.self])

    struct On: ParsableCommand {
        static let configuration = CommandConfiguration(
            for: BeginPrivacyRequest.self,
            discussion: """
                A trip under way ends at the last place before the period. The odometer continues. If the vehicle moves when the \
                period ends, a new trip begins. `trackerd status` shows whether the position is private.
                """)

        @Option(name: .customLong("for"), help: .key(BeginPrivacyRequest.duration))
        var span: String?

        @OptionGroup var control: ControlOptions

        func run() throws { try control.order(BeginPrivacyRequest.self, .given([BeginPrivacyRequest.duration: span])) }
    }
}

struct AwakeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "awake",
        abstract: "Keeps the board of a parked vehicle awake for some time, for example for a login or an upgrade.",
        subcommands: [On.self, OrderCommand<EndAwakeRequest>.self])

    struct On: ParsableCommand {
        static let configuration = CommandConfiguration(
            for: StayAwakeRequest.self,
            discussion: """
                Tracking does not change. When the time is over, trackerd halts the board if the vehicle has been parked for \
                `haltAfter`. If the battery falls below `lowVoltage`, it halts the board earlier. `trackerd status` shows until \
                when the board stays awake.
                """)

        @Option(name: .customLong("for"), help: .key(StayAwakeRequest.duration))
        var span: String?

        @OptionGroup var control: ControlOptions

        func run() throws { try control.order(StayAwakeRequest.self, .given([StayAwakeRequest.duration: span])) }
    }
}
