@testable import Configuration
import Delivery
import Formats
import Foundation
import Quantities
import Testing
import Tracking
import TrackingOptions
import Upload

@Suite("The rules for the records of a target")
struct TargetRulesTests {
    private static func target(_ keys: String, more: String = "") throws -> UploadTarget {
        let text = "device: van1\n\(more)targets:\n  - {url: \"https://track.example.net/pub\", \(keys)}\n"
        return try #require(try Configuration.parse(text, file: "config.yaml").targets.first)
    }

    @Test("Without further keys, a target receives every record over every network, by the option `replay`.")
    func plain() throws {
        let target = try Self.target("name: home", more: "tracking: {replay: stops}\n")
        #expect(target.rules == TargetRules())
        #expect(target.rules.filter.admitsAll)
        #expect(target.replay == .stops)
    }

    @Test("The rules of a target are read.")
    func rules() throws {
        let target = try Self.target(
            "replay: none, exceptKinds: [transition, waypoint], tags: [work], sync: stopsAndExits, "
                + "interfaces: [wlan0, \"eth*\"], metered: false, monthlyBytes: 1.5GB",
            more: "meteredInterfaces: [enx0]\n")
        #expect(target.replay == ReplayRule.none)
        #expect(target.rules.filter.exceptKinds == [RecordSelector(.transition), RecordSelector(.waypoint)])
        #expect(target.rules.filter.tags == ["work"])
        #expect(target.rules.filter.sync == .stopsAndExits)
        #expect(target.rules.network.interfaces == ["wlan0", "eth*"])
        #expect(!target.rules.network.allowsMetered)
        #expect(target.rules.monthlyBytes == 1_500_000_000)
        #expect(target.rules.network.meteredInterfaces == ["enx0"])
        #expect(try Self.target("kinds: [location]").rules.filter.kinds == [RecordSelector(.location)])
        let events = try Self.target("kinds: [location, power.supplyLow]").rules.filter.kinds
        #expect(events.map(\.kind) == [.location, .power] && events.map(\.event) == [nil, "supplyLow"])
    }

    @Test(
        "A wrong rule is an error with the remedy.",
        arguments: [
            ("kinds: [locations]", "one of location, motionchange"),
            ("kinds: [locations]", "Did you mean `location`?"),
            ("kinds: [drivin.tow]", "Did you mean `driving.tow`?"),
            (
                "kinds: [driving.two]",
                "must be `driving`, or `driving.` followed by one of braking, acceleration, cornering, impact, tow, "
            ),
            ("kinds: [driving.two]", "`driving.two` is not. Did you mean `driving.tow`?"),
            ("exceptKinds: [supplyLow]", "Did you mean `power.supplyLow`?"),
            ("kinds: [started]", "Did you mean `visit.started` or `trip.started` or `power.started`?"),
            ("kinds: [ping.sent]", "`targets[1].kinds` must be `ping` without an event; `ping.sent` is not."),
            ("kinds: []", "`targets[1].kinds` is an empty list. Write a kind, or leave the line out."),
            ("kinds: [location], exceptKinds: [ping]", "`kinds` and `exceptKinds` are both set. Keep one of them."),
            ("replay: some", "`targets[1].replay` must be `all` or `stops` or `none`; `some` is not."),
            (
                "monthlyBytes: much",
                "`targets[1].monthlyBytes` must be a number of bytes from 1000, such as `50MB` or `2GB`"
            ),
            ("metered: perhaps", "`targets[1].metered` must be `true` or `false`"),
        ])
    func wrong(keys: String, words: String) throws {
        let error = try #require(throws: ConfigurationError.self) { try Self.target(keys) }
        #expect("\(error)".contains(words), "\(error)")
    }

    @Test(
        "A target that selects an event which the options switch off causes a note with the remedy.",
        arguments: [
            (
                "kinds: [driving.tow]", "{}",
                "selects `driving.tow`, but the options switch this event off. Set `drivingEvents: true`"
            ),
            ("kinds: [driving.tow]", "{drivingEvents: true}", nil), ("kinds: [driving]", "{}", nil),
            ("kinds: [power, driving.overspeed]", "{drivingEvents: true}", "Set `speedLimit` under `tracking`."),
            ("kinds: [driving.overspeed]", "{speedLimit: 25}", nil),
            ("kinds: [providerchange.jammed]", "{jammingLevel: 0}", "Set `jammingLevel` under `tracking`."),
            ("kinds: [providerchange.jammed, power.started]", "{}", nil),
            ("kinds: [visit.started]", "{useVisits: false}", "Set `useVisits: true` under `tracking`."),
        ] as [(String, String, String?)])
    func notes(keys: String, tracking: String, words: String?) throws {
        let text = "device: van1\ntracking: \(tracking)\ntargets:\n  - {url: \"https://a.example.net/\", \(keys)}\n"
        let notes = try Configuration.parse(text, file: "config.yaml").notes.map(\.description)
        #expect(notes.count == (words == nil ? 0 : 1))
        #expect(words.map { notes.first?.contains($0) == true } ?? true, "\(notes)")
    }

    @Test("A record that a rule excludes is not for the target.")
    func filter() {
        let stop = Record(
            .motionchange, time: Timestamp(milliseconds: 0), isTimeTrusted: true, position: nil, isMoving: false,
            odometer: .zero, trip: nil)
        var tagged = stop
        tagged.tag = "work"
        tagged.content = .location
        #expect(RecordFilter().admits(stop))
        #expect(!RecordFilter(kinds: [RecordSelector(.location)]).admits(stop))
        #expect(!RecordFilter(exceptKinds: [RecordSelector(.motionchange)]).admits(stop))
        #expect(!RecordFilter(tags: ["work"]).admits(stop) && RecordFilter(tags: ["work"]).admits(tagged))
        #expect(RecordFilter(sync: .stopsAndExits).admits(stop) && !RecordFilter(sync: .stopsAndExits).admits(tagged))
    }
}
