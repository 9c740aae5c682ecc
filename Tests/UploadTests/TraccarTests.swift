@testable import Formats
import Quantities
import Testing
import Tracking
@testable import Upload

@Suite("The Traccar format")
struct TraccarTests {
    private static func payload(_ stored: StoredRecord?, _ form: Traccar.Form) throws -> WirePayload {
        let target = try UploadTarget.sample("https://traccar.example.net:5055", Traccar(form: form))
        let result = target.format.encode([try #require(stored)], isNewest: true, for: target.sender, over: .http)
        guard case .payload(let payload) = result else { throw Unexpected() }
        return payload
    }

    private static let query = """
        id=van1&timestamp=1760000000000&lat=52.374031&lon=4.889692&speed=25.387&bearing=212.4&altitude=3.2&accuracy=5.8&\
        odometer=18342700&motion=true&event=motionchange&ignition=true&power=13.94&sat=9&driverUniqueId=Ann%20%26%20Bo&\
        trip=3&uuid=0199c7a2-8c00-7a10-9d54-0d0f7d2f5a10
        """

    private static var driven: StoredRecord {
        StoredRecord.whole.with { ($0.ignition, $0.supply, $0.driver) = (true, Volts(13.944), "Ann & Bo") }
    }

    @Test("Traccar receives a form by POST, in exactly these bytes: 13.06 m/s are 25.387 knots.")
    func form() throws {
        let payload = try Self.payload(Self.driven, .form)
        #expect(String(decoding: payload.body, as: UTF8.self) == Self.query)
        #expect(payload.contentType == "application/x-www-form-urlencoded")
        #expect(payload.method == .post && payload.path == nil)
    }

    @Test("Traccar's parameters may be the query of a GET, after a query in the address.")
    func get() throws {
        let payload = try Self.payload(Self.driven, .query)
        #expect(payload.method == .get && payload.body.isEmpty)
        #expect(payload.path == "/?\(Self.query)")
        let target = try UploadTarget.sample("https://track.example.net/log?key=a", Traccar(form: .query))
        guard case .payload(let other) = target.format.encode([.bare], isNewest: true, for: target.sender, over: .http)
        else {
            throw Unexpected()
        }
        #expect(
            other.path?.hasPrefix("/log?key=a&id=van1&timestamp=1760000000000&lat=-0.5&lon=179.9999999&odo") == true)
    }

    @Test("Traccar's JSON is in m/s and metres, in exactly these bytes.")
    func json() throws {
        let expected = #"""
            {"device_id":"van1","location":{"coords":{"accuracy":5.8,"altitude":3.2,"heading":212.4,"latitude":52.374031,\#
            "longitude":4.889692,"speed":13.06},"event":"motionchange","extras":{"driverUniqueId":"Ann & Bo",\#
            "ignition":true,"power":13.94,"sat":9,"trip":3,"uuid":"0199c7a2-8c00-7a10-9d54-0d0f7d2f5a10"},\#
            "is_moving":true,"odometer":18342700,"timestamp":"2025-10-09T08:53:20.000Z"}}
            """#
        let payload = try Self.payload(Self.driven, .json)
        #expect(String(decoding: payload.body, as: UTF8.self) == expected)
        #expect(payload.contentType == "application/json")
    }

    @Test("Traccar's query omits unknown values; in JSON, unknown values are those that Traccar expects.")
    func unknown() throws {
        let query = try Self.payload(.bare, .form)
        #expect(
            String(decoding: query.body, as: UTF8.self) == """
                id=van1&timestamp=1760000000000&lat=-0.5&lon=179.9999999&odometer=0&motion=false&\
                uuid=0199c7a2-8c00-7a10-9d54-0d0f7d2f5a11
                """)
        let json = String(decoding: try Self.payload(.bare, .json).body, as: UTF8.self)
        #expect(
            json.contains(
                #"{"accuracy":0,"altitude":0,"heading":-1,"latitude":-0.5,"longitude":179.9999999,"speed":-1}"#))
    }

    @Test("A record without a place has no coordinates, so that Traccar uses the last known ones.")
    func placeless() throws {
        let ping = StoredRecord.sample("ping")?.with { $0.position = nil }
        #expect(!String(decoding: try Self.payload(ping, .form).body, as: UTF8.self).contains("lat="))
        #expect(!String(decoding: try Self.payload(ping, .json).body, as: UTF8.self).contains("coords"))
    }

    @Test("A time in the first weeks of 1970 is sent in seconds, because Traccar reads small numbers as seconds.")
    func unsetClock() throws {
        let early = StoredRecord.bare.with { $0.time = Timestamp(milliseconds: 600_000) }
        #expect(String(decoding: try Self.payload(early, .form).body, as: UTF8.self).contains("&timestamp=600&"))
    }

    @Test(
        "Events have the alarms that Traccar knows.",
        arguments: [
            ("area left", "event=leave&alarm=geofenceExit&region=Depot&"),
            ("beacon entered", "event=enter&alarm=geofenceEnter&"),
            ("dwell", "event=dwell&region=Depot&"), ("harsh braking", "event=braking&alarm=hardBraking&"),
            ("tow", "event=tow&alarm=tow&"), ("started", "event=started&"), ("ignition on", "event=ignitionOn&"),
            ("trip ends", "event=trip&"), ("visit begins", "event=visit&"), ("ping", "event=ping&"),
            ("request answered", "event=request&"),
        ])
    func events(name: String, expected: String) throws {
        let text = String(decoding: try Self.payload(.sample(name), .form).body, as: UTF8.self)
        #expect(text.contains("&motion=false&\(expected)trip=3&"), "\(text)")
    }

    @Test(
        "Changes of the supply have alarms of their own.",
        arguments: [(PowerChange.supplyLost, "powerCut"), (.supplyBack, "powerRestored"), (.supplyLow, "lowPower")])
    func supply(change: PowerChange, alarm: String) throws {
        let stored = StoredRecord.sample("started")?.with { $0.content = .power(change) }
        let text = String(decoding: try Self.payload(stored, .json).body, as: UTF8.self)
        #expect(text.contains(#""location":{"alarm":"\#(alarm)","#))
    }

    @Test("Traccar does not receive waypoints, options and the condition of the tracker.")
    func kinds() {
        let carried = StoredRecord.ofEachKind.filter { Traccar().carries($0.record.record, over: .http) }
        #expect(
            Set(StoredRecord.ofEachKind.map(\.record.record.kind)).subtracting(carried.map(\.record.record.kind))
                == [.waypoint, .providerchange, .health, .optionschange, .order])
    }

    @Test(
        "Traccar's answer to a success is empty or a queued command; 400 and 404 mean an unknown device.",
        arguments: [
            (Reply(status: 200), Verdict.delivered),
            (Reply(status: 200, contentType: "text/plain", body: Array("engineStop".utf8)), .delivered),
            (Reply(status: 200, body: Array(#"{"status":"success"}"#.utf8)), .delivered),
            (
                Reply(status: 200, body: Array(#"{"error":"no"}"#.utf8)), .refused(reason: "status 200: no")
            ),
            (
                Reply(status: 200, contentType: "text/html", body: Array("<p>log in".utf8)),
                .retry(
                    reason:
                        "the answer is a web page, perhaps the log-in page of a network; if your server answers like this, set `answer: any`",
                    after: nil)
            ),
            (
                Reply(status: 400),
                .refused(reason: "status 400: perhaps the server has no device with the identifier in `device`")
            ),
            (
                Reply(status: 404),
                .retry(
                    reason: "status 404: perhaps the server has no device with the identifier in `device`", after: nil)
            ),
        ])
    func answers(reply: Reply, verdict: Verdict) { #expect(Traccar().verdict(on: reply) == verdict) }
}

struct Unexpected: Error {}
