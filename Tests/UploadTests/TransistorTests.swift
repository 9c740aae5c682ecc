import Contracts
@testable import Formats
import JSON
import Quantities
import Testing
import Tracking
@testable import Upload

@Suite("The Transistor format")
struct TransistorTests {
    private func text(_ records: [StoredRecord?], _ settings: Transistor.Settings = .init()) throws -> String {
        let target = try UploadTarget.sample("https://track.example.net/in", Transistor(settings))
        let result = target.format.encode(records.compactMap { $0 }, isNewest: true, for: target.sender, over: .http)
        guard case .payload(let payload) = result else { throw Unexpected() }
        #expect(payload.contentType == "application/json")
        return String(decoding: payload.body, as: UTF8.self)
    }

    private static let whole = #"""
        {"activity":{"confidence":100,"type":"in_vehicle"},"age":2250,"battery":{"is_charging":false,"level":-1},\#
        "coords":{"accuracy":5.8,"altitude":3.2,"altitude_accuracy":9.1,"ellipsoidal_altitude":46.1,"heading":212.4,\#
        "heading_accuracy":-1,"latitude":52.374031,"longitude":4.889692,"speed":13.06,"speed_accuracy":-1},\#
        "event":"motionchange","is_moving":true,"odometer":18342700,"recorded_at":"2025-10-09T08:53:22.250Z",\#
        "timestamp":"2025-10-09T08:53:20.000Z","uuid":"0199c7a2-8c00-7a10-9d54-0d0f7d2f5a10"}
        """#

    @Test("A request has the locations under `location`, in exactly these bytes: m/s, metres, -1 for unknown.")
    func golden() throws {
        let bare = #"""
            {"activity":{"confidence":100,"type":"still"},"age":900,"battery":{"is_charging":false,"level":-1},\#
            "coords":{"accuracy":-1,"altitude_accuracy":-1,"heading":-1,"heading_accuracy":-1,"latitude":-0.5,\#
            "longitude":179.9999999,"speed":-1,"speed_accuracy":-1},"is_moving":false,"odometer":0,\#
            "recorded_at":"2025-10-09T08:53:20.900Z","timestamp":"2025-10-09T08:53:20.000Z",\#
            "uuid":"0199c7a2-8c00-7a10-9d54-0d0f7d2f5a11"}
            """#
        #expect(try text([.whole, .bare]) == #"{"location":[\#(Self.whole),\#(bare)]}"#)
    }

    @Test("Without batches, a request has one location; the root `.` is omitted, and `params` and `extras` are merged.")
    func roots() throws {
        var settings = Transistor.Settings(isBatched: false)
        #expect(Transistor(settings).recordsPerPayload == 1...1)
        #expect(try text([.whole], settings) == #"{"location":\#(Self.whole)}"#)
        settings.params = ["user_id": .integer(7)]
        #expect(try text([.whole], settings) == #"{"location":\#(Self.whole),"user_id":7}"#)
        settings.rootProperty = nil
        #expect(try text([.whole], settings) == Self.whole.replacing(#""uuid""#, with: #""user_id":7,"uuid""#))
        settings = .init(rootProperty: nil, extras: ["route": .text("A \"1\"")])
        #expect(try text([.whole], settings).hasPrefix(#"[{"activity""#))
        #expect(try text([.whole], settings).contains(#","event":"motionchange","extras":{"route":"A \"1\""},"#))
    }

    @Test(
        "Events have the names that Background Geolocation uses.",
        arguments: [
            ("motionchange", #""event":"motionchange","is_moving""#), ("ping", #""event":"heartbeat","is_moving""#),
            ("receiver silent", #""event":"providerchange","is_moving""#),
            ("area left", #""event":"geofence","geofence":{"action":"EXIT","identifier":"Depot"},"is_moving""#),
            ("beacon entered", #""geofence":{"action":"ENTER","identifier":"a1b2c3"}"#),
            ("dwell", #""geofence":{"action":"DWELL","identifier":"Depot"}"#), ("location", #"9},"is_moving""#),
        ])
    func events(name: String, expected: String) throws {
        let stored = StoredRecord.sample(name)?.with { $0.position?.verticalAccuracy = Metres(9) }
        let body = try text([stored])
        #expect(body.contains(expected) || name == "location" && !body.contains("event"), "\(body)")
    }

    @Test("A simulated position is marked as simulated.")
    func mock() throws {
        #expect(try text([StoredRecord.whole.with { $0.position?.solution = .simulated }]).contains(#""mock":true,"#))
    }

    @Test("A template sets the form of a location; `extras` are merged into an object, or added at the end of a list.")
    func templates() throws {
        let object = try TransistorTemplate(
            #"{"lat":<%= latitude %>,"lng":<%=longitude%>,"at":"<%= timestamp %>","event":"<%= event %>","v":<%= speed %>}"#
        )
        var settings = Transistor.Settings(extras: ["foo": .text("bar")], locationTemplate: object)
        #expect(
            try text([.whole], settings) == #"""
                {"location":[{"at":"2025-10-09T08:53:20.000Z","event":"motionchange","foo":"bar","lat":52.374031,\#
                "lng":4.889692,"v":13.06}]}
                """#)
        settings.geofenceTemplate = try TransistorTemplate(
            #"[<%= latitude %>, "<%= geofence.identifier %>:<%= geofence.action %>", <%= is_moving %>, <%= battery.level %>]"#
        )
        #expect(
            try text([.sample("area left")], settings) == #"""
                {"location":[[52.371204,"Depot:EXIT",false,-1,{"foo":"bar"}]]}
                """#)
        // The format adds the quotes around a text value if the template omits them.
        settings.locationTemplate = try TransistorTemplate(#"{"at": <%= timestamp %>}"#)
        #expect(try text([.whole], settings).contains(#"{"at":"2025-10-09T08:53:20.000Z","foo":"bar"}"#))
    }

    @Test(
        "An unusable template is refused with the remedy.",
        arguments: [
            (
                #"{"lat":<%= lattitude %>}"#,
                "`<%= lattitude %>` is not a placeholder. Did you mean `<%= latitude %>`?"
            ),
            ("[<%= latitude", "a `<%=` has no `%>`. Write a tag such as `<%= latitude %>`."),
            (
                #"{lat:<%= latitude %>}"#,
                "the template is not JSON after the values are inserted. Check its quotes, commas and brackets."
            ),
        ])
    func refused(template: String, message: String) {
        #expect { try TransistorTemplate(template) } throws: { "\($0)" == message }
    }

    @Test("Kinds that Background Geolocation does not have, and records without a place, are not sent.")
    func kinds() {
        let carried = StoredRecord.ofEachKind.filter { Transistor().carries($0.record.record, over: .http) }
        #expect(
            Set(carried.map(\.record.record.kind))
                == [.location, .motionchange, .transition, .request, .ping, .providerchange])
        #expect(!Transistor().carries(SampleRecords.placeless(1).record, over: .http))
    }

    @Test(
        "An answer with commands or text is a success; an error is not.",
        arguments: [
            ("", Verdict.delivered), (#"{"background_geolocation":["stop"]}"#, .delivered), ("saved", .delivered),
            (#"{"success":false,"message":"no such user"}"#, .refused(reason: "status 200: no such user")),
        ])
    func answers(body: String, verdict: Verdict) {
        #expect(Transistor().verdict(on: Reply(status: 200, body: Array(body.utf8))) == verdict)
    }
}
