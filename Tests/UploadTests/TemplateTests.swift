import Contracts
@testable import Formats
import Foundation
import JSON
import Quantities
import Testing
import Tracking
@testable import Upload

@Suite("The template format")
struct TemplateTests {
    private func payload(_ stored: StoredRecord, path: String = "/in", body: String?, type: String) throws
        -> WirePayload
    {
        let format = try Template(path: path, body: body, contentType: type)
        let target = try UploadTarget.sample("https://track.example.net/in", format)
        guard case .payload(let payload) = format.encode([stored], isNewest: true, for: target.sender, over: .http)
        else {
            throw Unexpected()
        }
        return payload
    }

    private func body(_ stored: StoredRecord, _ body: String, _ type: String = "application/json") throws -> String {
        String(decoding: try payload(stored, body: body, type: type).body, as: UTF8.self)
    }

    private static var tagged: StoredRecord { StoredRecord.whole.with { $0.tag = "a\"b & <c> ä/?" } }

    @Test("Without a body the request is a GET, and values are percent-encoded in path and query.")
    func get() throws {
        let path =
            "/log/{device}/{tag}?lat={lat}&lon={lon:.2}&kmh={speed_kmh}&kn={speed_kn:.1}&t={time_s}&tag={tag}&moving={moving:01}"
        let payload = try payload(Self.tagged, path: path, body: nil, type: "")
        #expect(payload.method == .get && payload.body.isEmpty)
        let tag = "a%22b%20%26%20%3Cc%3E%20%C3%A4%2F%3F"
        #expect(
            payload.path == """
                /log/van1/\(tag)?lat=52.374031&lon=4.89&kmh=47.02&kn=25.4&t=1760000000&tag=\(tag)&moving=1
                """)
    }

    @Test("In a JSON body, a placeholder becomes a JSON value, or a part of the string if it is in quotes.")
    func json() throws {
        let text = try body(
            Self.tagged,
            #"{"p": [{lat}, {lon:.3}], "tag": {tag}, "text": "{device}: {tag} \"{", "on": {ignition}, "alt": "{altitude_msl_m}"}"#
        )
        #expect(
            text == #"""
                {"p": [52.374031, 4.890], "tag": "a\"b & <c> ä/?", "text": "van1: a\"b & <c> ä/? \"{", "on": null, "alt": "3.2"}
                """#)
        #expect(JSONValue(json: text) != nil)
    }

    @Test(
        "Values are escaped for forms and XML, and inserted unchanged into plain text.",
        arguments: [
            ("application/x-www-form-urlencoded", "t={tag}", "t=a%22b%20%26%20%3Cc%3E%20%C3%A4%2F%3F"),
            ("application/xml", "<t>{tag}</t>", "<t>a&quot;b &amp; &lt;c&gt; ä/?</t>"),
            (
                "text/plain; charset=utf-8", "{time} {tag} {{tag} {} {1}",
                "2025-10-09T08:53:20.000Z a\"b & <c> ä/? {tag} {} {1}"
            ),
        ])
    func escaping(type: String, template: String, expected: String) throws {
        #expect(try body(Self.tagged, template, type) == expected)
        #expect(try payload(Self.tagged, body: template, type: type).contentType == type)
    }

    @Test("An unknown value is empty or null, or the default that the template states.")
    func unknown() throws {
        #expect(
            try body(.bare, "{speed_kmh},{speed_kmh|0},{tag|no tag},{course_deg:.0|-}", "text/plain") == ",0,no tag,-")
        #expect(
            try body(.bare, #"{"v": {speed_kmh}, "w": {speed_kmh|-1}, "t": {tag|none}, "s": "{tag|-}"}"#)
                == #"{"v": null, "w": -1, "t": "none", "s": "-"}"#)
    }

    @Test("A template converts 13.06 m/s to 47.02 km/h, 25.39 knots and 29.21 mph.")
    func units() throws {
        let text = try body(
            .whole, "{speed_mps} {speed_kmh} {speed_kn} {speed_mph} {odometer_m} {odometer_km}", "text/plain")
        #expect(text == "13.06 47.02 25.39 29.21 18342700 18342.7")
    }

    @Test("Templates write small, negative and large numbers without an exponent.")
    func numbers() throws {
        let small = try #require(Coordinate(latitude: -0.0000001, longitude: -179.5))
        let stored = StoredRecord.bare.with { $0.position = Position(coordinate: small) }
        #expect(try body(stored, "{lat} {lon} {lat:.3} {lon:.0}", "text/plain") == "-0.0000001 -179.5 0.000 -180")
    }

    @Test(
        "An unusable template is refused with the remedy.",
        arguments: [
            ("/?a={latt}", nil, "`{latt}` is not a placeholder. Did you mean `{lat}`?"),
            (
                "/?a={lat:6}", nil,
                "`{lat:6}` has an unknown style. Write `{lat:.6}` for six decimals, or `{lat:01}` for 0 or 1."
            ),
            (
                "/", #"{"lat": {lat}, }"#,
                "`body` is not JSON after the values are inserted. Check its quotes, commas and brackets."
            ),
        ] as [(String, String?, String)])
    func refused(path: String, body: String?, message: String) {
        #expect { try Template(path: path, body: body, contentType: "application/json") } throws: {
            "\($0)".hasPrefix(message)
        }
    }

    @Test("A template that does not mention the kind receives only points of the track.")
    func kinds() throws {
        func kinds(_ path: String) throws -> Set<Record.Kind> {
            let format = try Template(path: path, body: nil, contentType: "")
            return Set(
                StoredRecord.ofEachKind.map(\.record.record).filter { format.carries($0, over: .http) }.map(\.kind))
        }
        #expect(try kinds("/?lat={lat}") == [.location, .motionchange, .visit, .trip, .request, .ping])
        #expect(try kinds("/?k={kind}&lat={lat}") == Set(Record.Kind.allCases))
        let placed = try Template(path: "/?k={kind}&lat={lat}", body: nil, contentType: "")
        #expect(!placed.carries(SampleRecords.placeless(1).record, over: .http))
        let other = try Template(path: "/?k={kind}", body: nil, contentType: "")
        #expect(other.carries(SampleRecords.placeless(1).record, over: .http))
    }

    @Test(
        "`{event}` states what a record about a trip, a visit or the motion reports.",
        arguments: [
            ("trip begins", "trip started"), ("trip ends", "trip ended"), ("visit begins", "visit started"),
            ("visit ends", "visit ended"), ("area left", "transition leave"), ("location", "location "),
        ])
    func event(sample: String, expected: String) throws {
        let stored = try #require(StoredRecord.sample(sample))
        #expect(try path("/{kind}%20{event}", stored) == "/" + expected.replacing(" ", with: "%20"))
    }

    @Test("`{event}` distinguishes a departure from an arrival, and `{trigger}` states what caused a record.")
    func motion() throws {
        var record = SampleRecords.placeless(1).record
        record.content = .motionchange
        for (isMoving, trigger, expected) in [
            (true, nil, "/departed/"), (false, nil, "/arrived/"), (true, .movedUnseen, "/moved/movedUnseen"),
        ]
            as [(Bool, Record.Trigger?, String)]
        {
            (record.isMoving, record.trigger) = (isMoving, trigger)
            let stored = StoredRecord(sequence: 1, uuid: "u", created: record.time, record: record)
            #expect(try path("/{event}/{trigger}", stored) == expected)
        }
    }

    private func path(_ template: String, _ stored: StoredRecord) throws -> String? {
        let target = try UploadTarget.sample("https://track.example.net/", "template")
        let format = try Template(path: template, body: nil, contentType: "")
        guard case .payload(let payload) = format.encode([stored], isNewest: true, for: target.sender, over: .http)
        else {
            return nil
        }
        return payload.path
    }

    @Test("A template with `{event}` reports that times were wrong, and one for track points does not.")
    func wrongTimes() throws {
        let stored = try #require(StoredRecord.sample("sent times wrong"))
        let target = try UploadTarget.sample("https://track.example.net/", "template")
        let events = try Template(path: "/?k={kind}&e={event}&n={sequence}", body: nil, contentType: "")
        #expect(events.carries(stored.record, over: .http))
        guard case .payload(let payload) = events.encode([stored], isNewest: true, for: target.sender, over: .http)
        else {
            Issue.record("The template encodes nothing."); return
        }
        #expect(payload.path == "/?k=health&e=sentTimesWrong&n=9")
        let track = try Template(path: "/?lat={lat}&lon={lon}", body: nil, contentType: "")
        #expect(!track.carries(stored.record, over: .http))
    }

    @Test(
        "Each success is accepted, except a web page and an error.",
        arguments: [
            ("", "text/html", true), ("OK 1 saved", "text/html", true), ("1", "", true),
            (" <!doctype html>", "text/html", false), ("\u{FEFF}\r\n<html>", "text/plain", false),
            (#"/* login */ top.location="http://login.hotel/";"#, "application/javascript", false),
            ("\u{FEFF}", "text/html", true), ("3 locations saved.", "text/html", true),
            (#"{"error":"no such key"}"#, "application/json", false),
        ])
    func answers(body: String, type: String, isAccepted: Bool) {
        let verdict = Template().verdict(on: Reply(status: 200, contentType: type, body: Array(body.utf8)))
        #expect((verdict == .delivered) == isAccepted)
    }

    @Test("docs/formats.md describes every placeholder.")
    func documented() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let text = try String(contentsOf: root.appendingPathComponent("docs/formats.md"), encoding: .utf8)
        for placeholder in Placeholder.all { #expect(text.contains("`\(placeholder.name)`"), "\(placeholder.name)") }
    }
}

@Suite("The answer that an owner expects")
struct AnswerRuleTests {
    private static func verdict(_ rule: AnswerRule, _ body: String, status: Int = 200, type: String = "") throws
        -> Verdict
    {
        let target = try UploadTarget(
            name: "home", url: "https://track.example.net/in", format: "owntracks", user: "fleet", device: "van1",
            answer: rule)
        return target.format.verdict(
            on: Reply(status: status, contentType: type, body: Array(body.utf8)), by: target.answer)
    }

    @Test(
        "An answer that follows the rule is a success, whatever the format expects.",
        arguments: [
            (AnswerRule.any, "<html>", true), (.contains("saved"), "1 row saved.", true),
            (.contains("saved"), "OK", false),
            (.matches("^OK( |$)"), "OK 7", true), (.matches("^OK( |$)"), "NOT OK", false),
            (.field(path: ["result"], value: "ok"), #"{"result":"ok"}"#, true),
            (.field(path: ["meta", "code"], value: "200"), #"{"meta":{"code":200}}"#, true),
            (.field(path: ["done"], value: "true"), #"{"done":false}"#, false),
            (.field(path: ["result"], value: "ok"), "[]", false),
        ])
    func rules(rule: AnswerRule, body: String, isDelivered: Bool) throws {
        #expect((try Self.verdict(rule, body) == .delivered) == isDelivered)
    }

    @Test("An unexpected answer is a refusal with the reason, except a web page, which may be a log-in page.")
    func reasons() throws {
        let rule = AnswerRule.field(path: ["meta", "code"], value: "200")
        #expect(
            try Self.verdict(rule, #"{"meta":{"code":500}}"#)
                == .refused(reason: "status 200: the answer has `meta.code`: `500`"))
        #expect(try Self.verdict(rule, "{}") == .refused(reason: "status 200: the answer has no `meta.code`"))
        #expect(
            try Self.verdict(.contains("OK"), "<html>", type: "text/html")
                == .retry(reason: "the answer does not contain `OK`", after: nil))
        #expect(
            try Self.verdict(.matches("O+K"), "no") == .refused(reason: "status 200: the answer does not match `O+K`"))
    }

    @Test("A rule for the answer does not turn a failure into a success.")
    func failures() throws {
        #expect(
            try Self.verdict(.any, "", status: 500)
                == .retry(reason: "the server answers with status 500", after: nil))
        #expect(try Self.verdict(.any, "", status: 400) == .refused(reason: "status 400"))
    }
}
