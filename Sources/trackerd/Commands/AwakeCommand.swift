import Control
import ArgumentParser

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
                `haltAfter`. A battery below `lowVoltage` halts the board also before. `trackerd status` shows until when the \
                board stays awake.
                """)

        @Option(name: .customLong("for"), help: .key(StayAwakeRequest.duration))
        var span: String?

        @OptionGroup var control: ControlOptions

        func run() throws { try control.order(StayAwakeRequest.self, .given([StayAwakeRequest.duration: span])) }
    }
}
