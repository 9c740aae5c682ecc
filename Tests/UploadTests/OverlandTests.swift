import Contracts
@testable import Formats
import Quantities
import Testing
import Tracking
@testable import Upload

@Suite("The Overland format")
struct OverlandTests {
    private static func text(_ records: [StoredRecord]) throws -> String {
        let target = try UploadTarget.sample("https://track.example.net/in", "overland")
        let result = target.format.encode(records, isNewest: true, for: target.sender, over: .http)
        guard case .payload(let payload) = result else { throw Unexpected() }
        #expect(payload.contentType == "application/json")
        return String(decoding: payload.body, as: UTF8.self)
    }

    @Test(
        "Overland receives m/s and metres, in exactly these bytes; unknown is -1, but an unknown height is omitted."
    )
    func golden() throws {
        let expected = #"""
            {"locations":[{"geometry":{"coordinates":[4.889692,52.374031],"type":"Point"},"properties":{"altitude":3.2,\#
            "course":212.4,"device_id":"van1","horizontal_accuracy":5.8,"motion":["driving"],"speed":13.06,\#
            "timestamp":"2025-10-09T08:53:20Z","uuid":"0199c7a2-8c00-7a10-9d54-0d0f7d2f5a10","vertical_accuracy":9.1},\#
            "type":"Feature"},{"geometry":{"coordinates":[179.9999999,-0.5],"type":"Point"},"properties":{"course":-1,\#
            "device_id":"van1","horizontal_accuracy":-1,"motion":["stationary"],"speed":-1,\#
            "timestamp":"2025-10-09T08:53:20Z","uuid":"0199c7a2-8c00-7a10-9d54-0d0f7d2f5a11","vertical_accuracy":-1},\#
            "type":"Feature"}]}
            """#
        #expect(try Self.text([.whole, .bare]) == expected)
    }

    @Test("Overland receives points of the track, and no other events.")
    func kinds() {
        let carried = StoredRecord.ofEachKind.filter { Overland().carries($0.record.record, over: .http) }
        #expect(
            Set(carried.map(\.record.record.kind)) == [.location, .motionchange, .visit, .trip, .request, .ping])
        #expect(!Overland().carries(SampleRecords.placeless(1).record, over: .http))
    }

    @Test(
        "Only {\"result\":\"ok\"} and an empty answer are a success of Overland.",
        arguments: [
            (201, #"{"result":"ok"}"#, Verdict.delivered),
            (200, #"{"result":"ok","saved":2,"trips":0}"#, .delivered),
            (200, #"{"error":"invalid token"}"#, .refused(reason: "status 200: invalid token")),
            (200, "", .delivered),
            (200, "[]", .retry(reason: #"the answer is not {"result":"ok"}"#, after: nil)),
            (200, "OK", .retry(reason: #"the answer is not {"result":"ok"}"#, after: nil)),
            (400, "no", .refused(reason: "status 400: no")),
        ])
    func answers(status: Int, body: String, verdict: Verdict) {
        #expect(Overland().verdict(on: Reply(status: status, body: Array(body.utf8))) == verdict)
    }
}
