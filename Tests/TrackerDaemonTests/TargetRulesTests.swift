import Foundation
import Quantities
import Testing
import Tracking
import TrackingOptions
import Upload

@testable import TrackerDaemon

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
        #expect(target.rules.filter.exceptKinds == [.transition, .waypoint])
        #expect(target.rules.filter.tags == ["work"])
        #expect(target.rules.filter.sync == .stopsAndExits)
        #expect(target.rules.network.interfaces == ["wlan0", "eth*"])
        #expect(!target.rules.network.allowsMetered)
        #expect(target.rules.monthlyBytes == 1_500_000_000)
        #expect(target.rules.network.meteredInterfaces == ["enx0"])
        #expect(try Self.target("kinds: [location]").rules.filter.kinds == [.location])
    }

    @Test(
        "A wrong rule is an error with the remedy.",
        arguments: [
            ("kinds: [locations]", "one of location, motionchange"),
            ("kinds: [locations]", "Did you mean `location`?"),
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

    @Test("A record that a rule excludes is not for the target.")
    func filter() {
        let stop = Record(
            .motionchange, time: Timestamp(milliseconds: 0), isTimeTrusted: true, position: nil, isMoving: false,
            odometer: .zero, trip: nil)
        var tagged = stop
        tagged.tag = "work"
        tagged.content = .location
        #expect(RecordFilter().admits(stop))
        #expect(!RecordFilter(kinds: [.location]).admits(stop))
        #expect(!RecordFilter(exceptKinds: [.motionchange]).admits(stop))
        #expect(!RecordFilter(tags: ["work"]).admits(stop) && RecordFilter(tags: ["work"]).admits(tagged))
        #expect(RecordFilter(sync: .stopsAndExits).admits(stop) && !RecordFilter(sync: .stopsAndExits).admits(tagged))
    }
}
