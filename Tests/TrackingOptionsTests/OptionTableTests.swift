import Calendar
import Calendar
import Quantities
import Testing

@testable import TrackingOptions

@Suite("The table of tracking options")
struct OptionTableTests {
    static let readings: [(key: String, text: String, value: OptionValue)] = [
        ("stopTimeout", "180", .seconds(180)),
        ("stopTimeout", "3m", .seconds(180)),
        ("distanceFilter", "25.5", .metres(25.5)),
        ("stationarySpeed", "0.85", .metresPerSecond(0.85)),
        ("turnFilter", "25", .degrees(25)),
        ("elasticityMultiplier", "1.5", .number(1.5)),
        ("syncGeofencesLimit", "10", .count(10)),
        ("beacons", "true", .flag(true)),
        ("beacons", "off", .flag(false)),
        ("desiredAccuracy", "high", .choice("high")),
        ("desiredAccuracy", ".high", .choice("high")),
        ("desiredAccuracy", "HIGH", .choice("high")),
        ("sync", "STOPS_AND_EXITS", .choice("stopsAndExits")),
        ("indicator", "off", .choice("off")),
        ("tagForOffScheduleTracking", "private", .text("private")),
        ("trackingSchedule", "* 10-20 * * 1-5", .text("* 10-20 * * 1-5")),
    ]

    @Test("If no circle or distance is set, the default circle proves that the vehicle moves.")
    func proven() {
        var options = TrackingOptions()
        (options.stoppedGeofenceRadius, options.stopDistance) = (Metres(30), Metres(20))
        #expect(options.provenStart == Metres(30) && options.provenMotion == Metres(20))
        (options.stoppedGeofenceRadius, options.stopDistance) = (.zero, .zero)
        #expect(options.provenStart == Metres(100) && options.provenMotion == Metres(70))
    }

    @Test("Values of options are read in everyday notations.", arguments: readings)
    func read(key: String, text: String, value: OptionValue) {
        #expect(TrackingOption.named(key)?.kind.value(of: text) == value)
    }

    @Test(
        "A value that is out of bounds or of another kind is refused.",
        arguments: [
            ("stopTimeout", "0"), ("stopTimeout", "2d"), ("stopTimeout", "soon"), ("stationaryRadius", "24.9"),
            ("distanceFilter", "-1"), ("distanceFilter", "nan"), ("distanceFilter", "inf"), ("turnFilter", "181"),
            ("syncGeofencesLimit", "1001"), ("syncGeofencesLimit", "1.5"), ("beacons", "3"), ("beacons", "maybe"),
            ("desiredAccuracy", "bset"), ("startTime", "25:00"), ("startTime", "8"), ("startTrackingAfter", "tomorrow"),
            ("tagForOffScheduleTracking", ""), ("stationarySpeed", "0"), ("beaconExitDelay", "301"),
        ])
    func refuse(key: String, text: String) throws {
        let option = try #require(TrackingOption.named(key))
        #expect(option.kind.value(of: text) == nil)
    }

    @Test(
        "Moments are read in ISO 8601 and in Radar's milliseconds.",
        arguments: [
            ("2026-05-04T07:30:00Z", 1_777_879_800_000), ("2026-05-04T07:30:00.250Z", 1_777_879_800_250),
            ("2026-05-04T09:30:00+02:00", 1_777_879_800_000), ("2026-05-04T07:30Z", 1_777_879_800_000),
            ("2026-05-04", 1_777_852_800_000), ("1777879800000", 1_777_879_800_000),
        ])
    func moment(text: String, milliseconds: Int64) {
        #expect(OptionKind.timestamp.value(of: text) == .timestamp(Timestamp(milliseconds: milliseconds)))
    }

    @Test(
        "Moments without an offset, impossible dates, and seconds in place of milliseconds are refused.",
        arguments: [
            "2026-05-04T07:30:00", "2026-04-31", "2026-13-01", "2026-05-04T24:00:00Z", "1777879800", "2026-5-4", "",
            "T", "2026-05-04TZ", "2026-05-04T07:30:00+0", "2026-05-04T07:nn:00Z",
        ])
    func noMoment(text: String) {
        #expect(OptionKind.timestamp.value(of: text) == nil)
    }

    @Test("No two options have the same key.")
    func unique() {
        #expect(Set(TrackingOption.all.map(\.key)).count == TrackingOption.all.count)
    }

    @Test(
        "An option returns the value that was set, and its description can be read again.",
        arguments: TrackingOption.all)
    func roundTrip(option: TrackingOption) {
        var options = TrackingOptions()
        let value = Self.other(option)
        #expect(option.assign(value, to: &options))
        #expect(option.value(in: options) == value)
        #expect(option.value(in: TrackingOptions()) != value)
        let text = value.description.filter { $0 != "\"" }
        #expect(option.kind.value(of: text) == value)
    }

    @Test("The default of each option is within its bounds.", arguments: TrackingOption.all)
    func defaults(option: TrackingOption) {
        #expect(option.kind.accepts(option.value(in: TrackingOptions())))
    }

    @Test("Each option has an explanation of one sentence.", arguments: TrackingOption.all)
    func sentence(option: TrackingOption) {
        #expect(option.text.last == "." && option.text.first?.isUppercase == true)
        #expect(!option.text.contains(". "))
    }

    /// Returns a value that is not the default.
    private static func other(_ option: TrackingOption) -> OptionValue {
        let current = option.value(in: TrackingOptions())
        switch option.kind {
        case .duration: return .seconds(77)
        case .metres: return .metres(77)
        case .speed: return .metresPerSecond(7.5)
        case .degrees: return .degrees(7)
        case .number: return .number(7.5)
        case .count: return .count(7)
        case .flag: return .flag(current == .flag(false))
        case .choice(let words): return .choice(words.first { .choice($0) != current } ?? "")
        case .text: return .text("seven")
        case .timestamp: return .timestamp(Timestamp(year: 2027, month: 7, day: 7))
        case .timeOfDay: return .timeOfDay(TimeOfDay(hour: 7, minute: 7) ?? .startOfDay)
        case .crontab: return .text("* 7 * * *")
        }
    }
}
