import Calendar
import Foundation
import Quantities
import Testing

@testable import TrackingOptions

@Suite("Layers of options")
struct OptionLayersTests {
    private static func layer(_ origin: OptionOrigin, _ metres: Double, onTrip: Bool? = nil) -> OptionLayer {
        OptionLayer(
            origin, name: "n", onTrip: onTrip, [OptionAssignment("distanceFilter", .metres(metres), source: "s")])
    }

    private static func mode(_ mode: MonitoringMode, _ metres: Double) -> OptionLayer {
        OptionLayer(
            .mode, name: mode.name,
            .from("s", ["monitoring": .choice(mode), "distanceFilter": .metres(metres)]))
    }

    private static let profile = Profile(
        "test", "A profile for tests.",
        .from("a table", ["stationaryRadius": .metres(150), "stopTimeout": .seconds(300)]))

    @Test("Upper layers override lower layers, in any order of the arguments.")
    func order() {
        let order: [OptionOrigin] = [.profile, .file, .custom, .remote, .environment, .commandLine]
        for count in 1...order.count {
            let layers = order.prefix(count).enumerated().map { Self.layer($1, Double($0 + 1)) }
            let resolved = OptionLayers(layers.reversed()).resolve(isOnTrip: false)
            #expect(resolved.options.distanceFilter == Metres(Double(count)))
            #expect(resolved.item("distanceFilter")?.origin == order[count - 1])
        }
    }

    @Test("The mode of a server forbids no scan for beacons and replaces only the profile.")
    func serverMode() {
        let mode = Profile(MonitoringMode.move.name, "A mode.", .from("a table", ["distanceFilter": .metres(100)]))
        let values = mode.complete + [OptionAssignment("monitoring", .choice(MonitoringMode.move), source: "server")]
        let file = OptionLayer(
            .file, name: "config.yaml", [.init("stopTimeout", .seconds(90), source: "config.yaml:4")])
        let layers = OptionLayers([.profile(Self.profile), file, OptionLayer(.remote, name: "home", values)])
        let options = layers.resolve(isOnTrip: false).options
        #expect(options.stopTimeout == .seconds(90) && options.distanceFilter == Metres(100))
        #expect(!layers.forbidBeacons(isOnTrip: false))
    }

    @Test("Each resolved value has its origin.")
    func origins() {
        let file = OptionLayer(
            .file, name: "config.yaml", [.init("stopTimeout", .seconds(90), source: "config.yaml:4")])
        let resolved = OptionLayers([file, .profile(Self.profile)]).resolve(isOnTrip: false)
        let timeout = resolved.item("stopTimeout")
        #expect(timeout?.value == .seconds(90) && timeout?.origin == .file && timeout?.source == "config.yaml:4")
        let radius = resolved.item("stationaryRadius")
        #expect(radius?.origin == .profile && radius?.name == "test" && radius?.source == "a table")
        #expect(resolved.item("fixTimeout")?.origin == .default)
        #expect(resolved.items.map(\.key) == TrackingOption.all.map(\.key))
    }

    @Test("A layer may apply only on a trip, or only between trips.")
    func trip() {
        let layers = OptionLayers([Self.layer(.remote, 5, onTrip: true), Self.layer(.remote, 500, onTrip: false)])
        #expect(layers.resolve(isOnTrip: true).options.distanceFilter == Metres(5))
        #expect(layers.resolve(isOnTrip: false).options.distanceFilter == Metres(500))
    }

    @Test("A layer whose value is ignored is not the stated origin of the option.")
    func untouched() {
        let remote = OptionLayer(.remote, name: "all", [.init("stopDistance", .metres(-1), source: "all")])
        let item = OptionLayers([remote, .profile(.vehicle)]).resolve(isOnTrip: false).item("stopDistance")
        #expect(item?.value == .metres(70) && item?.origin == .profile)
    }

    @Test("A mode replaces the profile; further options of the file and options of the server override the mode.")
    func mode() {
        var layers = OptionLayers([.profile(.vehicle), Self.layer(.file, 25)])
        layers.replace(.mode, with: [Self.mode(.quiet, 0)])
        let resolved = layers.resolve(isOnTrip: false)
        #expect(resolved.options.monitoring == .quiet && resolved.item("monitoring")?.origin == .mode)
        #expect(resolved.options.distanceFilter == Metres(25) && resolved.item("distanceFilter")?.origin == .file)
        #expect(resolved.options.turnFilter == TrackingOptions().turnFilter)
        #expect(resolved.item("turnFilter")?.origin == .default)
        layers.replace(.file, with: [])
        #expect(layers.resolve(isOnTrip: false).item("distanceFilter")?.origin == .mode)
        layers.replace(.remote, with: [Self.layer(.remote, 7)])
        #expect(layers.resolve(isOnTrip: false).options.distanceFilter == Metres(7))
    }

    @Test(
        "A mode that was set later overrides the mode in the file or in the custom options.",
        arguments: [OptionOrigin.file, .custom])
    func namedMode(origin: OptionOrigin) {
        let named = OptionLayer(origin, name: "n", .from("s", ["monitoring": .choice(MonitoringMode.significant)]))
        var layers = OptionLayers([.profile(.vehicle), named])
        layers.replace(mode: .quiet, with: Self.mode(.quiet, 0))
        #expect(layers.resolve(isOnTrip: false).options.monitoring == .quiet)
        layers.replace(mode: .significant, with: Self.mode(.significant, 0))
        #expect(layers.mode == nil && layers.layers.count == 2)
    }

    @Test("A mode replaces the profile of custom options, and the custom options still override the file.")
    func customMode() {
        let complete = Profile.vehicle.complete
        let custom = OptionLayer(
            .custom, name: "n", complete + [.init("stopTimeout", .seconds(77), source: "n")], ofProfile: complete.count)
        var layers = OptionLayers([.profile(.vehicle), Self.layer(.file, 25), custom])
        layers.replace(.mode, with: [Self.mode(.significant, 500)])
        let options = layers.resolve(isOnTrip: false).options
        #expect(options.distanceFilter == Metres(500) && options.stopTimeout == .seconds(77))
        #expect(options.turnFilter == Degrees(0))
    }

    @Test("A server's options do not end the mode `quiet` of the file, also if they select a profile.")
    func ownersMode() throws {
        let file = OptionLayer(.file, name: "f", [.init("monitoring", .choice("quiet"), source: "f")])
        let remote = OptionLayer(
            .remote, name: "home",
            [
                .init("monitoring", .choice("move"), source: "home"),
                .init("turnFilter", .angle(Degrees(33)), source: "home"),
            ])
        let resolved = OptionLayers([.profile(.vehicle), file, remote]).resolve(isOnTrip: false)
        #expect(resolved.options.monitoring == .quiet)
        #expect(resolved.item("monitoring")?.origin == .file)
        #expect(resolved.item("turnFilter")?.origin == .remote)
        #expect(OptionLayers([.profile(.vehicle), remote]).resolve(isOnTrip: false).options.monitoring == .move)
    }

    @Test("Custom options, the mode and remote options survive a restart; other layers do not.")
    func restart() throws {
        var before = OptionLayers([
            .profile(.vehicle), Self.layer(.file, 25), Self.layer(.custom, 8), Self.layer(.remote, 7, onTrip: true),
        ])
        before.replace(.mode, with: [Self.mode(.manual, 0)])
        let stored = try JSONDecoder().decode(OptionLayers.self, from: JSONEncoder().encode(before))
        #expect(stored == before)
        let after = OptionLayers([.profile(Self.profile), Self.layer(.environment, 9)]).carryingOver(from: stored)
        #expect(after.layers.map(\.origin) == [.profile, .custom, .mode, .remote, .environment])
        #expect(after.layers.first?.name == "test")
        #expect(after.resolve(isOnTrip: true).options.monitoring == .manual)
    }

    @Test("A stored option that no longer exists is ignored.")
    func goneOption() {
        let layer = OptionLayer(.remote, name: "all", [.init("gone", .count(1), source: "all")])
        #expect(OptionLayers([layer]).resolve(isOnTrip: false).options == TrackingOptions())
    }

    @Test(
        "Values of all kinds survive encoding and decoding.",
        arguments: [
            .seconds(90), .metres(1.5), .metresPerSecond(0.85), .degrees(25), .number(1.5), .count(3), .flag(true),
            .choice("high"), .text("a \"b\""), .timestamp(Timestamp(milliseconds: 1_777_879_800_250)),
            .timeOfDay(.endOfDay), .nothing,
        ] as [OptionValue])
    func codable(value: OptionValue) throws {
        #expect(try JSONDecoder().decode(OptionValue.self, from: JSONEncoder().encode(value)) == value)
    }

    @Test("A value is encoded under the name of its unit.")
    func written() throws {
        #expect(
            try String(decoding: JSONEncoder().encode(OptionValue.seconds(90)), as: UTF8.self) == #"{"seconds":90}"#)
    }
}
