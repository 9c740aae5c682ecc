import Quantities
import Testing
import TrackingOptions

@testable import Compatibility

@Suite("Radar's notification")
struct RadarNotificationTests {
    @Test(
        "Texts, icons and channel of Radar's notification are accepted without an effect.",
        arguments: [
            "text", "title", "icon", "iconString", "iconColor", "activity", "importance", "id", "channelName",
        ])
    func appearance(part: String) {
        let reading = read(["radar": .mapping(tree(["foregroundService": .mapping(tree([part: "2131558400"]))]))])
        #expect(reading.problems.isEmpty)
        #expect(reading["indicator"] == .choice("always"))
    }

    @Test(
        "If Radar's notification is shown only at updates, the light blinks only at updates.",
        arguments: [("true", "updates"), ("false", "always")])
    func updatesOnly(flag: OptionTree, light: String) {
        let service = OptionTree.mapping(tree(["text": "Tracking", "updatesOnly": flag]))
        #expect(read(["radar": .mapping(tree(["foregroundService": service]))])["indicator"] == .choice(light))
    }
}
