@testable import Control
import Formats
import FoundationEssentials
import Quantities
import Store
import Testing
@testable import TrackerDaemon
import Tracking

@Suite("OwnTracks' table of waypoints, over the control socket")
struct WaypointRowTests {
    /// A row of OwnTracks' table: what a client sets, and the messages that servers get.
    struct Row: Sendable {
        /// The keys of the request other than the place.
        let keys: String
        /// The first letter of `circle` or `beacon` if transitions are published; nil if not.
        let event: String?
        /// Whether the transitions have the description.
        let isNamed: Bool
        let isPublished: Bool

        init(_ keys: String, event: String? = nil, isNamed: Bool = false, isPublished: Bool = false) {
            self.keys = keys
            self.event = event
            self.isNamed = isNamed
            self.isPublished = isPublished
        }
    }

    private static let uuid = "fda50693-a4e2-4fb1-afcf-c6eb07647825"
    private static let beacon = #""uuid":"\#(uuid)""#

    static let rows = [
        Row(#""name":"Depot","automatic":true,"radius":100,\#(beacon)"#),
        Row(#""name":"","radius":100,\#(beacon)"#),
        Row(#""name":"Depot""#, isPublished: true),
        Row(#""name":"Depot","radius":100,"shared":false"#, event: "c"),
        Row(#""name":"Depot","radius":100"#, event: "c", isNamed: true, isPublished: true),
        Row(#""name":"Depot",\#(beacon),"shared":false"#, event: "b"),
        Row(#""name":"Depot",\#(beacon)"#, event: "b", isNamed: true, isPublished: true),
        Row(#""name":"Depot","radius":100,\#(beacon),"shared":false"#, event: "c"),
        Row(#""name":"Depot","radius":100,\#(beacon)"#, event: "c", isNamed: true, isPublished: true),
    ]

    @Test(
        "A waypoint set over the socket and its transitions are published as OwnTracks' table requires.",
        arguments: rows)
    func messages(row: Row) throws {
        let conversation = try ControlConversation()
        _ = conversation.reply(to: #"{"request":"tracking start","options":{"beacons":true}}"#)
        for second in 1...5 { conversation.drive(to: 13.41, at: second) }
        let reply = conversation.reply(to: #"{"request":"waypoint set","latitude":52.5,"longitude":13.4,\#(row.keys)}"#)
        #expect(reply?.contains(#""ok":true"#) == true, "\(reply ?? "no reply")")
        // The vehicle enters the circle, comes near the beacon, and leaves both.
        let speed = MetresPerSecond(9)
        for second in 100...105 { conversation.drive(to: 13.4, speed: speed, at: second) }
        conversation.tell(.beacon(BeaconSighting(uuid: Self.uuid, major: 1, minor: 1, rssi: -60)), at: 106)
        for second in 200...205 { conversation.drive(to: 13.41, speed: speed, at: second) }
        for second in [250, 300, 350] { conversation.tell(.timer(.beacons), at: second) }

        let texts = try conversation.messages()
        let messages = try texts.map { try JSONDecoder().decode(Message.self, from: Data($0.utf8)) }
        let waypoints = messages.filter { $0._type == "waypoint" }
        #expect(waypoints.map(\.desc) == (row.isPublished ? ["Depot"] : []))
        let transitions = messages.filter { $0._type == "transition" }
        #expect(transitions.map(\.event) == (row.event == nil ? [] : ["enter", "leave"]))
        #expect(transitions.allSatisfy { $0.t == row.event && $0.desc == (row.isNamed ? "Depot" : nil) })
        #expect(texts.contains { $0.contains("Depot") } == row.isPublished)
    }

    @Test("A client of the control socket cannot set more than 200 waypoints, but can still change them.")
    func bound() throws {
        let conversation = try ControlConversation()
        func set(_ name: String) -> String? {
            // A client may send at most 50 requests in one second.
            conversation.wait(.milliseconds(100))
            return conversation.reply(
                to: #"{"request":"waypoint set","name":"\#(name)","latitude":52.5,"longitude":13.4,"radius":50}"#)
        }
        for number in 1...200 {
            let reply = set("p\(number)")
            try #require(reply?.contains(#""ok":true"#) == true, "\(number): \(reply ?? "no reply")")
        }
        let reply = set("p201")
        #expect(reply?.contains("the tracker has 200 waypoints, which is the maximum.") == true, "\(reply ?? "none")")
        #expect(set("p7")?.contains(#""ok":true"#) == true)
        _ = conversation.reply(to: #"{"request":"waypoint remove","name":"p7"}"#)
        #expect(set("p201")?.contains(#""ok":true"#) == true)
        #expect(conversation.tracker.runner.engine.state.regions.waypoints.count == 200)
    }

    private struct Message: Decodable {
        let _type: String
        let desc: String?
        let event: String?
        let t: String?
    }
}
