import Calendar
import Quantities
import Testing
import TrackingOptions

@testable import Compatibility

@Suite("Profiles")
struct ProfileTests {
    static let figures: [(profile: String, key: String, value: OptionValue)] = [
        ("vehicle", "stopTimeout", .seconds(180)),
        ("vehicle", "stopDuration", .seconds(200)),
        ("vehicle", "stopDistance", .metres(70)),
        ("vehicle", "distanceFilter", .metres(200)),
        ("vehicle", "disableElasticity", .flag(false)),
        ("vehicle", "turnFilter", .degrees(90)),
        ("vehicle", "desiredSyncInterval", .seconds(20)),
        ("vehicle", "replay", .choice("all")),
        ("vehicle", "stopOnIgnitionOff", .flag(false)),
        ("motion", "distanceFilter", .metres(10)),
        ("motion", "disableElasticity", .flag(false)),
        ("motion", "elasticityMultiplier", .number(1)),
        ("motion", "stopTimeout", .seconds(300)),
        ("motion", "stationaryRadius", .metres(150)),
        ("motion", "stopDuration", .seconds(0)),
        ("trckr", "accuracyLimit", .metres(200)),
        ("trckr", "stationaryInterval", .seconds(120)),
        ("trckr", "stationaryDistance", .metres(150)),
        ("trckr", "stationarySpeed", .metresPerSecond(0.85)),
        ("trckr", "stopDuration", .seconds(0)),
        ("interval", "desiredAccuracy", .choice("best")),
        ("interval", "desiredMovingUpdateInterval", .seconds(300)),
        ("interval", "distanceFilter", .metres(300)),
        ("interval", "updateRule", .choice("any")),
        ("interval", "disableElasticity", .flag(true)),
        ("interval", "desiredSyncInterval", .seconds(60)),
        ("quiet", "monitoring", .choice("quiet")),
        ("manual", "monitoring", .choice("manual")),
        ("manual", "distanceFilter", .metres(0)),
        ("manual", "desiredMovingUpdateInterval", .seconds(0)),
        ("manual", "useSignificantLocationChanges", .flag(false)),
        ("significant", "monitoring", .choice("significant")),
        ("significant", "useSignificantLocationChanges", .flag(true)),
        ("significant", "distanceFilter", .metres(500)),
        ("significant", "fastestMovingUpdateInterval", .seconds(300)),
        ("move", "monitoring", .choice("move")),
        ("move", "distanceFilter", .metres(100)),
        ("move", "desiredMovingUpdateInterval", .seconds(300)),
        ("move", "updateRule", .choice("any")),
        ("significant-android", "monitoring", .choice("significant")),
        ("significant-android", "desiredMovingUpdateInterval", .seconds(900)),
        ("significant-android", "desiredAccuracy", .choice("medium")),
        ("significant-android", "distanceFilter", .metres(0)),
        ("significant-android", "fastestMovingUpdateInterval", .seconds(0)),
        ("significant-android", "updateRule", .choice("all")),
        ("move-android", "monitoring", .choice("move")),
        ("move-android", "desiredMovingUpdateInterval", .seconds(10)),
        ("move-android", "distanceFilter", .metres(0)),
        ("move-android", "desiredAccuracy", .choice("high")),
    ]

    @Test("A profile has the figures of the product with the same name.", arguments: figures)
    func figure(profile: String, key: String, value: OptionValue) {
        #expect(Profile.named(profile)?.resolved.item(key)?.value == value)
    }

    @Test("GeoManager's profile also tracks during the minute 23:59, so no trip is cut at midnight.")
    func hours() {
        let options = Profile.interval.options
        #expect(options.startTime == .startOfDay && options.endTime == .endOfDay)
    }

    @Test("The catalogue lists all profiles in order.")
    func names() {
        #expect(
            Profile.all.map(\.name) == [
                "vehicle", "continuous", "responsive", "efficient", "continuous-ios", "responsive-ios",
                "efficient-ios", "motion", "trckr", "interval", "quiet", "manual", "significant", "move",
                "significant-android", "move-android",
            ])
    }

    @Test("A profile sets only options of the table, within their bounds, each with a source.", arguments: Profile.all)
    func valid(profile: Profile) {
        for assignment in profile.assignments {
            #expect(TrackingOption.named(assignment.key)?.kind.accepts(assignment.value) == true, "\(assignment.key)")
            #expect(!assignment.source.isEmpty)
        }
        #expect(Set(profile.assignments.map(\.key)).count == profile.assignments.count)
    }

    @Test(
        "The profile of an OwnTracks mode sets every option about which fixes are recorded.",
        arguments: MonitoringMode.allCases)
    func modes(mode: MonitoringMode) {
        let profile = Profile.of(mode)
        #expect(profile.name == mode.name)
        let keys = profile.assignments.map(\.key)
        for key in [
            "monitoring", "useSignificantLocationChanges", "desiredMovingUpdateInterval", "distanceFilter",
            "disableElasticity", "turnFilter", "stopDuration",
        ] {
            #expect(keys.contains(key), "\(key)")
        }
    }

    @Test("A complete profile has every option, each with its source.")
    func complete() {
        let whole = Profile.motion.complete
        #expect(whole.map(\.key) == TrackingOption.all.map(\.key))
        #expect(whole.first { $0.key == "stopTimeout" }?.source == "profile motion: Transistor, defaults")
        #expect(whole.first { $0.key == "fixTimeout" }?.source == "profile motion: default")
    }
}
