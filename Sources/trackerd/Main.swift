//  trackerd: the command line. Parses arguments, chooses real devices or simulated ones, and runs; decides nothing.

import ArgumentParser

@main
struct Main: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trackerd",
        abstract: "Tracks a vehicle: motion wakes the GPS receiver, every location is on disk before it is uploaded.",
        version: "0.1.0",
        subcommands: [
            Run.self, DoctorCommand.self, Status.self, Why.self, Locate.self, Move.self, Stay.self, Mode.self,
            TrackingCommand.self,
            Trip.self, RegionCommand.self, WaypointCommand.self, OdometerCommand.self, QueueCommand.self,
            Profiles.self, Config.self, Replay.self, Manual.self,
        ],
        defaultSubcommand: Run.self)
}
