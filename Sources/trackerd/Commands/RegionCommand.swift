import ArgumentParser
import Quantities
import Tracking
import TrackerDaemon

/// `trackerd region`: the places whose entering and leaving is told.
struct RegionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "region", abstract: "Lists the places that are watched, sets one, or removes it.",
        subcommands: [List.self, Set.self, Remove.self])

    /// `trackerd region list`.
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lists the places that are watched: those of the configuration, and the waypoints with a radius.")

        @OptionGroup var control: ControlOptions

        func run() throws {
            try control.report("region list") { (regions: [ControlRegion]) in regions.map(Self.line) }
        }

        private static func line(_ region: ControlRegion) -> String {
            let centre = region.lat.flatMap { lat in region.lon.map { "\(lat), \($0)" } }
            let size = region.radius_m.map { "\($0) m" }
            let words = [region.name, region.kind, centre, size, region.uuid, region.inside ? "inside" : nil]
            return words.compactMap(\.self).joined(separator: "  ")
        }
    }

    /// `trackerd region set`.
    struct Set: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Watches a circle: a waypoint with a radius.")

        @Argument(help: "What the place is called; one of the same name is changed.")
        var name: String

        @Option(parsing: .unconditional, help: "Its centre, LATITUDE,LONGITUDE; where the vehicle is when left out.")
        var at: PlaceArgument?

        @Option(help: "How far around it, in metres.")
        var radius = 100.0

        @OptionGroup var control: ControlOptions

        func run() throws {
            try control.order(
                "waypoint set",
                .given(["name": name, "latitude": at?.latitude, "longitude": at?.longitude, "radius": radius]))
        }
    }

    /// `trackerd region remove`.
    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Removes a place that was set by hand; those of the configuration are removed there.")

        @Argument(help: "The name of the place, or its key.")
        var name: String

        @OptionGroup var control: ControlOptions

        func run() throws { try control.order("waypoint remove", .given(["name": name])) }
    }
}

/// A place on the command line, such as `52.52,13.405`.
struct PlaceArgument: ExpressibleByArgument {
    let latitude: Double
    let longitude: Double

    init?(argument: String) {
        let numbers = argument.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
        guard numbers.count == 2, let latitude = numbers[0], let longitude = numbers[1],
            Coordinate(latitude: latitude, longitude: longitude) != nil
        else { return nil }
        (self.latitude, self.longitude) = (latitude, longitude)
    }
}
