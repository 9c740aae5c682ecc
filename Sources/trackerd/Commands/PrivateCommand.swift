import Control
import ArgumentParser

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
