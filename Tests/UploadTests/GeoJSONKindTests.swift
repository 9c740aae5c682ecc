import Contracts
@testable import Formats
import Foundation
import JSON
import Quantities
import Testing
import Tracking
import TrackingOptions
@testable import Upload

@Suite("The kinds of records in GeoJSON")
struct GeoJSONKindTests {
    private let target: UploadTarget

    init() throws { target = try .sample("https://track.example.net/in", "geojson") }

    private func body(_ records: [StoredRecord]) -> [UInt8] {
        guard
            case .payload(let payload) = target.format.encode(records, isNewest: true, for: target.sender, over: .http)
        else {
            return []
        }
        return payload.body
    }

    @Test("GeoJSON follows the published schema for every kind, without further members.")
    func schema() throws {
        let check = try SchemaCheck()
        let records = StoredRecord.ofEachKind.map(\.record) + [.whole, .bare, SampleRecords.placeless(2)]
        #expect(try check.violations(body(records)) == [])
        #expect(Set(records.map(\.record.kind)) == Set(Record.Kind.allCases))
    }

    @Test(
        "The schema check finds members and values that the schema does not allow.",
        arguments: [
            (#""kind":"ping""#, #""kind":"pong""#), (#""moving":false"#, #""moving":0"#),
            (#""sequence":9"#, #""sequence":0"#), (#""driver":"ann","#, #""driver":"ann","pilot":"ann","#),
            (#""took_s":4.2"#, #""took_s":"4.2""#), (#""direction":"leave""#, #""direction":"left""#),
            (#""payload":{"state":"silent"},"#, ""), (#""lasted_s":60"#, #""lasted_s":60,"sure":true"#),
        ])
    func strict(written: String, wrong: String) throws {
        let text = String(decoding: body(StoredRecord.ofEachKind.map(\.record)), as: UTF8.self)
        try #require(text.contains(written))
        let other = text.replacing(written, with: wrong, maxReplacements: 1)
        #expect(try SchemaCheck().violations(Array(other.utf8)).count >= 1)
    }

    @Test(
        "GeoJSON encodes the fields of each kind.",
        arguments: [
            ("location", nil), ("motionchange", nil), ("ping", nil),
            ("visit begins", #"{"arrived":"2025-10-09T08:53:20.000Z"}"#),
            ("visit ends", #"{"arrived":"2025-10-09T08:53:20.000Z","departed":"2025-10-09T08:54:00.000Z"}"#),
            (
                "area left",
                """
                {"defined":"2025-08-12T12:00:00.000Z","direction":"leave","inside_s":90.5,\
                "region":{"id":"a1b2c3","name":"Depot"},"text":"Depot","trigger":"area"}
                """
            ),
            (
                "beacon entered",
                """
                {"defined":"2025-08-12T12:00:00.000Z","direction":"enter",\
                "region":{"id":"a1b2c3","name":"a1b2c3"},"trigger":"beacon"}
                """
            ),
            (
                "waypoint",
                """
                {"defined":"2025-08-12T12:00:00.000Z","id":"a1b2c3","place":{"lat":52.37,"lon":4.88},"radius_m":120,\
                "text":"Depot"}
                """
            ),
            (
                "waypoint of a beacon",
                """
                {"beacon":{"major":1,"uuid":"6d1f2a90-4c3e-4b7a-9e55-0a1b2c3d4e5f"},\
                "defined":"2025-08-12T12:00:00.000Z","text":""}
                """
            ),
            ("trip begins", #"{"externalId":"T-7","metadata":{"load":"bricks"}}"#),
            (
                "trip ends",
                """
                {"summary":{"distance_m":12345.68,"end":{"lat":52.371204,"lon":4.886011},\
                "ended":"2025-10-09T08:54:00.000Z","idle_s":140,"moving_s":900,"records":240,\
                "start":{"lat":52.3,"lon":4.8},"started":"2025-10-09T08:36:40.000Z","stops":2,"topSpeed_mps":27.7,\
                "withoutFix_s":30}}
                """
            ),
            (
                "request answered",
                #"{"action":{"actionId":"5","actionLog":"asked by ann","actionType":"check"},"took_s":4.2}"#
            ),
            ("request failed", #"{"failure":"no fix within 120 s","took_s":120}"#),
            ("receiver silent", #"{"state":"silent"}"#),
            ("started", #"{"board":"pi4","boots":12,"change":"started","version":"0.1.0"}"#),
            ("shutdown", #"{"change":"shutdown"}"#), ("ignition on", #"{"change":"ignitionOn"}"#),
            ("accelerometer lost", #"{"change":"accelerometerLost","reason":"no chip answers"}"#),
            (
                "sent times wrong",
                """
                {"change":"sentTimesWrong","correction":{"bootFrom":"1970-01-01T00:00:01.000Z",\
                "bootTo":"2025-10-09T08:53:21.500Z","first":3,"last":8,"records":5,"shift_s":1760000000.5}}
                """
            ),
            ("options changed", #"{"keys":["distanceFilter"],"origin":"mode"}"#),
            ("options refused", #"{"keys":[],"origin":"home","refusal":"`distanceFilter` is -1"}"#),
            ("harsh braking", #"{"event":"braking","lasted_s":1.25,"peak_mps2":4.32}"#),
            ("tow", #"{"event":"tow","lasted_s":60}"#),
        ] as [(String, String?)])
    func payload(name: String, payload: String?) throws {
        let text = String(decoding: body([StoredRecord.sample(name)].compactMap { $0 }), as: UTF8.self)
        let rest = text.split(separator: #""payload":"#, maxSplits: 1).dropFirst().first
        #expect(rest.map { $0.hasPrefix((payload ?? "") + ",") } == payload.map { _ in true })
    }

    @Test("GeoJSON, its schema, formats.md and OwnTracks' status contain each change of the tracker's health.")
    func health() throws {
        let table = try String(contentsOf: SchemaCheck.docs.appendingPathComponent("formats.md"), encoding: .utf8)
        let target = try UploadTarget.sample("https://track.example.net/pub", OwnTracks(sendsStatus: true))
        for change in HealthChange.allCases {
            let stored = try #require(StoredRecord.sample("accelerometer lost")).with {
                $0.content = .health(HealthReport(change, reason: "words"))
            }
            #expect(try SchemaCheck().violations(body([stored])) == [], "\(change)")
            #expect(table.contains("`\(change)`"), "\(change)")
            let health = #"{"change":"\#(change)","reason":"words"}"#
            #expect(String(decoding: body([stored]), as: UTF8.self).contains(#""payload":"# + health))
            guard
                case .payload(let status) = target.format.encode(
                    [stored], isNewest: true, for: target.sender, over: .mqtt)
            else {
                Issue.record("OwnTracks does not send \(change).")
                continue
            }
            #expect(String(decoding: status.body, as: UTF8.self).contains(#""linux":{"health":"# + health))
        }
    }

    @Test("GeoJSON states what requested a point of the track.")
    func trigger() throws {
        let stored = try #require(StoredRecord.sample("location")).with { $0.trigger = .follow }
        #expect(String(decoding: body([stored]), as: UTF8.self).contains(#","trigger":"follow","#))
        #expect(try SchemaCheck().violations(body([stored])) == [])
    }

    @Test("GeoJSON encodes ignition, battery voltage, and the source of the position.")
    func conditions() throws {
        let stored = try #require(StoredRecord.sample("location")).with {
            ($0.ignition, $0.supply) = (false, Volts(12.444))
            $0.position?.solution = .simulated
        }
        let text = String(decoding: body([stored]), as: UTF8.self)
        #expect(text.contains(#""ignition":false,"#) && text.contains(#""supply_V":12.44,"#))
        #expect(text.contains(#""solution":"simulated","#))
        #expect(try SchemaCheck().violations(body([stored])) == [])
    }

    @Test("GeoJSON encodes the tag, the vehicle, the driver and the regions.")
    func common() throws {
        let text = String(decoding: body([StoredRecord.sample("location")].compactMap { $0 }), as: UTF8.self)
        #expect(text.contains(#""driver":"ann","kind":"location","#))
        #expect(text.contains(#""regions":[{"id":"a1b2c3","name":"Depot"},{"id":"d4","name":"City"}],"#))
        #expect(text.contains(#""tag":"night","#))
        #expect(text.contains(#""vehicle":"van1"}"#))
    }

    @Test("A feature has the keys in the order of their bytes, each key once.")
    func canonical() throws {
        let body = body(StoredRecord.ofEachKind.map(\.record) + [.whole, .bare])
        // A decoded object has each key once, and is written with its keys sorted.
        let value = try #require(JSONValue(json: String(decoding: body, as: UTF8.self)))
        #expect(value.encoded == body)
    }
}
