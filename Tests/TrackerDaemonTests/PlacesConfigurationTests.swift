import TrackingOptions
import Calendar
import Compatibility
import Foundation
import Hardware
import Quantities
import Testing
import Tracking

@testable import Configuration

@Suite("Places and beacons in the configuration")
struct PlacesConfigurationTests {
    private static let uuid = "fda50693-a4e2-4fb1-afcf-c6eb07647825"

    private func parse(_ text: String) throws -> Configuration {
        try Configuration.parse("device: van1\n" + text, file: "config.yaml")
    }

    @Test("A configured beacon switches scanning on, and the origin of the option states this reason.")
    func scanning() throws {
        let beacon = "beacons: [{uuid: \(Self.uuid), name: van1, role: vehicle}]"
        for text in ["", beacon] {
            let configuration = try parse(text)
            let item = configuration.resolve(configuration.layers, isOnTrip: false).item("beacons")
            #expect(item?.value == .flag(!text.isEmpty))
            #expect(item?.source == (text.isEmpty ? "" : "a beacon is configured"))
        }
    }

    @Test("Without keys, the configuration has no places and beacons, and the computer's time zone applies.")
    func nothing() throws {
        let configuration = try parse("")
        #expect(configuration.regions.isEmpty)
        #expect(configuration.beacons.isEmpty)
        #expect(configuration.environment == .live)
        #expect(configuration.controlSocket == "/run/trackerd/control.sock")
    }

    @Test("Regions can be circles, polygons and beacons.")
    func shapes() throws {
        let regions = try parse(
            """
            regions:
              - {name: Depot, latitude: 52.5, longitude: 13.4, radius: 150, dwell: 5m}
              - {name: Yard, id: y, description: The yard, tst: 1700000000, polygon: [[52, 13], [52, 14], [53, 14]]}
              - {name: Van, beacon: {uuid: FDA50693-A4E2-4FB1-AFCF-C6EB07647825, major: 7}, rssi: -80}
            """
        ).regions
        #expect(regions.map(\.id) == ["Depot", "y", "Van"])
        #expect(regions.map(\.text) == ["Depot", "The yard", "Van"])
        let depot = try #require(Coordinate(latitude: 52.5, longitude: 13.4))
        #expect(regions[0].shape == .area(.circle(centre: depot, radius: Metres(150))))
        #expect(regions[0].options.dwell == .seconds(300))
        #expect(regions[1].defined == Timestamp(milliseconds: 1_700_000_000_000))
        let within = try #require(Coordinate(latitude: 52.2, longitude: 13.9))
        #expect(regions[1].shape.area.map { $0.clearance(from: within) < .zero } == true)
        #expect(regions[2].shape == .beacon(BeaconIdentity(uuid: Self.uuid, major: 7)))
        #expect(regions[2].options.rssiLimit == -80)
    }

    @Test("Each region has a unique date of definition, which is the same after a restart.")
    func stableDate() throws {
        let text = """
            regions:
              - {name: Depot, latitude: 52.5, longitude: 13.4, radius: 150}
              - {name: Yard, latitude: 52.5, longitude: 13.4, radius: 150}
            """
        let dates = try parse(text).regions.map(\.defined)
        #expect(try parse(text).regions.map(\.defined) == dates)
        #expect(dates[0] != dates[1])
        #expect(dates.allSatisfy { $0 < Timestamp(year: 2000, month: 1, day: 1) })
    }

    @Test("A region that is not shared has no description, and no key from its name.")
    func unshared() throws {
        let regions = try parse(
            """
            regions:
              - {name: Home, description: Our home, latitude: 52.5, longitude: 13.4, radius: 150, shared: false}
              - {name: Office, id: o7, beacon: {uuid: \(Self.uuid)}, shared: false}
              - {name: Depot, latitude: 52.5, longitude: 13.4, radius: 150, shared: true}
            """
        ).regions
        #expect(regions.map(\.text) == [nil, nil, "Depot"])
        #expect(regions.map(\.name.name) == ["Home", "Office", "Depot"])
        #expect(regions.dropFirst().map(\.id) == ["o7", "Depot"])
        #expect(regions.first.map { Int($0.id) != nil } == true)
    }

    @Test("Beacons identify the vehicle and the driver.")
    func beacons() throws {
        let beacons = try parse(
            """
            beacons:
              - {uuid: \(Self.uuid), major: 1, minor: 2, name: van1, role: vehicle}
              - {uuid: \(Self.uuid), name: Ada, role: driver}
            """
        ).beacons
        #expect(
            beacons == [
                MarkedBeacon(BeaconIdentity(uuid: Self.uuid, major: 1, minor: 2), name: "van1", role: .vehicle),
                MarkedBeacon(BeaconIdentity(uuid: Self.uuid), name: "Ada", role: .driver),
            ])
    }

    @Test("Regions, beacons and time zone reach the engine.")
    func setup() throws {
        let configuration = try parse(
            """
            timeZone: Europe/Berlin
            environment: test
            control: {socket: /tmp/t.sock}
            regions: [{name: Depot, latitude: 52.5, longitude: 13.4, radius: 150}]
            beacons: [{uuid: \(Self.uuid), name: van1, role: vehicle}]
            """)
        let setup = configuration.setup(for: BoardDescription(name: "bare"))
        #expect(setup.regions.map(\.id) == ["Depot"])
        #expect(setup.markedBeacons.map(\.name) == ["van1"])
        #expect(setup.zone.offset(at: Timestamp(year: 2026, month: 7, day: 1)) == .seconds(7200))
        #expect(setup.zone.offset(at: Timestamp(year: 2026, month: 1, day: 1)) == .seconds(3600))
        #expect(configuration.environment == .test)
        #expect(configuration.controlSocket == "/tmp/t.sock")
        // Each mode sets what the mode of that name sets in OwnTracks.
        #expect(setup.modes == OptionLayer.ownTracksModes && !setup.modes.isEmpty)
    }

    @Test(
        "An error in a place or beacon names the line and how to correct it.",
        arguments: [
            ("regions: Depot\n", "2: `regions` must be a list in which each entry begins with `- `; `Depot` is not."),
            (
                "regions:\n  - {latitude: 52, longitude: 13, radius: 100}\n",
                "3: `regions[1].name` is missing. Write the name of the place, such as `name: Depot`."
            ),
            (
                "regions:\n  - {name: A, longitude: 13, radius: 100}\n",
                "3: `regions[1].latitude` is missing. Write the degrees north, such as `latitude: 52.52`."
            ),
            (
                "regions:\n  - {name: A, latitude: 92, longitude: 13, radius: 100}\n",
                "3: `regions[1].latitude` must be a number from -90 to 90; `92` is not."
            ),
            (
                "regions:\n  - {name: A, latitude: 52, longitude: 13, radius: 0}\n",
                "3: `regions[1].radius` must be a number of metres from 1 to 5000000; `0` is not."
            ),
            (
                "regions:\n  - {name: A}\n",
                "3: a region needs exactly one of `polygon`, `beacon`, or `radius` with `latitude` and `longitude`; this region has 0 of the three."
            ),
            (
                "regions:\n  - {name: A, polygon: [[52, 13], [52, 14]]}\n",
                "3: region `A`: its border has 2 different points. Give at least 3."
            ),
            (
                "regions:\n  - {name: A, polygon: [[52, 13], 14, 15]}\n",
                "3: `regions[1].polygon` must be a list of points, each `[latitude, longitude]` in degrees; `14` is not."
            ),
            (
                "regions:\n  - {name: A, beacon: {uuid: x}}\n",
                "3: `regions[1].beacon.uuid` must be a UUID of 32 hexadecimal digits in the form 8-4-4-4-12; `x` is not."
            ),
            (
                "regions:\n  - {name: A, latitude: 52, longitude: 13, radius: 9}\n  - {name: B, id: A, latitude: 52, longitude: 13, radius: 9}\n",
                "4: two regions have the key `A`. Give each region its own `name` or `id`."
            ),
            (
                "regions:\n  - {name: A, latitude: 52, longitude: 13, radius: 9, dwel: 5m}\n",
                "3: `regions[1].dwel` is not an option. Did you mean `dwell`?"
            ),
            (
                "beacons:\n  - {name: van1, role: vehicle}\n",
                "3: `beacons[1].uuid` is missing. Write the UUID that the beacon sends."
            ),
            (
                "beacons:\n  - {uuid: fda50693-a4e2-4fb1-afcf-c6eb07647825, name: van1, role: car}\n",
                "3: `beacons[1].role` must be `vehicle` or `driver`; `car` is not."
            ),
            ("environment: prod\n", "2: `environment` must be `live` or `test`; `prod` is not."),
            (
                "timeZone: Europe/Berln\n",
                "2: `timeZone` must be a zone such as `Europe/Berlin`; `Europe/Berln` is not. Did you mean `Europe/Berlin`?"
            ),
            (
                "timeZone: ../../etc/passwd\n",
                "2: `timeZone` must be a zone such as `Europe/Berlin`; `../../etc/passwd` is not. The zones are in /usr/share/zoneinfo."
            ),
            (
                "timeZone: tzdata.zi\n",
                "2: `timeZone`: /usr/share/zoneinfo/tzdata.zi: no time zone: it does not begin with `TZif`. Name a zone such as `Europe/Berlin`."
            ),
            ("control: {sokcet: /tmp/x}\n", "2: `control.sokcet` is not an option. Did you mean `socket`?"),
        ])
    func problems(text: String, message: String) {
        let error = #expect(throws: ConfigurationError.self) { try parse(text) }
        #expect(error?.description == "config.yaml:" + message)
    }

    @Test("On a computer without a time zone, times are in UTC, with a note.")
    func noZone() throws {
        let problems = ProblemList(file: "config.yaml")
        var notes: [ConfigurationError.Problem] = []
        let node = try #require(YAMLFile.compose("device: van1\n", problems))
        var reader = try #require(MappingReader(node, path: "", problems: problems))
        let zone = ZoneFiles(local: "/nonexistent/localtime").read(&reader, notes: &notes)
        #expect(zone == .utc)
        #expect(problems.problems.isEmpty)
        #expect(
            notes.map(\.description) == [
                "config.yaml: `timeZone` and /nonexistent/localtime are missing, so trackerd reads times of day in UTC. Set `timeZone`."
            ])
    }

    @Test(
        "The path of the socket is found even if the rest of the file is wrong or unreadable.",
        arguments: [
            ("control: {socket: /tmp/a.sock}\ntargets: 7\n", "/tmp/a.sock"),
            ("device: [\n", ControlSection.defaultSocket),
            ("device: van1\n", ControlSection.defaultSocket),
        ])
    func socket(text: String, path: String) throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).yaml")
        try Data(text.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        #expect(ControlSection.socket(in: file.path) == path)
        #expect(ControlSection.socket(in: "/nonexistent/config.yaml") == ControlSection.defaultSocket)
    }
}
