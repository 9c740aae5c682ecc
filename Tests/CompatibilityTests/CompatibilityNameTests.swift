import Quantities
import Testing
import TrackingOptions

@testable import Compatibility

@Suite("The option names in other products' documentation")
struct CompatibilityNameTests {
    /// The section for a product, a key and a value from the product's documentation, our option, and the value of our option.
    typealias Row = (section: String, name: String, text: String, option: String, value: OptionValue)

    static let radar: [Row] = [
        ("radar", "desiredStoppedUpdateInterval", "3600", "desiredStoppedUpdateInterval", .seconds(3600)),
        ("radar", "fastestStoppedUpdateInterval", "1200", "fastestStoppedUpdateInterval", .seconds(1200)),
        ("radar", "desiredMovingUpdateInterval", "150", "desiredMovingUpdateInterval", .seconds(150)),
        ("radar", "fastestMovingUpdateInterval", "360", "fastestMovingUpdateInterval", .seconds(360)),
        ("radar", "desiredSyncInterval", "140", "desiredSyncInterval", .seconds(140)),
        ("radar", "desiredAccuracy", ".high", "desiredAccuracy", .choice("high")),
        ("radar", "desiredAccuracy", "NONE", "desiredAccuracy", .choice("none")),
        ("radar", "stopDuration", "140", "stopDuration", .seconds(140)),
        ("radar", "stopDistance", "70", "stopDistance", .metres(70)),
        ("radar", "replay", "replayStops", "replay", .choice("stops")),
        ("radar", "sync", "STOPS_AND_EXITS", "sync", .choice("stopsAndExits")),
        ("radar", "syncLocations", ".stopsAndExits", "sync", .choice("stopsAndExits")),
        ("radar", "showBlueBar", "true", "indicator", .choice("always")),
        ("radar", "foregroundServiceEnabled", "true", "indicator", .choice("always")),
        ("radar", "useStoppedGeofence", "true", "useStoppedGeofence", .flag(true)),
        ("radar", "stoppedGeofenceRadius", "200", "stoppedGeofenceRadius", .metres(200)),
        ("radar", "useMovingGeofence", "true", "useMovingGeofence", .flag(true)),
        ("radar", "movingGeofenceRadius", "200", "movingGeofenceRadius", .metres(200)),
        ("radar", "syncGeofences", "true", "syncGeofences", .flag(true)),
        ("radar", "syncGeofencesLimit", "10", "syncGeofencesLimit", .count(10)),
        ("radar", "useVisits", "true", "useVisits", .flag(true)),
        ("radar", "useSignificantLocationChanges", "true", "useSignificantLocationChanges", .flag(true)),
        ("radar", "beacons", "true", "beacons", .flag(true)),
    ]

    static let others: [Row] = [
        ("transistor", "distanceFilter", "50", "distanceFilter", .metres(50)),
        ("transistor", "desiredAccuracy", "-1", "desiredAccuracy", .choice("high")),
        ("transistor", "disableElasticity", "true", "disableElasticity", .flag(true)),
        ("transistor", "motionTriggerDelay", "30000", "motionTriggerDelay", .seconds(30)),
        ("transistor", "stopTimeout", "5", "stopTimeout", .seconds(300)),
        ("transistor", "stopDetectionDelay", "2", "stopDetectionDelay", .seconds(120)),
        ("transistor", "stationaryRadius", "150", "stationaryRadius", .metres(150)),
        ("trckr", "DesiredAccuracy", "200", "accuracyLimit", .metres(200)),
        ("trckr", "StationaryDistance", "150", "stationaryDistance", .metres(150)),
        ("trckr", "StationaryInterval", "120", "stationaryInterval", .seconds(120)),
        ("trckr", "StationarySpeed", "0.85", "stationarySpeed", .metresPerSecond(0.85)),
        ("trckr", "trackingSchedule", "* 10-20 * * 1,2,3,4,5", "trackingSchedule", .text("* 10-20 * * 1,2,3,4,5")),
        ("trckr", "tagForOffScheduleTracking", "private", "tagForOffScheduleTracking", .text("private")),
        ("trckr", "shouldTrackOutsideSchedule", "true", "trackOutsideSchedule", .flag(true)),
        ("geoManager", "timeInterval", "600", "desiredMovingUpdateInterval", .seconds(600)),
        ("geoManager", "distanceInterval", "400", "distanceFilter", .metres(400)),
        ("geoManager", "accuracy", ".hundredMeters", "desiredAccuracy", .choice("medium")),
        ("geoManager", "shouldTrackLastKnownLocation", "false", "trackLastKnownLocation", .flag(false)),
        ("ownTracks", "monitoring", "1", "monitoring", .choice("significant")),
        ("ownTracks", "ping", "15", "heartbeatInterval", .seconds(900)),
    ]

    @Test("Each key in another product's documentation is read as its option.", arguments: radar + others)
    func name(row: Row) {
        let reading = read([row.section: .mapping(tree([row.name: .text(row.text)]))])
        #expect(reading.problems.isEmpty && reading.notes.isEmpty)
        #expect(reading[row.option] == row.value)
    }

    @Test(
        "The start and the end of tracking may be a time or null.",
        arguments: ["startTrackingAfter", "stopTrackingAfter"])
    func moments(name: String) {
        let moment = read(["radar": .mapping(tree([name: "2026-05-04T00:00:00Z"]))])
        #expect(moment[name] == .timestamp(Timestamp(year: 2026, month: 5, day: 4)))
        #expect(read(["radar": .mapping(tree([name: .empty]))])[name] == .nothing)
    }

    @Test("A time of day may be written as an object of hours and minutes.", arguments: ["startTime", "endTime"])
    func hours(name: String) {
        let time = OptionTree.mapping(tree(["hours": "12", "minutes": "30"]))
        let reading = read(["geoManager": .mapping(tree([name: time]))])
        #expect(reading.notes.isEmpty)
        #expect(reading[name]?.description == "\"12:30\"")
    }
}
