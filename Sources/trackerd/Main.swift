// trackerd: the command line. It parses arguments, chooses real or simulated devices, and runs a command. The target Tracking
// contains the rules.

import ArgumentParser
import CLinux
import Control
import FoundationEssentials
import Glibc
import Quantities
import TrackingOptions

@main
struct Main: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trackerd",
        abstract:
            "Tracks a vehicle: motion wakes the GPS receiver, and trackerd writes each location to disk before it uploads the location.",
        version: release,
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
            Replay.self,
        ],
        defaultSubcommand: Run.self)

    /// The version of the program.
    static let release = "0.1.0"

    /// Runs the command that the arguments select.
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

/// A first argument that is neither a command nor an option.
///
/// Without this check, the program would report a wrong argument of `run`, because `run` is the default command.
struct UnknownCommand: Error, CustomStringConvertible {
    let name: String

    /// Throws an error if the first argument is neither a command nor an option.
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

/// The path of this program.
enum Executable {
    /// The path of the program's file, with symbolic links resolved; the folders above it may contain board files.
    static var path: String {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
    }

    /// Starts the program again in this process, with the same arguments; returns an error if the system refuses.
    ///
    /// The process keeps its process ID, so systemd does not see the restart. The system closes the descriptors that
    /// the program has opened with the flag `O_CLOEXEC`.
    static func restart() -> any Error {
        var arguments = CommandLine.arguments.map { strdup($0) } + [nil]
        execv("/proc/self/exe", &arguments)
        return RestartError(cause: String(cString: strerror(errno)))
    }
}

/// The program could not restart itself.
struct RestartError: Error, CustomStringConvertible {
    let cause: String

    var description: String { "trackerd cannot restart itself (\(cause)). Restart the service." }
}
