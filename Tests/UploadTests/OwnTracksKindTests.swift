import Contracts
@testable import Formats
import Foundation
import Quantities
import Testing
import Tracking
import TrackingOptions
@testable import Upload

@Suite("The kinds of records in OwnTracks")
struct OwnTracksKindTests {
    private let target: UploadTarget

    init() throws { target = try .sample("https://track.example.net/pub", OwnTracks(sendsStatus: true)) }

    private func packed(_ stored: StoredRecord?, over kind: TransportKind = .mqtt) -> WirePayload? {
        guard let stored else { return nil }
        guard
            case .payload(let payload) = target.format.encode([stored], isNewest: true, for: target.sender, over: kind)
        else {
            return nil
        }
        return payload
    }

    private static let place = #""_id":"0199c7a2-8c00-7a10-9d54-0d0f7d2f5a12","_type":"location","acc":7,"#

    @Test(
        "Kinds that OwnTracks sends as locations are sent with their trigger.",
        arguments: [
            ("motionchange", ""), ("visit begins", #","t":"v""#), ("visit ends", #","t":"v""#),
            ("request failed", #","t":"r""#),
            ("ping", #","t":"p""#), ("started", #","t":"1""#), ("ignition on", #","t":"i""#),
            ("harsh braking", #","rty":0,"t":"h""#), ("tow", #","t":"!""#),
        ])
    func locations(name: String, trigger: String) throws {
        let payload = try #require(packed(.sample(name)))
        let expected = """
            {\(Self.place)"lat":52.371204,"lon":4.886011,"m":1,"motion":false,"odometer":1.5\
            \(trigger),"tid":"V1","tst":1760000040}
            """
        #expect(String(decoding: payload.body, as: UTF8.self) == expected)
        #expect(payload.topic == "owntracks/fleet/van1")
        #expect(payload.retain)
    }

    @Test("The answer to a request contains all action parameters of the requester.")
    func action() throws {
        let action = ActionParameters(
            actionType: "check", actionLog: "asked by ann", actionId: "5", actionDuration: "2 s", additionalLog: "late")
        let stored = try #require(StoredRecord.sample("request answered")).with {
            $0.content = .request(RequestAnswer(action: action, took: .seconds(4)))
        }
        let expected = """
            {"_id":"0199c7a2-8c00-7a10-9d54-0d0f7d2f5a12","_type":"location","acc":7,"actionDuration":"2 s",\
            "actionId":"5","actionLog":"asked by ann","actionType":"check","additionalLog":"late","lat":52.371204,\
            "lon":4.886011,"m":1,"motion":false,"odometer":1.5,"t":"r","tid":"V1","tst":1760000040}
            """
        #expect(String(decoding: try #require(packed(stored)).body, as: UTF8.self) == expected)
    }

    @Test(
        "An OwnTracks location states the monitoring mode by its number.",
        arguments: [
            (MonitoringMode?.some(.quiet), #""m":-1,"#), (.manual, #""m":0,"#), (.significant, #""m":1,"#),
            (.move, #""m":2,"#), (nil, ""),
        ])
    func mode(mode: MonitoringMode?, expected: String) throws {
        let stored = try #require(StoredRecord.sample("ping")).with { $0.mode = mode }
        let text = String(decoding: try #require(packed(stored)).body, as: UTF8.self)
        #expect(text.contains(#""lon":4.886011,\#(expected)"motion":false"#))
    }

    @Test(
        "Harsh driving states its kind by the number that Traccar reads.",
        arguments: [
            (DrivingEvent.Kind.braking, #","rty":0,"t":"h""#), (.acceleration, #","rty":1,"t":"h""#),
            (.cornering, #","rty":2,"t":"h""#), (.impact, #"1.5,"t":"h""#), (.tow, #"1.5,"t":"!""#),
            (.overspeed, #"1.5,"t":"s""#),
        ])
    func harsh(kind: DrivingEvent.Kind, expected: String) throws {
        let event = DrivingEvent(kind, peak: nil, lasted: .seconds(1))
        let stored = try #require(StoredRecord.sample("tow")).with { $0.content = .driving(event) }
        #expect(String(decoding: try #require(packed(stored)).body, as: UTF8.self).contains(expected))
    }

    @Test("The location beside the event of a circle states its radius.")
    func radius() throws {
        let stored = try #require(StoredRecord.sample("location")).with {
            ($0.trigger, $0.radius) = (.region, Metres(149.6))
        }
        #expect(String(decoding: try #require(packed(stored)).body, as: UTF8.self).contains(#""rad":150,"t":"c""#))
    }

    @Test("An OwnTracks location states the ignition, and the voltage of the vehicle's battery.")
    func vehicle() throws {
        let stored = try #require(StoredRecord.sample("motionchange")).with {
            ($0.ignition, $0.supply) = (true, Volts(13.876))
        }
        let text = String(decoding: try #require(packed(stored)).body, as: UTF8.self)
        #expect(text.contains(#""ign":true,"#) && text.contains(#""uext":13.88}"#))
    }

    @Test(
        "Changes of ignition and supply have the letters of Queclink's units in OwnTracks.",
        arguments: [
            (PowerChange.ignitionOn, "i"), (.ignitionOff, "I"), (.supplyLost, "e"), (.supplyBack, "E"),
            (.supplyLow, "9"),
        ])
    func power(change: PowerChange, letter: String) throws {
        let stored = try #require(StoredRecord.sample("started")).with { $0.content = .power(change) }
        let text = String(decoding: try #require(packed(stored)).body, as: UTF8.self)
        #expect(text.contains(#","t":"\#(letter)","#))
    }

    @Test("An OwnTracks location states the regions and the tag.")
    func regions() throws {
        let payload = try #require(packed(.sample("location")))
        let expected = """
            {\(Self.place)"inregions":["Depot","City"],"inrids":["a1b2c3","d4"],"lat":52.371204,"lon":4.886011,"m":1,\
            "motion":false,"odometer":1.5,"tag":"night","tid":"V1","tst":1760000040}
            """
        #expect(String(decoding: payload.body, as: UTF8.self) == expected)
    }

    @Test(
        "An OwnTracks location states what requested a point of the track.",
        arguments: [(Record.Trigger.region, "c"), (.beacon, "b"), (.follow, "C")])
    func triggers(trigger: Record.Trigger, letter: String) throws {
        let stored = try #require(StoredRecord.sample("location")).with { $0.trigger = trigger }
        let text = String(decoding: try #require(packed(stored)).body, as: UTF8.self)
        #expect(text.contains(#","t":"\#(letter)","#))
    }

    @Test(
        "Transitions and waypoints have OwnTracks messages of their own, on topics of their own, never retained.",
        arguments: [
            (
                "area left", "/event",
                """
                "acc":7,"desc":"Depot","event":"leave","lat":52.371204,"lon":4.886011,"rid":"a1b2c3","t":"c","tid":"V1",\
                "tst":1760000040,"wtst":1755000000}
                """
            ),
            (
                "beacon entered", "/event",
                """
                "acc":7,"event":"enter","lat":52.371204,"lon":4.886011,"rid":"a1b2c3","t":"b","tid":"V1",\
                "tst":1760000040,"wtst":1755000000}
                """
            ),
            (
                "waypoint", "/waypoint",
                #""desc":"Depot","lat":52.37,"lon":4.88,"rad":120,"rid":"a1b2c3","tst":1755000000}"#
            ),
            (
                "waypoint of a beacon", "/waypoint",
                #""desc":"","major":1,"minor":0,"rad":0,"tst":1755000000,"uuid":"6d1f2a90-4c3e-4b7a-9e55-0a1b2c3d4e5f"}"#
            ),
        ])
    func others(name: String, suffix: String, rest: String) throws {
        let stored = try #require(StoredRecord.sample(name))
        let payload = try #require(packed(stored))
        let type = suffix == "/event" ? "transition" : "waypoint"
        let expected = #"{"_id":"0199c7a2-8c00-7a10-9d54-0d0f7d2f5a12","_type":"\#(type)","# + rest
        #expect(String(decoding: payload.body, as: UTF8.self) == expected)
        #expect(payload.topic == "owntracks/fleet/van1" + suffix)
        #expect(!payload.retain)
        let overHTTP = try #require(packed(stored, over: .http))
        let text = String(decoding: overHTTP.body, as: UTF8.self)
        #expect(text.contains(#""topic":"owntracks/fleet/van1\#(suffix)""#))
    }

    @Test("Kinds that OwnTracks cannot express are withheld.", arguments: ["dwell", "waypoint of nothing"])
    func withheld(name: String) {
        #expect(StoredRecord.sample(name) != nil)
        #expect(packed(.sample(name)) == nil)
    }

    @Test(
        "The condition of the tracker is a status over MQTT, and is withheld over HTTP.",
        arguments: [
            ("receiver silent", #"{"providerchange":{"state":"silent"}}"#),
            ("shutdown", #"{"power":{"change":"shutdown"}}"#),
            ("accelerometer lost", #"{"health":{"change":"accelerometerLost","reason":"no chip answers"}}"#),
            (
                "sent times wrong",
                """
                {"health":{"change":"sentTimesWrong","correction":{"bootFrom":"1970-01-01T00:00:01.000Z",\
                "bootTo":"2025-10-09T08:53:21.500Z","first":3,"last":8,"records":5,"shift_s":1760000000.5}}}
                """
            ),
            ("options changed", #"{"optionschange":{"keys":["distanceFilter"],"origin":"mode"}}"#),
            ("options refused", #"{"optionschange":{"keys":[],"origin":"home","refusal":"`distanceFilter` is -1"}}"#),
        ])
    func status(name: String, expected: String) throws {
        let stored = try #require(StoredRecord.sample(name))
        let payload = try #require(packed(stored))
        let start = #"{"_id":"0199c7a2-8c00-7a10-9d54-0d0f7d2f5a12","_type":"status","linux":"#
        #expect(String(decoding: payload.body, as: UTF8.self) == start + expected + #","tst":1760000040}"#)
        #expect(payload.topic == "owntracks/fleet/van1/status")
        #expect(!payload.retain)
        #expect(packed(stored, over: .http) == nil)
        let placeless = stored.with { $0.position = nil }
        #expect(packed(placeless) == payload)
        // OwnTracks' apps publish a status only on request.
        let usual = try UploadTarget.sample("https://track.example.net/pub", "owntracks")
        #expect(usual.format.encode([placeless], isNewest: true, for: usual.sender, over: .mqtt) == .withheld)
    }

    @Test(
        "The command `waypoints` is answered by a status, and by the list on the topic where OwnTracks' apps publish it."
    )
    func waypoints() throws {
        let stored = try #require(StoredRecord.sample("waypoints listed"))
        let payload = try #require(packed(stored))
        #expect(payload.topic == "owntracks/fleet/van1/status")
        let list = try #require(payload.companions.first)
        #expect(list.topic == "owntracks/fleet/van1/waypoints" && !list.retain && payload.companions.count == 1)
        let expected = """
            {"_id":"0199c7a2-8c00-7a10-9d54-0d0f7d2f5a12","_type":"waypoints","waypoints":[\
            {"_type":"waypoint","desc":"Depot","lat":52.37,"lon":4.88,"rad":120,"rid":"a1","tst":1755000000},\
            {"_type":"waypoint","desc":"Van","major":0,"minor":0,"rad":0,"rid":"b2","tst":1755000001,\
            "uuid":"6d1f2a90-4c3e-4b7a-9e55-0a1b2c3d4e5f"}]}
            """
        #expect(String(decoding: list.body, as: UTF8.self) == expected)
        #expect(packed(stored, over: .http) == nil)
    }

    @Test("Over HTTP, only the server that has sent an order receives its status and the list of waypoints.")
    func answerOverHTTP() throws {
        let stored = try #require(StoredRecord.sample("waypoints listed"))
        func target(_ control: Set<RemotePermission>) throws -> UploadTarget {
            try UploadTarget(
                name: "home", url: "https://track.example.net/pub", format: "owntracks", user: "fleet", device: "van1",
                control: control)
        }
        let (deaf, target) = (try target([]), try target([.waypoints]))
        #expect(deaf.format.encode([stored], isNewest: true, for: deaf.sender, over: .http) == .withheld)
        guard
            case .payload(let payload) = target.format.encode([stored], isNewest: true, for: target.sender, over: .http)
        else {
            Issue.record("no message")
            return
        }
        let list = try #require(payload.companions.first)
        for (message, type) in [(payload, "status"), (list, "waypoints")] {
            let text = String(decoding: message.body, as: UTF8.self)
            #expect(text.contains(#""_type":"\#(type)""#) && text.contains(#""topic":"owntracks/fleet/van1/\#(type)""#))
            #expect(message.headers.map(\.name) == ["X-Limit-U", "X-Limit-D"])
        }
        let other = stored.with {
            $0.content = .order(
                OrderReport(target: "other", id: "1", request: "status", isAccepted: true, text: "", data: nil))
        }
        #expect(target.format.encode([other], isNewest: true, for: target.sender, over: .http) == .withheld)
    }

    @Test(
        "No list of waypoints is sent for another order, without an answer, or for the command of another server.",
        arguments: [
            ("waypoint list", "home", "[]" as String?), ("waypoints", "home", nil), ("waypoints", "other", "[]"),
        ])
    func noWaypoints(request: String, target: String, data: String?) throws {
        let stored = try #require(StoredRecord.sample("waypoints listed")).with {
            $0.content = .order(
                OrderReport(target: target, id: "1", request: request, isAccepted: true, text: "", data: data))
        }
        #expect(try #require(packed(stored)).companions == [])
    }

    @Test(
        "Trips are not sent, because the change of the state has the same place.",
        arguments: ["trip begins", "trip ends"])
    func trips(name: String) throws {
        let stored = try #require(StoredRecord.sample(name))
        #expect(target.format.encode([stored], isNewest: true, for: target.sender, over: .mqtt) == .withheld)
    }

    @Test(
        "A record whose kind needs a place is withheld without a place.",
        arguments: ["request failed", "ping", "area left", "trip ends"])
    func placeless(name: String) throws {
        let stored = try #require(StoredRecord.sample(name)).with { $0.position = nil }
        #expect(target.format.encode([stored], isNewest: true, for: target.sender, over: .mqtt) == .withheld)
    }

    @Test("An OwnTracks transition of unknown accuracy states 0, because the key is required.")
    func unknownError() throws {
        let stored = try #require(StoredRecord.sample("area left")).with { $0.position?.accuracy = nil }
        let text = String(decoding: try #require(packed(stored)).body, as: UTF8.self)
        #expect(text.contains(#""acc":0,"#))
    }
}
