import Contracts
import Foundation
import Peers
import Quantities
import TestSupport
import Testing
import Tracking

@testable import Upload

@Suite("The columns format")
struct ColumnsTests {
    @Test(
        "Columns contain the differences between numbers, and features in full if a record is no row, in exactly these bytes."
    )
    func golden() throws {
        let later = StoredRecord.whole.with {
            $0.time = $0.time + .seconds(20)
            $0.odometer = Metres(18_343_000)
            $0.position?.speed = nil
        }
        let expected = #"""
            {"columns":{"1":{"created_ms":[2250,-20000,18650],"satellites":[9,0,null],"sequence":[7,0,1],\#
            "time_ms":[1760000000000,20000,-20000],"uuid_ms":[-9059530,0,1350]},"10":{"course_deg":[2124,0,null]},\#
            "100":{"accuracy_m":[580,0,null],"geoid_m":[4290,0,null],"height_m":[4610,0,null],\#
            "odometer_m":[1834270000,30000,-1834300000],"speed_mps":[1306,null,null],"vertical_accuracy_m":[910,0,null]},\#
            "10000000":{"lat":[523740310,0,-528740310],"lon":[48896920,0,1751103079]}},"device":"van1",\#
            "runs":[{"count":2,"properties":{"kind":"motionchange","moving":true,"timeTrusted":true,"trip":3}},\#
            {"count":1,"properties":{"kind":"location","moving":false,"timeTrusted":false}}],\#
            "uuid":"a109d540d0f7d2f5a10a109d540d0f7d2f5a10a109d540d0f7d2f5a11","version":1,\#
            "whole":[{"feature":{"geometry":null,"properties":{"device":"van1","kind":"location","moving":true,\#
            "odometer_m":2,"sequence":2,"time":"2025-10-09T08:53:22.000Z","timeTrusted":true,"trip":1,\#
            "uuid":"0199c000-0000-7000-8000-000000000002"},"type":"Feature"},"index":1}]}
            """#
        let payload = try Self.payload([.whole, SampleRecords.placeless(2), later, .bare])
        #expect(String(decoding: payload.body, as: UTF8.self) == expected)
        #expect(payload.contentType == "application/json")
    }

    @Test("Each kind of record, and each record that is no row, is decoded to the feature that GeoJSON sends.")
    func kinds() throws {
        var records =
            StoredRecord.ofEachKind.map(\.record) + [.whole, .bare, SampleRecords.placeless(2)] + Self.unusual
        try expectSame(records)
        records.reverse()
        try expectSame(records)
        try expectSame(records, batch: 1)
    }

    @Test("The records of random lives are decoded to the features that GeoJSON sends.", arguments: 1...4)
    func lives(seed: Int) throws {
        var life = EventfulLife(seed: seed)
        life.live(steps: 1200)
        let records = life.steps.enumerated().map { index, step in
            // Half of the records were written before the clock was corrected by an hour.
            let created = step.record.time + .milliseconds(index % 3 * 1000 + 187)
            return StoredRecord(
                sequence: Int64(index + 1), uuid: Self.uuid(index, at: created + .seconds(index % 2 * 3600)),
                created: created, record: step.record)
        }
        try expectSame(records, batch: 60)
    }

    @Test("A batch follows the published schema, without further members.")
    func schema() throws {
        let check = try SchemaCheck("columns")
        let records =
            StoredRecord.ofEachKind.map(\.record) + [.whole, .bare, SampleRecords.placeless(2)] + Self.unusual
        #expect(try check.violations(Self.payload(records).body) == [])
        #expect(try check.violations(Self.payload([.whole]).body) == [])
        let text = String(decoding: try Self.payload([.whole]).body, as: UTF8.self)
        for (written, wrong) in [(#""version":1"#, #""version":2"#), ("\"lat\":[", "\"latitude\":["), ("[9]", "[9.5]")]
        {
            let other = text.replacing(written, with: wrong, maxReplacements: 1)
            #expect(other != text)
            #expect(try check.violations(Array(other.utf8)).count >= 1, "\(wrong)")
        }
    }

    @Test("The batch in docs/formats.md follows the published schema, and is decoded to two features.")
    func example() throws {
        let page = try String(contentsOf: SchemaCheck.docs.appendingPathComponent("formats.md"), encoding: .utf8)
        let section = try #require(page.components(separatedBy: "\n## columns\n").dropFirst().first)
        let block = try #require(section.components(separatedBy: "```json\n").dropFirst().first)
        let text = try #require(block.components(separatedBy: "```").first).replacing("\n", with: " ")
        #expect(try SchemaCheck("columns").violations(Array(text.utf8)) == [])
        let features = try #require(try ColumnsReader.features(of: [text]).first)
        #expect(features.count == 2)
        let collection =
            #"{"features":[\#(features.joined(separator: ","))],"schemaVersion":1,"type":"FeatureCollection"}"#
        #expect(try SchemaCheck().violations(Array(collection.utf8)) == [])
        for part in [
            #""altitude_msl_m":3.08"#, #""odometer_m":18342852.84"#, #""course_deg":211.1"#,
            #""time":"2025-10-09T08:53:32.000Z""#,
            #""uuid":"0199c82c-f38f-7c43-9a1f-4e6b2a70d95b""#, "[4.8908954,52.3731439,45.98]",
        ] { #expect(features[1].contains(part), "\(part) in \(features[1])") }
    }

    @Test("Without the key `compress`, columns are compressed from the first request on.")
    func compression() {
        #expect(Columns().usualCompression == .gzip)
        #expect(GeoJSON().usualCompression == .offered)
    }

    /// Records that the columns cannot express, and records that need the rarer members.
    private static let unusual: [StoredRecord] = {
        let wrongYear = StoredRecord.whole.with { $0.time = Timestamp(milliseconds: -1) }
        let distantYear = StoredRecord.whole.with { $0.time = Timestamp(milliseconds: 253_402_300_800_000) }
        let far = StoredRecord.whole.with { $0.odometer = Metres(1e15) }
        let sky = StoredRecord.whole.with { $0.position?.satellites = .max }
        let seaLevel = StoredRecord.whole.with { $0.position?.ellipsoidAltitude = nil }
        let ellipsoid = StoredRecord.whole.with { $0.position?.altitude = nil }
        let measured = StoredRecord.whole.with {
            ($0.ignition, $0.supply, $0.trigger) = (false, Volts(12.444), .follow)
            $0.position?.solution = .deadReckoning
            $0.position?.course = Degrees(359.97)
        }
        let quoted = StoredRecord.whole.with {
            ($0.tag, $0.driver) = ("\"night\" \\ \n\u{7}", "Zoë Ω🚐")
            $0.regions = [RegionName(id: "", name: "a/b")]
        }
        let texts = ["7", "0199C7A2-8C00-7A10-9D54-0D0F7D2F5A10", "0199c7a2-8c00-4a10-9d54-0d0f7d2f5a10"]
        return [wrongYear, distantYear, far, sky, seaLevel, ellipsoid, measured, quoted]
            + texts.map {
                StoredRecord(sequence: 9, uuid: $0, created: .init(milliseconds: 5), record: StoredRecord.whole.record)
            }
            + [0, 1999, 2000, -1].map { late in
                let time = StoredRecord.whole.record.time
                return StoredRecord(
                    sequence: 10, uuid: uuid(10, at: time), created: time + .milliseconds(late),
                    record: StoredRecord.whole.record)
            }
    }()

    private static func uuid(_ number: Int, at time: Timestamp) -> String {
        let digits = padded(time.milliseconds < 0 ? "0" : String(time.milliseconds, radix: 16), 12)
        return "\(digits.prefix(8))-\(digits.suffix(4))-7\(padded(String(number, radix: 16), 3))-9d54-0d0f7d2f5a10"
    }

    private static func padded(_ digits: String, _ width: Int) -> String {
        String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    private func expectSame(_ records: [StoredRecord], batch: Int = 1000) throws {
        let batches = stride(from: 0, to: records.count, by: batch).map {
            Array(records[$0..<min(records.count, $0 + batch)])
        }
        let bodies = try batches.map { String(decoding: try Self.payload($0).body, as: UTF8.self) }
        let collections = try batches.map { String(decoding: try Self.payload($0, "geojson").body, as: UTF8.self) }
        let decoded = try ColumnsReader.features(of: bodies).flatMap { $0 }
        let expected = collections.flatMap { ColumnsReader.features(in: $0) }
        #expect(expected.count == records.count)
        #expect(decoded.count == expected.count)
        for (feature, other) in zip(decoded, expected) { #expect(feature == other) }
    }

    private static func payload(_ records: [StoredRecord], _ format: String = "columns") throws -> WirePayload {
        let target = try UploadTarget.sample("https://track.example.net/in", format)
        guard case .payload(let payload) = target.format.encode(records, isNewest: true, for: target, over: .http)
        else {
            throw Unexpected()
        }
        return payload
    }
}
