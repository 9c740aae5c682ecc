import Calendar
import Quantities
import Testing
import TrackingOptions

@testable import Compatibility

@Suite("A configuration of GeoManager")
struct GeoManagerTests {
    private func read(_ pairs: KeyValuePairs<String, OptionTree>) -> OptionReading {
        OptionReader.read([.init("geoManager", line: 1, .mapping(tree(pairs)))], path: "tracking") { _ in "" }
    }

    private static let morning = OptionTree.mapping(tree(["hours": "8", "minutes": "0"]))
    private static let evening = OptionTree.mapping(tree(["hours": "20", "minutes": "0"]))

    @Test("A GeoManager configuration is read in the form of GeoManager's documentation.")
    func whole() {
        let reading = read([
            "distanceInterval": "400", "timeInterval": "300", "accuracy": ".hundredMeters", "startTime": Self.morning,
            "endTime": Self.evening,
        ])
        #expect(reading.problems.isEmpty && reading.notes.isEmpty)
        #expect(reading["distanceFilter"] == .metres(400))
        #expect(reading["desiredMovingUpdateInterval"] == .seconds(300))
        #expect(reading["desiredStoppedUpdateInterval"] == .seconds(300))
        #expect(reading["desiredAccuracy"] == .choice("medium"))
        #expect(reading["startTime"]?.description == "\"08:00\"")
        #expect(reading["endTime"]?.description == "\"20:00\"")
    }

    @Test("A GeoManager configuration has GeoManager's defaults.")
    func defaults() {
        let reading = read([:])
        #expect(reading["distanceFilter"] == .metres(300))
        #expect(reading["desiredMovingUpdateInterval"] == .seconds(300))
        #expect(reading["desiredAccuracy"] == .choice("best"))
        #expect(reading["startTime"]?.description == "\"00:00\"")
        #expect(reading["endTime"]?.description == "\"24:00\"")
        #expect(reading.notes.isEmpty)
    }

    @Test(
        "A GeoManager property that is out of its range has GeoManager's default, with a warning.",
        arguments: [
            ("timeInterval", "59", "desiredMovingUpdateInterval", OptionValue.seconds(300)),
            ("timeInterval", "1801", "desiredMovingUpdateInterval", .seconds(300)),
            ("distanceInterval", "199", "distanceFilter", .metres(300)),
            ("distanceInterval", "501", "distanceFilter", .metres(300)),
            ("accuracy", "perfect", "desiredAccuracy", .choice("best")),
            ("startTime", "25:00", "startTime", .timeOfDay(.startOfDay)),
        ])
    func fallback(name: String, text: String, key: String, value: OptionValue) {
        let entries = [OptionTree.Entry(name, line: 3, .text(text))]
        let reading = OptionReader.read([.init("geoManager", line: 1, .mapping(entries))], path: "tracking") { _ in "" }
        #expect(reading.problems.isEmpty)
        #expect(reading[key] == value)
        #expect(reading.notes.map(\.line) == [3])
    }

    @Test(
        "The limits of a GeoManager property are accepted values.",
        arguments: [
            ("timeInterval", "60"), ("timeInterval", "1800"), ("distanceInterval", "200"), ("distanceInterval", "500"),
        ])
    func limits(name: String, text: String) {
        let entries = [OptionTree.Entry(name, line: 3, .text(text))]
        let reading = OptionReader.read([.init("geoManager", line: 1, .mapping(entries))], path: "tracking") { _ in "" }
        #expect(reading.notes.isEmpty)
        #expect(
            reading.assignments.contains {
                $0.value == .seconds(Int(text) ?? 0) || $0.value == .metres(Double(text) ?? 0)
            })
    }

    @Test(
        "If GeoManager's hours do not begin before they end, both times are replaced by the defaults.",
        arguments: [("20:00", "08:00"), ("08:00", "08:00")])
    func hours(start: String, end: String) {
        let reading = read(["startTime": .text(start), "endTime": .text(end)])
        #expect(reading["startTime"]?.description == "\"00:00\"")
        #expect(reading["endTime"]?.description == "\"24:00\"")
        #expect(
            reading.notes.map(\.text) == [
                "`tracking.geoManager.startTime` leaves no time between `startTime` and `endTime`; trackerd uses GeoManager's defaults for both."
            ])
    }

    @Test("A key that GeoManager does not have is refused.")
    func unknown() {
        #expect(
            read(["timeIntervall": "60"]).problems.map(\.text) == [
                "`tracking.geoManager.timeIntervall` is not an option. Did you mean `timeInterval`?"
            ])
    }
}
