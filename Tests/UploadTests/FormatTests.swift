import Contracts
@testable import Formats
import Quantities
import Testing
import Tracking
import TrackingOptions
@testable import Upload

@Suite("The OwnTracks format")
struct OwnTracksTests {
    private let target: UploadTarget

    init() throws { target = try .sample("https://track.example.net/pub", "owntracks") }

    @Test("OwnTracks over HTTP encodes all known values, in exactly these bytes.")
    func wholeOverHTTP() throws {
        let payload = try #require(packed(.whole, over: .http))
        let expected = #"""
            {"_id":"0199c7a2-8c00-7a10-9d54-0d0f7d2f5a10","_type":"location","acc":6,"alt":3,"cog":212,\#
            "created_at":1760000002,"lat":52.374031,"lon":4.889692,"motion":true,"odometer":18342.7,\#
            "tid":"V1","topic":"owntracks/fleet/van1","tst":1760000000,"vac":9,"vel":47}
            """#
        #expect(String(decoding: payload.body, as: UTF8.self) == expected)
        #expect(payload.contentType == "application/json")
        #expect(payload.headers == [WirePayload.Header("X-Limit-U", "fleet"), WirePayload.Header("X-Limit-D", "van1")])
    }

    @Test(
        "OwnTracks over MQTT omits the topic from the message, and only the newest location is retained.",
        arguments: [true, false])
    func wholeOverMQTT(isNewest: Bool) throws {
        let payload = try #require(packed(.whole, over: .mqtt, isNewest: isNewest))
        #expect(!String(decoding: payload.body, as: UTF8.self).contains("topic"))
        #expect(payload.topic == "owntracks/fleet/van1")
        #expect(payload.retain == isNewest)
    }

    @Test("OwnTracks omits unknown values.")
    func bare() throws {
        let payload = try #require(packed(.bare, over: .mqtt))
        let expected = #"""
            {"_id":"0199c7a2-8c00-7a10-9d54-0d0f7d2f5a11","_type":"location","lat":-0.5,"lon":179.9999999,\#
            "motion":false,"odometer":0,"tid":"V1","tst":1760000000}
            """#
        #expect(String(decoding: payload.body, as: UTF8.self) == expected)
    }

    @Test("OwnTracks withholds a record without a place.")
    func placeless() {
        let result = target.format.encode([SampleRecords.placeless(1)], isNewest: true, for: target.sender, over: .http)
        #expect(result == .withheld)
    }

    @Test("OwnTracks' will is a message of type `lwt`, and is not retained.")
    func will() throws {
        let time = Timestamp(milliseconds: 1_760_000_000_999)
        let will = try #require(target.format.will(for: target.sender, connectedAt: time))
        #expect(String(decoding: will.body, as: UTF8.self) == #"{"_type":"lwt","tst":1760000000}"#)
        #expect(will.topic == "owntracks/fleet/van1")
        #expect(!will.retain)
    }

    @Test("OwnTracks states speed in whole km/h.", arguments: [(13.06, 47), (0, 0), (0.1, 0), (27.7, 100)])
    func speed(metresPerSecond: Double, kilometresAnHour: Int) throws {
        var stored = StoredRecord.whole
        stored = stored.with { $0.position?.speed = MetresPerSecond(metresPerSecond) }
        let text = String(decoding: try #require(packed(stored, over: .mqtt)).body, as: UTF8.self)
        #expect(text.contains("\"vel\":\(kilometresAnHour)}"))
    }

    @Test("OwnTracks states 0° for a course that rounds to 360°, and an accuracy of at least 1 m.")
    func edges() throws {
        let stored = StoredRecord.whole.with {
            $0.position?.course = Degrees(359.7)
            $0.position?.accuracy = Metres(0.2)
        }
        let text = String(decoding: try #require(packed(stored, over: .mqtt)).body, as: UTF8.self)
        #expect(text.contains("\"cog\":0,"))
        #expect(text.contains("\"acc\":1,"))
    }

    @Test("A record with an infinite number cannot be encoded.")
    func infinite() {
        let stored = StoredRecord.whole.with { $0.odometer = Metres(.infinity) }
        let result = target.format.encode([stored], isNewest: true, for: target.sender, over: .http)
        #expect(result == .impossible(reason: "a number in the record is not finite"))
    }

    @Test(
        "OwnTracks states the odometer in kilometres, to the metre.",
        arguments: [(12_345.6789, "12.346"), (0.4, "0"), (0.5, "0.001"), (1_500, "1.5"), (18_342_700, "18342.7")])
    func odometer(metres: Double, expected: String) {
        let stored = StoredRecord.bare.with { $0.odometer = Metres(metres) }
        guard
            case .payload(let message) = target.format.encode([stored], isNewest: true, for: target.sender, over: .mqtt)
        else {
            Issue.record("The record was withheld.")
            return
        }
        #expect(String(decoding: message.body, as: UTF8.self).contains(#""odometer":\#(expected),"#))
    }

    private func packed(_ stored: StoredRecord, over kind: TransportKind, isNewest: Bool = false) -> WirePayload? {
        let result = target.format.encode([stored], isNewest: isNewest, for: target.sender, over: kind)
        guard case .payload(let payload) = result else { return nil }
        return payload
    }
}

@Suite("The GeoJSON format")
struct GeoJSONTests {
    private let target: UploadTarget

    init() throws { target = try .sample("https://track.example.net/in", "geojson") }

    @Test("GeoJSON encodes complete records, with and without a place, in exactly these bytes.")
    func golden() throws {
        let records = [StoredRecord.whole, SampleRecords.placeless(2)]
        let result = target.format.encode(records, isNewest: true, for: target.sender, over: .http)
        guard case .payload(let payload) = result else { throw Unexpected() }
        let expected = #"""
            {"features":[{"geometry":{"coordinates":[4.889692,52.374031,46.1],"type":"Point"},"properties":{\#
            "accuracy_m":5.8,"altitude_msl_m":3.2,"course_deg":212.4,\#
            "created":"2025-10-09T08:53:22.250Z","device":"van1","kind":"motionchange","moving":true,\#
            "odometer_m":18342700,"satellites":9,"sequence":7,"speed_mps":13.06,"time":"2025-10-09T08:53:20.000Z",\#
            "timeTrusted":true,"trip":3,"uuid":"0199c7a2-8c00-7a10-9d54-0d0f7d2f5a10","vertical_accuracy_m":9.1},\#
            "type":"Feature"},{"geometry":null,"properties":{"device":"van1",\#
            "kind":"location","moving":true,"odometer_m":2,"sequence":2,"time":"2025-10-09T08:53:22.000Z",\#
            "timeTrusted":true,"trip":1,"uuid":"0199c000-0000-7000-8000-000000000002"},"type":"Feature"}],\#
            "schemaVersion":1,"type":"FeatureCollection"}
            """#
        #expect(String(decoding: payload.body, as: UTF8.self) == expected)
        #expect(payload.contentType == "application/geo+json")
    }

    @Test(
        "GeoJSON states when a record was written, unless that was less than two seconds after the record's time.",
        arguments: [(0, false), (1999, false), (2000, true), (-1, true), (-3_600_000, true)])
    func created(late: Int64, isStated: Bool) {
        let time = StoredRecord.whole.record.time
        let stored = StoredRecord(
            sequence: 7, uuid: StoredRecord.whole.uuid, created: Timestamp(milliseconds: time.milliseconds + late),
            record: StoredRecord.whole.record)
        let feature = GeoJSON.feature(of: stored, device: "van1").map { String(decoding: $0, as: UTF8.self) }
        #expect(feature?.contains(#""created":"\#(stored.created)""#) == isStated)
        #expect(feature?.contains("created") == isStated)
    }

    private struct Unexpected: Error {}
}

@Suite("Every format")
struct EveryFormatTests {
    @Test("A format encodes a record in the same bytes each time.", arguments: FormatCatalogue.all.map(\.name))
    func deterministic(name: String) throws {
        let kind = try #require(FormatCatalogue.format(named: name)?.transports.first)
        let target = try UploadTarget.sample(
            kind == .mqtt ? "mqtts://track.example.net" : "https://track.example.net/in", name)
        let first = target.format.encode([.whole], isNewest: false, for: target.sender, over: kind)
        for _ in 0..<20 {
            #expect(target.format.encode([.whole], isNewest: false, for: target.sender, over: kind) == first)
        }
    }

    @Test(
        "The status and the body of an answer determine the verdict.",
        arguments: [
            (Reply(status: 200, body: Array("[]".utf8)), Verdict.delivered),
            (Reply(status: 204), .delivered),
            (Reply(status: 201, body: Array(" {\"ok\":[1,2]}\n".utf8)), .delivered),
            (Reply(status: 200, contentType: "application/octet-stream"), .delivered),
            (Reply(status: 204, contentType: "text/html"), .delivered),
            (Reply(status: 200, body: Array(#"{"error":null,"result":"ok","errors":[]}"#.utf8)), .delivered),
            (Reply(status: 200, body: Array(#"{"done":1,"friends":[]}"#.utf8)), .delivered),
            (Reply(status: 200, contentType: "text/html", body: Array("OK\n".utf8)), .delivered),
            (Reply(status: 200, body: Array("\"ok\"".utf8)), .delivered),
            (
                Reply(status: 200, body: Array(#"{"done":2,"friends":[]}"#.utf8)),
                .refused(reason: #"status 200: {"done":2,"friends":[]}"#)
            ),
            (
                Reply(status: 200, body: Array(#"{"error":"invalid\u0007 token"}"#.utf8)),
                .refused(reason: "status 200: invalid\\u{7} token")
            ),
            (
                Reply(status: 200, body: Array(#"{"error":{"code":3}}"#.utf8)),
                .refused(reason: #"status 200: {"error":{"code":3}}"#)
            ),
            (
                Reply(status: 200, body: Array(#"{"success":false,"message":"please log in"}"#.utf8)),
                .refused(reason: "status 200: please log in")
            ),
            (
                Reply(status: 200, body: Array(#""no""#.utf8)),
                .retry(
                    reason:
                        #"the answer does not come from a server of this format: "no"; if your server answers like this, set `answer: any`"#,
                    after: nil)
            ),
            (
                Reply(status: 200, contentType: "text/html", body: Array("<html>log in</html>".utf8)),
                .retry(
                    reason: "the answer is a web page, perhaps the log-in page of a network\(Self.remedy)", after: nil)
            ),
            (
                Reply(status: 200, body: Array("[{\"_type\":".utf8)),
                .retry(reason: "the answer does not come from a server of this format\(Self.remedy)", after: nil)
            ),
            (
                Reply(status: 302),
                .retry(reason: "the server redirects (status 302) but states no address", after: nil)
            ),
            (
                Reply(status: 308, location: "https://new.example/pub?key=hunter2"),
                .retry(
                    reason:
                        "the server redirects to https://new.example/pub (status 308); write that address into `url`",
                    after: nil)
            ),
            (
                Reply(
                    status: 400, contentType: "text/html",
                    body: Array("<h1>400</h1>The plain HTTP request was sent to HTTPS port".utf8)),
                .retry(reason: "the server expects TLS on this port; write `https://` in `url`", after: nil)
            ),
            (
                Reply(
                    status: 400, contentType: "text/html",
                    body: Array("<h1>No required SSL certificate was sent</h1>".utf8)),
                .retry(
                    reason: "the server needs a client certificate; set `certificateFile` and `keyFile`", after: nil)
            ),
            (Reply(status: 400, body: Array("no\r\n such key".utf8)), .refused(reason: "status 400: no such key")),
            (
                Reply(status: 413, contentType: "text/html", body: Array("<h1>".utf8)),
                .refused(
                    reason:
                        "status 413; the request is larger than the server or its proxy allows: raise their limit, or lower `batchSize`"
                )
            ),
            (
                // The answer of nginx to HTTP on a TLS port.
                Reply(
                    status: 400, contentType: "text/html",
                    body: Array(
                        "<html>\r\n<head><title>400 The plain HTTP request was sent to HTTPS port</title></head>".utf8)),
                .retry(reason: "the server expects TLS on this port; write `https://` in `url`", after: nil)
            ),
            (
                Reply(status: 400, body: Array("Client sent an HTTP request to an HTTPS server.\n".utf8)),
                .retry(reason: "the server expects TLS on this port; write `https://` in `url`", after: nil)
            ),
            (
                Reply(
                    status: 400, contentType: "text/html",
                    body: Array("<title>400 No required SSL certificate was sent</title>".utf8)),
                .retry(
                    reason: "the server needs a client certificate; set `certificateFile` and `keyFile`", after: nil)
            ),
            (
                Reply(status: 403, contentType: "text/html", body: Array("<title>403 Forbidden</title>".utf8)),
                .unauthorised(
                    reason:
                        "the server or a firewall forbids this user to send here (status 403: 403 Forbidden)")
            ),
            (Reply(status: 422), .refused(reason: "status 422")),
            (
                Reply(status: 401),
                .unauthorised(reason: "the server rejects the credentials (status 401)")
            ),
            (
                Reply(status: 429, retryAfter: .seconds(120)),
                .retry(reason: "the server is too busy (status 429)", after: .seconds(120))
            ),
            (
                Reply(status: 503, retryAfter: .seconds(7)),
                .retry(reason: "the server is too busy (status 503)", after: .seconds(7))
            ),
            (Reply(status: 500), .retry(reason: "the server answers with status 500", after: nil)),
            (
                Reply(status: 404),
                .refused(
                    reason: "status 404; check the path of `url`, such as `/pub` for an OwnTracks Recorder")
            ),
            (
                Reply(status: 405),
                .retry(
                    reason:
                        "the server accepts no uploads at this path (status 405); check the path of `url`, such as `/pub` for an OwnTracks Recorder",
                    after: nil)
            ),
        ])
    func judges(reply: Reply, verdict: Verdict) {
        for format in [OwnTracks(), GeoJSON()] as [any UploadFormat] {
            #expect(format.verdict(on: reply) == verdict)
        }
    }

    private static let remedy = "; if your server answers like this, set `answer: any`"

    @Test(
        "A script that returns nothing accepts the records, whatever the type of its empty answer.",
        arguments: ["", "\r\n\r\n", "\u{FEFF}", "null", " null\n", "OK"],
        ["", "text/html; charset=utf-8", "application/json", "text/plain"])
    func blank(body: String, type: String) {
        for format in FormatCatalogue.all where format.transports.contains(.http) {
            guard body != "OK" || format.name != "overland" else { continue }
            let reply = Reply(status: 200, contentType: type, body: Array(body.utf8))
            #expect(format.verdict(on: reply) == .delivered, "\(format.name)")
        }
    }

    @Test(
        "A log-in page is no success, whatever stands before it and whatever its type.",
        arguments: [
            ("<html><title>Welcome", "text/html"), ("\r\n<!DOCTYPE html><html>", ""),
            ("\u{FEFF}<!DOCTYPE html><html>", "text/plain"), ("<!-- portal -->\n<html>", "text/plain"),
            ("// portal\n<html>", ""), (#"window.location="http://login.hotel/";"#, "application/javascript"),
            (#"top.location = "http://login.hotel/""#, "text/plain"), ("var a = 1", "text/javascript"),
        ])
    func page(body: String, type: String) {
        for format in FormatCatalogue.all where format.transports.contains(.http) {
            let reply = Reply(status: 200, contentType: type, body: Array(body.utf8))
            guard case .retry = format.verdict(on: reply) else {
                Issue.record("\(format.name) accepts \(body)")
                continue
            }
        }
    }
}
