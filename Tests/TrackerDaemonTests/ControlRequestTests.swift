import Compatibility
import Foundation
import Quantities
import Testing
import Tracking
import TrackingOptions

@testable import TrackerDaemon

@Suite("A request over the control socket")
struct ControlRequestTests {
    private static let uuid = "fda50693-a4e2-4fb1-afcf-c6eb07647825"

    @Test(
        "is a JSON object with a word, and what belongs to it",
        arguments: [
            (#"{"request":"status"}"#, ControlRequest.status),
            (#"{"request":"locate"}"#, .locate(ActionParameters())),
            (
                #"{"request":"locate","actionType":"alarm","actionId":7}"#,
                .locate(ActionParameters(actionType: "alarm", actionId: "7"))
            ),
            (#"{"request":"move"}"#, .move), (#"{"request":"stay"}"#, .stay),
            (#"{"request":"mode","mode":"quiet"}"#, .mode(.quiet)), (#"{"request":"mode","mode":-1}"#, .mode(.quiet)),
            (#"{"request":"mode","mode":2}"#, .mode(.move)),
            (#"{"request":"tracking start"}"#, .startTracking(nil)), (#"{"request":"tracking stop"}"#, .stopTracking),
            (#"{"request":"tracking show"}"#, .showTracking),
            (
                #"{"request":"trip start","tripId":"A7","metadata":{"driver":"Ada","load":3}}"#,
                .startTrip(
                    TripReport(
                        externalID: "A7",
                        metadata: [.init(key: "driver", value: "Ada"), .init(key: "load", value: "3")]))
            ),
            (#"{"request":"trip start"}"#, .startTrip(TripReport())), (#"{"request":"trip end"}"#, .endTrip),
            (#"{"request":"region list"}"#, .regions), (#"{"request":"waypoint list"}"#, .waypoints),
            (
                #"{"request":"waypoint set","name":"Home","latitude":52.5,"longitude":13.4,"radius":100}"#,
                .setWaypoint(
                    WaypointOrder(
                        name: "Home", place: Coordinate(latitude: 52.5, longitude: 13.4), radius: Metres(100),
                        beacon: nil))
            ),
            (
                #"{"request":"waypoint set","name":"Van","uuid":"FDA50693-A4E2-4FB1-AFCF-C6EB07647825","major":7}"#,
                .setWaypoint(
                    WaypointOrder(
                        name: "Van", place: nil, radius: nil, beacon: BeaconIdentity(uuid: uuid, major: 7)))
            ),
            (#"{"request":"waypoint remove","name":"Home"}"#, .removeWaypoint("Home")),
            (#"{"request":"waypoint clear"}"#, .clearWaypoints), (#"{"request":"odometer"}"#, .odometer),
            (#"{"request":"odometer set","metres":1200.5}"#, .setOdometer(Metres(1200.5))),
            (#"{"request":"tag","tag":"private"}"#, .tag("private")), (#"{"request":"tag","tag":null}"#, .tag(nil)),
            (#"{"request":"queue"}"#, .queue),
            (#"{"request":"queue retry"}"#, .retryQueue(QueueRetry(target: nil, sequences: []))),
            (
                #"{"request":"queue retry","target":"van","sequences":"3,5"}"#,
                .retryQueue(QueueRetry(target: "van", sequences: [3, 5]))
            ),
            (
                #"{"request":"queue retry","sequences":7}"#,
                .retryQueue(QueueRetry(target: nil, sequences: [7]))
            ),
        ])
    func read(line: String, expected: ControlRequest) throws {
        #expect(try ControlRequest.read(Array(line.utf8)).request.get() == expected)
    }

    @Test("has a case above for each word")
    func complete() { #expect(ControlRequest.words.count == 20) }

    @Test("may have an id, a text or a number")
    func id() {
        #expect(ControlRequest.read(Array(#"{"request":"status","id":"a"}"#.utf8)).id == "a")
        #expect(ControlRequest.read(Array(#"{"request":"status","id":7}"#.utf8)).id == "7")
        #expect(ControlRequest.read(Array(#"{"request":"nothing","id":"b"}"#.utf8)).id == "b")
    }

    @Test(
        "is refused with what is wrong and the mend",
        arguments: [
            ("", #"this is no JSON object. Send one a line, such as {"request":"status"}."#),
            ("{", #"this is no JSON object. Send one a line, such as {"request":"status"}."#),
            ("[1]", #"this is no JSON object. Send one a line, such as {"request":"status"}."#),
            ("\u{0}\u{1}", #"this is no JSON object. Send one a line, such as {"request":"status"}."#),
            ("{}", #"`request` is missing. Write it such as {"request":"status"}."#),
            (#"{"request":"stauts"}"#, "`stauts` is not a request. Did you mean `status`?"),
            (#"{"request":"mode"}"#, "mode: `mode` is missing."),
            (
                #"{"request":"mode","mode":"loud"}"#,
                "mode: `mode` must be one of quiet, manual, significant, move, or its number from -1 to 2; `loud` is not."
            ),
            (#"{"request":"status","idd":1}"#, "status: `idd` is not known here. Did you mean `id`?"),
            (
                #"{"request":"queue retry","sequences":"3-5"}"#,
                "queue retry: `sequences` must be numbers of records with commas in between."
            ),
            (#"{"request":"locate","actionType":{}}"#, "locate: `actionType` must be a text."),
            (#"{"request":"trip start","metadata":"x"}"#, "trip start: `metadata` must be an object."),
            (#"{"request":"trip start","metadata":{"a":[1]}}"#, "trip start: `metadata.a` must be a text."),
            (
                #"{"request":"waypoint set","name":"A","latitude":91,"longitude":0}"#,
                "waypoint set: `latitude` must be a number from -90 to 90. `latitude` and `longitude` go together."
            ),
            (
                #"{"request":"waypoint set","name":"A","uuid":"x"}"#,
                "waypoint set: `uuid` must be 32 hexadecimal digits, as 8-4-4-4-12."
            ),
            (
                #"{"request":"tracking start","options":{"stopTimout":90}}"#,
                "tracking start: `options.stopTimout` is not an option. Did you mean `stopTimeout`?"
            ),
            (
                #"{"request":"odometer set","metres":-1}"#,
                "odometer set: `metres` must be a number from 0 to 200000000000. `metres` is what the odometer is to show."
            ),
        ])
    func refuse(line: String, message: String) {
        let error = #expect(throws: ControlRefusal.self) { try ControlRequest.read(Array(line.utf8)).request.get() }
        #expect(error?.text == message)
    }

    @Test("with options of one's own makes a layer that hides the file")
    func options() throws {
        let line = #"{"request":"tracking start","name":"own.yaml","options":{"distanceFilter":33,"profile":"motion"}}"#
        guard case .startTracking(let layer?) = try ControlRequest.read(Array(line.utf8)).request.get() else {
            Issue.record("no options were read")
            return
        }
        let file = OptionLayer(.file, name: "f", [OptionAssignment("turnFilter", .degrees(12), source: "f:1")])
        let resolved = OptionLayers([.profile(.vehicle), file, layer]).resolve(isOnTrip: false)
        var expected = Profile.motion.options
        expected.distanceFilter = Metres(33)
        #expect(resolved.options == expected)
        #expect(resolved.item("distanceFilter")?.source == "own.yaml")
    }
}
