import ArgumentParser
import Tracking
import TrackerDaemon

/// `trackerd waypoint`: places that were marked by hand.
struct WaypointCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "waypoint", abstract: "Lists the waypoints, sets one, or removes them.",
        subcommands: [List.self, Set.self, Remove.self, Clear.self])

    /// `trackerd waypoint list`.
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists the waypoints.")

        @OptionGroup var control: ControlOptions

        func run() throws {
            try control.report("waypoint list") { (waypoints: [ControlWaypoint]) in waypoints.map(Self.line) }
        }

        private static func line(_ waypoint: ControlWaypoint) -> String {
            let centre = waypoint.lat.flatMap { lat in waypoint.lon.map { "\(lat), \($0)" } }
            let words = [waypoint.desc, centre, waypoint.rad.map { "\($0) m" }, waypoint.uuid]
            return words.compactMap(\.self).joined(separator: "  ")
        }
    }

    /// `trackerd waypoint set`.
    struct Set: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Marks a place; with a radius or a beacon it is also watched.",
            discussion: """
                The name may be written as in OwnTracks: `-name` ignores short losses, `+60name` is a circle that moves \
                along, `name|1|2` switches the mode on entering and leaving. Put `--` in front of a name with a hyphen.
                """)

        @Argument(help: "What the place is called; one of the same name is changed.")
        var name: String

        @Option(parsing: .unconditional, help: "Where, LATITUDE,LONGITUDE; where the vehicle is when left out.")
        var at: PlaceArgument?

        @Option(
            parsing: .unconditional,
            help: "Metres around it that are watched; 0: none; negative: it moves to where its beacon is met.")
        var radius: Double?

        @Option(help: "The UUID of the beacon that is watched.")
        var uuid: String?

        @Option(help: "The major number of the beacon; any when left out.")
        var major: UInt16?

        @Option(help: "The minor number of the beacon; any when left out.")
        var minor: UInt16?

        @OptionGroup var control: ControlOptions

        func run() throws {
            try control.order(
                "waypoint set",
                .given([
                    "name": name, "latitude": at?.latitude, "longitude": at?.longitude, "radius": radius, "uuid": uuid,
                    "major": major, "minor": minor,
                ]))
        }
    }

    /// `trackerd waypoint remove`.
    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Removes a waypoint.")

        @Argument(help: "The name of the waypoint, or its key.")
        var name: String

        @OptionGroup var control: ControlOptions

        func run() throws { try control.order("waypoint remove", .given(["name": name])) }
    }

    /// `trackerd waypoint clear`.
    struct Clear: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Removes all waypoints.")

        @OptionGroup var control: ControlOptions

        func run() throws { try control.order("waypoint clear") }
    }
}
