import Control
import ArgumentParser
import Quantities
import Tracking

struct RegionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "region", abstract: "Lists the watched places, or sets or removes one.",
        subcommands: [List.self, Set.self, Remove.self])

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(for: ListRegionsRequest.self)

        @OptionGroup var control: ControlOptions

        func run() throws {
            try control.report(ListRegionsRequest.self) { $0.isEmpty ? ["no regions"] : $0.map(Self.line) }
        }

        private static func line(_ region: ControlRegion) -> String {
            let centre = region.lat.flatMap { lat in region.lon.map { "\(lat), \($0)" } }
            let size = region.radius_m.map { "\($0) m" }
            let origin = region.target.map { "from \($0)" }
            let words = [region.name, region.kind, centre, size, region.uuid, origin, region.inside ? "inside" : nil]
            return words.compactMap(\.self).joined(separator: "  ")
        }
    }

    struct Set: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Sets a waypoint with a radius; the tracker watches this circle.")

        @Argument(help: .key(SetWaypointRequest.nameKey))
        var name: String

        @Option(
            parsing: .unconditional,
            help: "The centre, LATITUDE,LONGITUDE; by default the position of the existing waypoint, or of the vehicle."
        )
        var at: PlaceArgument?

        @Option(help: "The radius in metres.")
        var radius = 100.0

        @OptionGroup var control: ControlOptions

        func run() throws {
            try control.order(
                SetWaypointRequest.self,
                .given([
                    SetWaypointRequest.nameKey: name, SetWaypointRequest.latitude: at?.latitude,
                    SetWaypointRequest.longitude: at?.longitude, SetWaypointRequest.radiusKey: radius,
                ]))
        }
    }

    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Removes a waypoint. To remove a configured place, edit the configuration file.")

        @Argument(help: .key(RemoveWaypointRequest.nameKey))
        var name: String

        @OptionGroup var control: ControlOptions

        func run() throws {
            try control.order(RemoveWaypointRequest.self, .given([RemoveWaypointRequest.nameKey: name]))
        }
    }
}

struct WaypointCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "waypoint", abstract: "Lists, sets or removes waypoints.",
        subcommands: [List.self, Set.self, Remove.self, OrderCommand<ClearWaypointsRequest>.self])

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(for: ListWaypointsRequest.self)

        @OptionGroup var control: ControlOptions

        func run() throws {
            try control.report(ListWaypointsRequest.self) { $0.isEmpty ? ["no waypoints"] : $0.map(Self.line) }
        }

        private static func line(_ waypoint: ControlWaypoint) -> String {
            let centre = waypoint.lat.flatMap { lat in waypoint.lon.map { "\(lat), \($0)" } }
            let words = [
                waypoint.desc, centre, waypoint.rad.map { "\($0) m" }, waypoint.uuid,
                waypoint.shared ? nil : "not published",
            ]
            return words.compactMap(\.self).joined(separator: "  ")
        }
    }

    struct Set: ParsableCommand {
        static let configuration = CommandConfiguration(
            for: SetWaypointRequest.self,
            discussion: """
                The name may use the notation of OwnTracks. With `-name`, the tracker ignores a short loss of the beacon. \
                `+60name` is a circle that moves with the vehicle; its radius is what the vehicle covers in 60 s, and at least \
                50 m. With `name|1|2`, the tracker switches to mode 1 on entry and to mode 2 on exit. Put `--` before a name \
                that starts with a hyphen.
                """)

        @Argument(help: .key(SetWaypointRequest.nameKey))
        var name: String

        @Option(
            parsing: .unconditional,
            help:
                "The position, LATITUDE,LONGITUDE; by default the position of the existing waypoint, or of the vehicle."
        )
        var at: PlaceArgument?

        @Option(parsing: .unconditional, help: .key(SetWaypointRequest.radiusKey))
        var radius: Double?

        @Option(help: .key(SetWaypointRequest.uuid))
        var uuid: String?

        @Option(help: .key(SetWaypointRequest.major))
        var major: UInt16?

        @Option(help: .key(SetWaypointRequest.minor))
        var minor: UInt16?

        @Flag(inversion: .prefixedNo, help: .key(SetWaypointRequest.shared))
        var shared: Bool?

        @OptionGroup var control: ControlOptions

        func run() throws {
            let values: KeyValuePairs<ControlKey, (any CustomStringConvertible)?> = [
                SetWaypointRequest.nameKey: name, SetWaypointRequest.latitude: at?.latitude,
                SetWaypointRequest.longitude: at?.longitude, SetWaypointRequest.radiusKey: radius,
                SetWaypointRequest.uuid: uuid, SetWaypointRequest.major: major, SetWaypointRequest.minor: minor,
                SetWaypointRequest.shared: shared,
            ]
            try control.order(SetWaypointRequest.self, .given(values))
        }
    }

    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(for: RemoveWaypointRequest.self)

        @Argument(help: .key(RemoveWaypointRequest.nameKey))
        var name: String

        @OptionGroup var control: ControlOptions

        func run() throws {
            try control.order(RemoveWaypointRequest.self, .given([RemoveWaypointRequest.nameKey: name]))
        }
    }
}

/// A position in the arguments, such as `52.52,13.405`.
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
