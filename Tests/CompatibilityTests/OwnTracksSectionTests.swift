import Quantities
import Testing
import TrackingOptions

@testable import Compatibility

@Suite("A configuration of OwnTracks")
struct OwnTracksSectionTests {
    /// An object, its profile, and the values of the options that the object changes in addition to its mode.
    typealias Row = (object: KeyValuePairs<String, OptionTree>, profile: String, changes: [String: OptionValue])

    static let rows: [Row] = [
        (["monitoring": "2"], "move", [:]),
        (
            ["monitoring": "2", "locatorInterval": "600", "locatorDisplacement": "500"], "move",
            [
                "desiredMovingUpdateInterval": .seconds(600), "desiredStoppedUpdateInterval": .seconds(600),
                "distanceFilter": .metres(500),
            ]
        ),
        (
            ["platform": "android", "monitoring": "1", "locatorInterval": "60"], "significant-android",
            ["desiredMovingUpdateInterval": .seconds(60), "desiredStoppedUpdateInterval": .seconds(60)]
        ),
        (
            ["monitoring": "1", "locatorPriority": "3", "locatorInterval": "900", "locatorDisplacement": "5000"],
            "significant-android",
            [
                "desiredAccuracy": .choice("high"), "desiredMovingUpdateInterval": .seconds(900),
                "desiredStoppedUpdateInterval": .seconds(0), "distanceFilter": .metres(5000),
            ]
        ),
        (
            ["monitoring": "2", "moveModeLocatorInterval": "30", "pegLocatorFastestIntervalToInterval": "true"],
            "move-android",
            [
                "desiredMovingUpdateInterval": .seconds(30), "fastestMovingUpdateInterval": .seconds(30),
                "fastestStoppedUpdateInterval": .seconds(30),
            ]
        ),
        (["platform": "android", "monitoring": "0"], "manual", [:]), (["monitoring": "-1"], "quiet", [:]),
    ]

    @Test("The platform and the mode of an OwnTracks object determine its options.", arguments: rows)
    func meaning(row: Row) throws {
        let reading = read(["ownTracks": .mapping(tree(row.object))])
        #expect(reading.problems.isEmpty && reading.notes.isEmpty)
        var expected = try #require(Profile.named(row.profile)).options
        for (key, value) in row.changes {
            let isSet = try #require(TrackingOption.named(key)).assign(value, to: &expected)
            #expect(isSet)
        }
        #expect(options(reading) == expected)
    }

    @Test(
        "A key that OwnTracks ignores in the object's mode has no effect, and a note names mode and platform.",
        arguments: [
            (["monitoring": "1", "locatorInterval": "60"], "locatorInterval", "significant on iOS"),
            (
                ["monitoring": "2", "moveModeLocatorInterval": "10", "locatorDisplacement": "50"],
                "locatorDisplacement", "move on Android"
            ),
            (["monitoring": "0", "locatorPriority": "3"], "locatorPriority", "manual on Android"),
        ] as [(KeyValuePairs<String, OptionTree>, String, String)])
    func ignored(object: KeyValuePairs<String, OptionTree>, key: String, place: String) {
        let reading = read(["ownTracks": .mapping(tree(object))])
        #expect(
            reading.notes.map(\.text) == ["`tracking.ownTracks.\(key)` has no effect in OwnTracks' mode \(place)."])
        let without = read(["ownTracks": .mapping(tree(object).filter { $0.key != key })])
        #expect(options(reading) == options(without))
    }

    @Test(
        "A key of OwnTracks applies only in its mode, also after a change of the mode.",
        arguments: [
            (
                ["platform": "android", "monitoring": "1", "locatorInterval": "600", "locatorDisplacement": "3000"],
                .move
            ),
            (
                ["platform": "ios", "monitoring": "2", "locatorInterval": "10", "locatorDisplacement": "50"],
                .significant
            ),
            (["platform": "android", "monitoring": "2", "moveModeLocatorInterval": "30"], .significant),
        ] as [(KeyValuePairs<String, OptionTree>, MonitoringMode)])
    func change(object: KeyValuePairs<String, OptionTree>, mode: MonitoringMode) throws {
        let reading = read(["ownTracks": .mapping(tree(object))])
        let start = try #require(reading.profile)
        var layers = OptionLayers([.profile(start), OptionLayer(.file, name: "", reading.assignments)])
        let own = layers.resolve(isOnTrip: false).options
        layers.replace(mode: mode, with: try #require(layers.ownTracksModes[mode]))
        let number = mode == .move ? "2" : "1"
        let other = read(["ownTracks": .mapping(tree(["platform": object[0].value, "monitoring": .text(number)]))])
        #expect(layers.resolve(isOnTrip: false).options == options(other))
        layers.replace(mode: start.options.monitoring, with: OptionLayer(.mode, name: "", []))
        #expect(layers.resolve(isOnTrip: false).options == own && own != start.options)
    }

    @Test("A key of another mode beside an option for all modes yields to it, in any order.", arguments: [false, true])
    func yields(isFirst: Bool) {
        let section = OptionTree.mapping(tree(["monitoring": "1", "locatorDisplacement": "200"]))
        let reading =
            isFirst
            ? read(["distanceFilter": "300", "ownTracks": section])
            : read(["ownTracks": section, "distanceFilter": "300"])
        #expect(reading.problems.isEmpty && options(reading).distanceFilter == Metres(300))
    }

    @Test("An interval for each mode may stand in one section.")
    func both() {
        let keys: KeyValuePairs<String, OptionTree> = [
            "platform": "android", "monitoring": "1", "locatorInterval": "600", "moveModeLocatorInterval": "30",
        ]
        let reading = read(["ownTracks": .mapping(tree(keys))])
        #expect(reading.problems.isEmpty && options(reading).desiredMovingUpdateInterval == .seconds(600))
        var layers = OptionLayers([
            .profile(reading.profile ?? .vehicle), OptionLayer(.file, name: "", reading.assignments),
        ])
        layers.replace(mode: .move, with: layers.ownTracksModes[.move] ?? OptionLayer(.mode, name: "", []))
        #expect(layers.resolve(isOnTrip: false).options.desiredMovingUpdateInterval == .seconds(30))
    }
}
