import Peers
import Testing

/// Copies options in the notation of other products into the sections for these, and checks the effect in replays.
///
/// The vehicle drives at 15 m/s for 50 minutes in one drive, and is parked for two hours in the other.
@Suite("Options of other products, in a replay")
struct SectionReplayTests {
    private static let radarOnIOS = """
        { "preset": null, "desiredStoppedUpdateInterval": 3600, "desiredMovingUpdateInterval": 150, "desiredSyncInterval": 10, \
        "desiredAccuracy": "high", "stopDuration": 140, "stopDistance": 70, "sync": "all", "replay": "none", \
        "showBlueBar": false, "useStoppedGeofence": true, "stoppedGeofenceRadius": 100, "useMovingGeofence": true, \
        "movingGeofenceRadius": 200, "syncGeofences": true, "useVisits": true, "useSignificantLocationChanges": true, \
        "beacons": false}
        """
    private static let radarOnAndroid = """
        { "preset": null, "desiredStoppedUpdateInterval": 3600, "fastestStoppedUpdateInterval": 150, \
        "desiredMovingUpdateInterval": 150, "fastestMovingUpdateInterval": 20, "desiredSyncInterval": 10, \
        "desiredAccuracy": 2, "stopDuration": 140, "stopDistance": 70, "sync": 2, "replay": 0, "useStoppedGeofence": true, \
        "stoppedGeofenceRadius": 100, "useMovingGeofence": true, "movingGeofenceRadius": 200, "syncGeofences": true, \
        "syncGeofencesLimit": 10, "beacons": true, "foregroundServiceEnabled": false}
        """

    /// The section `tracking`, and the pauses between two points of the track in seconds; `pauses` is nil if the replay records
    /// no points.
    static let rows: [(tracking: String, pauses: ClosedRange<Double>?)] = [
        ("{radar: \(radarOnIOS)}", 149...151), ("{radar: \(radarOnAndroid)}", 149...151),
        ("{radar: {preset: .presetContinuous, desiredMovingUpdateInterval: 60}}", 59...61),
        ("{radar: {desiredMovingUpdateInterval: 60, fastestMovingUpdateInterval: 90}}", 89...91),
        // After 400 s the vehicle leaves the moving geofence, and the receiver's pause ends.
        ("{radar: {preset: EFFICIENT, useMovingGeofence: true, movingGeofenceRadius: 6000}}", 399...403),
        ("{radar: {preset: EFFICIENT, useMovingGeofence: true, movingGeofenceRadius: 0}}", 1199...1201),
        ("{radar: {useSignificantLocationChanges: true}}", 299...302), ("{radar: {}}", nil),
        ("{radar: {platform: android, preset: efficient}}", 1199...1201),
        ("{radar: {platform: ios, preset: efficient}}", nil),
        ("{transistor: {geolocation: {distanceFilter: 100, disableElasticity: true}}}", 6...8),
        ("{transistor: {distanceFilter: 100}}", 19...21),
        ("{transistor: {distanceFilter: 100, elasticityMultiplier: 2}}", 39...41),
        ("{transistor: {distanceFilter: 0, locationUpdateInterval: 45000}}", 44...46),
        ("{geoManager: {}}", 19...22), ("{geoManager: {distanceInterval: 500}}", 33...36),
        ("{geoManager: {distanceInterval: 50}}", 19...22),
        ("{ownTracks: {monitoring: 1, locatorInterval: 60}}", 299...302),
        ("{ownTracks: {platform: android, monitoring: 1, locatorInterval: 60}}", 59...61),
        (
            "{ownTracks: {monitoring: 1, locatorPriority: 2, locatorInterval: 900, locatorDisplacement: 15000}}",
            990...1003
        ),
        ("{ownTracks: {monitoring: 2, locatorInterval: 600, locatorDisplacement: 450}}", 29...32),
        ("{ownTracks: {monitoring: 2, moveModeLocatorInterval: 10, locatorDisplacement: 50}}", 9...11),
        ("{ownTracks: {monitoring: 0}}", nil), ("{ownTracks: {monitoring: -1}}", nil),
    ]

    @Test("An object in the section of its product records as often as in that product.", arguments: rows)
    func points(tracking: String, pauses: ClosedRange<Double>?) throws {
        let drive = try ReplayedDrive("Synthetic/hour.csv.gz", tracking: tracking)
        let gaps = drive.gaps(in: 180...3119)
        #expect(drive.states.map(\.name) == ["moving", "stationary"])
        guard let pauses else { return #expect(drive.points(in: 180...3119).isEmpty) }
        #expect(!gaps.isEmpty)
        for gap in gaps { #expect(pauses.contains(gap), "a pause of \(gap) s") }
    }

    /// The section `tracking`, and the number of records of a kind while the vehicle is parked for two hours.
    static let parkedRows: [(tracking: String, kind: String, count: ClosedRange<Int>)] = [
        ("{radar: {desiredStoppedUpdateInterval: 600}}", "location", 11...12), ("{radar: {}}", "location", 0...0),
        ("{geoManager: {timeInterval: 600}}", "location", 11...12),
        ("{geoManager: {timeInterval: 30}}", "location", 23...24),
        ("{geoManager: {timeInterval: 2000}}", "location", 23...24),
        ("{ownTracks: {platform: android, monitoring: 1, locatorInterval: 600}}", "location", 11...12),
        ("{ownTracks: {platform: android, monitoring: 1, locatorDisplacement: 10}}", "location", 0...1),
        ("{ownTracks: {monitoring: 1, ping: 15}}", "ping", 7...8),
        ("{transistor: {heartbeatInterval: 600}}", "ping", 11...12),
    ]

    @Test("While parked, an object in a product's section records as often as in that product.", arguments: parkedRows)
    func parked(tracking: String, kind: String, count: ClosedRange<Int>) throws {
        let drive = try ReplayedDrive("Synthetic/parked.csv.gz", tracking: tracking)
        let made = drive.records.count { $0.kind == kind }
        #expect(count.contains(made), "\(made) records")
    }
}
