import Quantities
import Testing
import TrackingOptions

@testable import Compatibility

@Suite("An options object of Radar")
struct RadarSectionTests {
    private static let spellings: [(text: String, profile: String)] = [
        ("RESPONSIVE", "responsive"), ("EFFICIENT", "efficient"), ("RadarTrackingOptions.CONTINUOUS", "continuous"),
        (".responsive", "responsive-ios"), ("presetResponsive", "responsive-ios"),
        ("RadarTrackingOptions.presetEfficient", "efficient-ios"), ("efficient-ios", "efficient-ios"),
        ("continuous", "continuous-ios"),
    ]

    @Test("A preset of Radar may be written in each of its spellings.", arguments: spellings)
    func preset(text: String, profile: String) {
        let reading = read(["radar": .mapping(tree(["preset": .text(text), "beacons": "true"]))])
        #expect(reading.problems.isEmpty)
        #expect(reading.profile?.name == profile)
        #expect(reading["beacons"] == .flag(true))
    }

    @Test(
        "The platform of a Radar object selects the table from which the preset is read.",
        arguments: [
            (["platform": "android"], "responsive"), (["platform": "ios"], "responsive-ios"),
            (["syncGeofencesLimit": "5"], "responsive"), (["showBlueBar": "true"], "responsive-ios"),
        ] as [(KeyValuePairs<String, OptionTree>, String)])
    func platform(pairs: KeyValuePairs<String, OptionTree>, profile: String) {
        let reading = read(["radar": .mapping(tree(pairs) + [.init("preset", line: 9, "responsive")])])
        #expect(reading.problems.isEmpty)
        #expect(reading.profile?.name == profile)
    }

    @Test("An option that a Radar object omits has Radar's documented default.", arguments: OptionPlatform.allCases)
    func defaults(platform: OptionPlatform) {
        let options = options(read(["radar": .mapping(tree(["platform": .text(platform.rawValue)]))]))
        #expect(options.desiredAccuracy == .medium)
        #expect(options.desiredMovingUpdateInterval == .zero && options.desiredStoppedUpdateInterval == .zero)
        #expect(options.fastestMovingUpdateInterval == .zero && options.fastestStoppedUpdateInterval == .zero)
        #expect(options.desiredSyncInterval == .zero)
        #expect(options.stopDuration == .zero && options.stopDistance == .zero)
        #expect(options.replay == .none)
        #expect(options.sync == (platform == .ios ? .all : .stopsAndExits))
        #expect(options.stoppedGeofenceRadius == .zero && options.movingGeofenceRadius == .zero)
        #expect(options.turnFilter == .zero && options.distanceFilter == .zero && options.disableElasticity)
    }
}
