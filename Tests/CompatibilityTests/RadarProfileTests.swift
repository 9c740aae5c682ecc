import Quantities
import Testing
import TrackingOptions

@testable import Compatibility

@Suite("Radar's presets")
struct RadarProfileTests {
    /// A row of a table: the option, and its value in EFFICIENT, RESPONSIVE and CONTINUOUS.
    typealias Row = (key: String, values: [OptionValue])

    private static let (high, medium) = (OptionValue.choice("high"), OptionValue.choice("medium"))
    private static let (all, stops, none) = (
        OptionValue.choice("all"), OptionValue.choice("stops"), OptionValue.choice("none")
    )
    private static let (yes, no) = (OptionValue.flag(true), OptionValue.flag(false))

    static let android: [Row] = [
        ("desiredStoppedUpdateInterval", [.seconds(3600), .seconds(0), .seconds(30)]),
        ("fastestStoppedUpdateInterval", [.seconds(1200), .seconds(0), .seconds(30)]),
        ("desiredMovingUpdateInterval", [.seconds(1200), .seconds(150), .seconds(30)]),
        ("fastestMovingUpdateInterval", [.seconds(360), .seconds(30), .seconds(30)]),
        ("desiredSyncInterval", [.seconds(140), .seconds(20), .seconds(20)]),
        ("desiredAccuracy", [medium, medium, high]),
        ("stopDuration", [.seconds(140), .seconds(140), .seconds(140)]),
        ("stopDistance", [.metres(70), .metres(70), .metres(70)]),
        ("startTrackingAfter", [.nothing, .nothing, .nothing]),
        ("stopTrackingAfter", [.nothing, .nothing, .nothing]),
        ("replay", [stops, stops, none]),
        ("sync", [all, all, all]),
        ("useStoppedGeofence", [no, yes, no]),
        ("stoppedGeofenceRadius", [.metres(0), .metres(100), .metres(0)]),
        ("useMovingGeofence", [no, yes, no]),
        ("movingGeofenceRadius", [.metres(0), .metres(100), .metres(0)]),
        ("syncGeofences", [yes, yes, yes]),
        ("syncGeofencesLimit", [.count(10), .count(10), .count(0)]),
        // In Radar, `foregroundServiceEnabled` is true only in the preset CONTINUOUS.
        ("indicator", [.choice("off"), .choice("off"), .choice("always")]),
        ("beacons", [no, no, no]),
    ]

    static let iOS: [Row] = [
        ("desiredStoppedUpdateInterval", [.seconds(0), .seconds(0), .seconds(30)]),
        ("desiredMovingUpdateInterval", [.seconds(0), .seconds(150), .seconds(30)]),
        ("desiredSyncInterval", [.seconds(0), .seconds(20), .seconds(20)]),
        ("desiredAccuracy", [medium, medium, high]),
        ("stopDuration", [.seconds(0), .seconds(140), .seconds(140)]),
        ("stopDistance", [.metres(0), .metres(70), .metres(70)]),
        ("startTrackingAfter", [.nothing, .nothing, .nothing]),
        ("stopTrackingAfter", [.nothing, .nothing, .nothing]),
        ("replay", [stops, stops, none]),
        ("sync", [all, all, all]),
        // In Radar, `showBlueBar` is true only in the preset CONTINUOUS.
        ("indicator", [.choice("off"), .choice("off"), .choice("always")]),
        ("useStoppedGeofence", [no, yes, no]),
        ("stoppedGeofenceRadius", [.metres(0), .metres(100), .metres(0)]),
        ("useMovingGeofence", [no, yes, no]),
        ("movingGeofenceRadius", [.metres(0), .metres(100), .metres(0)]),
        ("syncGeofences", [yes, yes, yes]),
        ("useVisits", [yes, yes, no]),
        ("useSignificantLocationChanges", [no, yes, no]),
        ("beacons", [no, no, no]),
    ]

    @Test("Radar's presets have every figure of the Android table.", arguments: android)
    func androidTable(row: Row) { expect(row, in: ["efficient", "responsive", "continuous"]) }

    @Test(
        "Radar's presets also have the figures that only the iOS table has.",
        arguments: iOS.filter { $0.key.hasPrefix("useVisits") || $0.key.hasPrefix("useSig") })
    func iOSAlone(row: Row) { expect(row, in: ["efficient", "responsive", "continuous"]) }

    @Test("Radar's iOS presets have every figure of the iOS table.", arguments: iOS)
    func iOSTable(row: Row) { expect(row, in: ["efficient-ios", "responsive-ios", "continuous-ios"]) }

    @Test(
        "Radar's presets have no distance rule and no elasticity.",
        arguments: ["efficient", "responsive", "continuous-ios"])
    func honest(name: String) throws {
        let options = try #require(Profile.named(name)).options
        #expect(options.distanceFilter == .zero)
        #expect(options.disableElasticity)
    }

    @Test("A Radar preset without a geofence has no circle, and a preset with stops of 0 has no place rule.")
    func zeros() throws {
        let continuous = try #require(Profile.named("continuous")).options
        #expect(continuous.startCircle == nil && continuous.movingCircle == nil)
        #expect(continuous.stoppedGeofenceRadius == .zero && continuous.movingGeofenceRadius == .zero)
        let efficient = try #require(Profile.named("efficient-ios")).options
        #expect(efficient.placeRuleDuration == .zero && efficient.stopDistance == .zero)
    }

    private func expect(_ row: Row, in profiles: [String]) {
        for (name, value) in zip(profiles, row.values) {
            let item = Profile.named(name)?.resolved.item(row.key)
            #expect(item?.value == value, "\(row.key) of \(name)")
        }
    }
}
