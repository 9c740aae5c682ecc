import Compatibility
import TrackingOptions
import Quantities
import Testing
import Tracking

@testable import Control

@Suite("Reading a control request")
struct ControlRequestTests {
    private static let uuid = "fda50693-a4e2-4fb1-afcf-c6eb07647825"

    private func read(_ line: String) -> ControlLine { ControlLine(Array(line.utf8), among: ControlRequests.all) }

    private func read<Request: ControlRequest>(_ line: String, as _: Request.Type) throws -> Request {
        try #require(try read(line).request.get() as? Request)
    }

    private func erased(_ request: some ControlRequest) -> AnyHashable { AnyHashable(request) }

    @Test("A request without keys is read as its type.", arguments: ControlRequests.all.indices)
    func withoutKeys(index: Int) {
        let type = ControlRequests.all[index]
        let line = read(#"{"request":"\#(type.manual.name)"}"#)
        var reader = RequestReader([:])
        let expected = type.reading(&reader).map { erased($0) }
        var request: AnyHashable?
        if case .success(let found) = line.request { request = erased(found) }
        #expect(request == expected)
        let needing = [
            "mode", "waypoint set", "waypoint remove", "odometer set", "trips name", "trips purge", "track", "why",
        ]
        #expect((expected == nil) == needing.contains(type.manual.name))
    }

    @Test(
        "The action of a locate request is read, with numbers as texts.",
        arguments: [
            (#"{"request":"locate"}"#, ActionParameters()),
            (
                #"{"request":"locate","actionType":"alarm","actionId":7}"#,
                ActionParameters(actionType: "alarm", actionId: "7")
            ),
        ])
    func locate(line: String, action: ActionParameters) throws {
        #expect(try read(line, as: LocateRequest.self).action == action)
    }

    @Test(
        "A mode is read as a word or as a number; `default` stands for the configured mode.",
        arguments: [
            (#"{"request":"mode","mode":"quiet"}"#, MonitoringMode?.some(.quiet)),
            (#"{"request":"mode","mode":-1}"#, .quiet),
            (#"{"request":"mode","mode":2}"#, .move), (#"{"request":"mode","mode":"default"}"#, nil),
        ])
    func mode(line: String, mode: MonitoringMode?) throws {
        #expect(try read(line, as: ModeRequest.self).mode == mode)
    }

    @Test("A trip is read with its ID and its metadata.")
    func trip() throws {
        let line = #"{"request":"trip start","tripId":"A7","metadata":{"driver":"Ada","load":3}}"#
        let expected = TripReport(
            externalID: "A7", metadata: [.init(key: "driver", value: "Ada"), .init(key: "load", value: "3")])
        #expect(try read(line, as: StartTripRequest.self).report == expected)
        #expect(try read(#"{"request":"trip start"}"#, as: StartTripRequest.self).report == TripReport())
    }

    @Test("A waypoint is read with its place and radius, or with its beacon.")
    func waypoint() throws {
        let home = try read(
            #"{"request":"waypoint set","name":"Home","latitude":52.5,"longitude":13.4,"radius":100}"#,
            as: SetWaypointRequest.self)
        #expect(home.name == "Home" && home.beacon == nil)
        #expect(home.place == Coordinate(latitude: 52.5, longitude: 13.4) && home.radius == Metres(100))
        let van = try read(
            #"{"request":"waypoint set","name":"Van","uuid":"FDA50693-A4E2-4FB1-AFCF-C6EB07647825","major":7}"#,
            as: SetWaypointRequest.self)
        #expect(van.name == "Van" && van.place == nil && van.radius == nil)
        #expect(van.beacon == BeaconIdentity(uuid: Self.uuid, major: 7))
        #expect(
            try read(#"{"request":"waypoint remove","name":"Home"}"#, as: RemoveWaypointRequest.self).name == "Home")
    }

    @Test("An odometer reading and a tag are read; a tag may be null.")
    func values() throws {
        #expect(
            try read(#"{"request":"odometer set","metres":1200.5}"#, as: SetOdometerRequest.self).distance
                == Metres(1200.5))
        #expect(try read(#"{"request":"tag","tag":"private"}"#, as: TagRequest.self).tag == "private")
        #expect(try read(#"{"request":"tag","tag":null}"#, as: TagRequest.self).tag == nil)
    }

    @Test(
        "A retry is read with its target and the numbers of its records.",
        arguments: [
            (#"{"request":"queue retry"}"#, nil, []),
            (#"{"request":"queue retry","target":"van","sequences":"3,5"}"#, "van", [3, 5]),
            (#"{"request":"queue retry","sequences":7}"#, nil, [7]),
        ] as [(String, String?, [Int64])])
    func retry(line: String, target: String?, sequences: [Int64]) throws {
        let request = try read(line, as: RetryQueueRequest.self)
        #expect(request.target == target)
        #expect(request.sequences == sequences)
    }

    @Test("An order to give up waiting records names no set-aside records.")
    func drop() throws {
        let request = try read(#"{"request":"queue drop","target":"van","sequences":7}"#, as: DropQueueRequest.self)
        #expect(request.target == "van")
        #expect(request.sequences == [7])
        #expect(!request.dropsWaiting)
        #expect(throws: ControlError.self) {
            try read(#"{"request":"queue drop","waiting":true,"sequences":7}"#, as: DropQueueRequest.self)
        }
    }

    @Test("A request may have an ID, which is a text or a number and is read even if the request is unknown.")
    func id() {
        #expect(read(#"{"request":"status","id":"a"}"#).id == "a")
        #expect(read(#"{"request":"status","id":7}"#).id == "7")
        #expect(read(#"{"request":"nothing","id":"b"}"#).id == "b")
    }

    @Test(
        "A wrong request is refused with the fault and the remedy.",
        arguments: [
            ("", #"this is not a JSON object. Send one object per line, such as {"request":"status"}."#),
            ("{", #"this is not a JSON object. Send one object per line, such as {"request":"status"}."#),
            ("[1]", #"this is not a JSON object. Send one object per line, such as {"request":"status"}."#),
            ("\u{0}\u{1}", #"this is not a JSON object. Send one object per line, such as {"request":"status"}."#),
            ("{}", #"`request` is missing. Add `request`, such as {"request":"status"}."#),
            (#"{"request":"stauts"}"#, "`stauts` is not a request. Did you mean `status`?"),
            (#"{"request":"mode"}"#, "mode: `mode` is missing."),
            (
                #"{"request":"mode","mode":"loud"}"#,
                "mode: `mode` must be one of quiet, manual, significant, move, the number of a mode from -1 to 2, or default; `loud` is not."
            ),
            (#"{"request":"status","idd":1}"#, "status: `idd` is not a key of this request. Did you mean `id`?"),
            (
                #"{"request":"queue retry","sequences":"3-5"}"#,
                "queue retry: `sequences` must be record numbers, separated by commas."
            ),
            (#"{"request":"locate","actionType":{}}"#, "locate: `actionType` must be a string."),
            (#"{"request":"trip start","metadata":"x"}"#, "trip start: `metadata` must be an object."),
            (#"{"request":"trip start","metadata":{"a":[1]}}"#, "trip start: `metadata.a` must be a string."),
            (
                #"{"request":"waypoint set","name":"A","latitude":91,"longitude":0}"#,
                "waypoint set: `latitude` must be a number from -90 to 90."
            ),
            (
                #"{"request":"waypoint set","name":"A","latitude":52}"#,
                "waypoint set: Send `latitude` and `longitude` together."
            ),
            (
                #"{"request":"waypoint set","name":"A","latitude":null,"longitude":13}"#,
                "waypoint set: Send `latitude` and `longitude` together."
            ),
            (
                #"{"request":"waypoint set","name":"A","uuid":"x"}"#,
                "waypoint set: `uuid` must have 32 hexadecimal digits in the form 8-4-4-4-12."
            ),
            (
                #"{"request":"tracking start","options":{"stopTimout":90}}"#,
                "tracking start: `options.stopTimout` is not an option. Did you mean `stopTimeout`?"
            ),
            (
                #"{"request":"odometer set","metres":-1}"#,
                "odometer set: `metres` must be a number from 0 to 200000000000. Send the new odometer reading in `metres`."
            ),
        ])
    func refuse(line: String, message: String) {
        let error = #expect(throws: ControlError.self) { try read(line).request.get() }
        #expect(error?.description == message)
    }

    @Test("The options of `tracking start` form a layer that overrides the options of the file.")
    func options() throws {
        let line = #"{"request":"tracking start","name":"own.yaml","options":{"distanceFilter":33,"profile":"motion"}}"#
        let layer = try #require(try read(line, as: StartTrackingRequest.self).layer)
        let file = OptionLayer(.file, name: "f", [OptionAssignment("turnFilter", .degrees(12), source: "f:1")])
        let resolved = OptionLayers([.profile(.vehicle), file, layer]).resolve(isOnTrip: false)
        var expected = Profile.motion.options
        expected.distanceFilter = Metres(33)
        #expect(resolved.options == expected)
        #expect(resolved.item("distanceFilter")?.source == "own.yaml")
    }
}
