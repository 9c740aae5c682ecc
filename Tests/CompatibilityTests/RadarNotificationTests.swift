import Quantities
import Testing
import TrackingOptions

@testable import Compatibility

@Suite("Radar's notification")
struct RadarNotificationTests {
    @Test(
        "is a light here: its texts, icons and channel are read and say nothing",
        arguments: [
            "text", "title", "icon", "iconString", "iconColor", "activity", "importance", "id", "channelName",
        ])
    func appearance(part: String) {
        let reading = read(["radar": .mapping(tree(["foregroundService": .mapping(tree([part: "2131558400"]))]))])
        #expect(reading.problems.isEmpty)
        #expect(reading["indicator"] == .choice("always"))
    }

    @Test("may be there at updates only", arguments: [("true", "updates"), ("false", "always")])
    func updatesOnly(flag: OptionTree, light: String) {
        let service = OptionTree.mapping(tree(["text": "Tracking", "updatesOnly": flag]))
        #expect(read(["radar": .mapping(tree(["foregroundService": service]))])["indicator"] == .choice(light))
    }
}
