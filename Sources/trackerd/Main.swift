// trackerd: the command line. It parses arguments, chooses real or simulated devices, and runs a command. The target Tracking
// contains the rules.

import ArgumentParser
import CLinux
import Control
import Quantities
import TrackingOptions

@main
struct Main: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trackerd",
        abstract:
            "Tracks a vehicle: motion wakes the GPS receiver, and each location is on disk before it is uploaded.",
        version: Executable.release,
        subcommands: [
            Run.self, SetupCommand.self, DoctorCommand.self, StatusCommand.self, WatchCommand.self, Why.self,
            LocateCommand.self,
            OrderCommand<MoveRequest>.self, OrderCommand<StayRequest>.self, OrderCommand<RestartRequest>.self,
            ModeCommand.self, TrackingCommand.self, PrivateCommand.self,
            AwakeCommand.self,
            TripCommand.self, RegionCommand.self,
            WaypointCommand.self, OdometerCommand.self, QueueCommand.self, TripsCommand.self,
            ExportCommand.self, ReportCommand.self, PageCommand.self, BackupCommand.self, RestoreCommand.self,
            RecordCommand.self,
            Profiles.self, Config.self,
            ReplayCommand.self,
        ],
        defaultSubcommand: Run.self)

    static func main() {
        // Block signals first, so that a signal during the start does not end the daemon. The daemon handles the signal later.
        clinux_signals_hold()
        _ = InheritedEnvironment.cleared
        do {
            try UnknownCommand.check(CommandLine.arguments.dropFirst().first)
            var command = try parseAsRoot()
            if !(command is Run) { clinux_signals_release() }
            try command.run()
        } catch {
            exit(withError: error)
        }
    }
}

/// The first argument is neither a command nor an option; without this check, the program would report a wrong
/// argument of `run`, the default command.
struct UnknownCommand: Error, CustomStringConvertible {
    let name: String

    static func check(_ argument: String?) throws {
        guard let argument, !argument.isEmpty, !argument.hasPrefix("-"), !known.contains(argument) else { return }
        throw UnknownCommand(name: argument)
    }

    var description: String {
        let hint = Spelling.nearest(to: name, among: Self.known).map { "Did you mean `\($0)`?" }
        return
            "`\(name.printable(limit: 60))` is not a command of trackerd. \(hint ?? "`trackerd --help` lists the commands.")"
    }

    private static let known = Main.configuration.subcommands.map { $0._commandName } + ["help"]
}
