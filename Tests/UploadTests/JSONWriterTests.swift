import Contracts
import Foundation
import QuickJSON
import Testing
import Tracking

@testable import Upload

@Suite("The JSON writer")
struct JSONWriterTests {
    @Test("A rounded number has the text that `QuickEncoder` writes for it.", arguments: [0, 1, 2, 7])
    func decimals(decimals: Int) throws {
        var generator = SystemRandomNumberGenerator()
        let edges = [
            0, -0.0, 0.5, -0.5, 0.004, 0.005, -0.004, 0.05, 0.000_05, -0.000_05, 0.000_1, 0.000_09, 9.999_999_99,
            0.1 + 0.2, 100,
            -1, 1e7, 1e8, 1e14, 1e15, 123_456_789_012_345, 1e16, 1e22, 1e300, .leastNonzeroMagnitude, -1e-9,
            179.999_999_96, 52.374_031,
        ]
        let scales = [1e-6, 1e-3, 1, 180, 1e5, 1e9]
        let random = (0..<5000).map { index in
            Double.random(in: -1...1, using: &generator) * scales[index % scales.count]
        }
        for number in edges + random {
            var writer = JSONWriter()
            try writer.write(number, decimals: decimals)
            let expected = try QuickEncoder.encode([number.rounded(decimals: decimals)]).dropFirst().dropLast()
            #expect(writer.bytes == Array(expected), "\(number)")
        }
    }

    @Test("A number that is not finite cannot be written.", arguments: [Double.nan, .infinity, 1e308])
    func notFinite(number: Double) {
        var writer = JSONWriter()
        #expect(throws: (any Error).self) { try writer.write(number, decimals: 7) }
    }

    @Test("Integers have all their digits.", arguments: [0, 7, -7, 10, 1_000_000, .max, .min] as [Int64])
    func integers(number: Int64) {
        var writer = JSONWriter()
        writer.write(number)
        #expect(String(decoding: writer.bytes, as: UTF8.self) == "\(number)")
    }

    @Test("Commas are between members and between values only.")
    func commas() throws {
        var writer = JSONWriter()
        writer.beginList()
        for flag in [true, false] {
            writer.beginObject()
            if flag {
                writer.write(key: "a:")
                writer.write("{,")
                writer.write(key: "b")
                writer.beginList()
                writer.endList()
            }
            writer.endObject()
        }
        writer.writeNull()
        writer.write("\"")
        try writer.write(encoding: ["k": 1])
        writer.endList()
        #expect(String(decoding: writer.bytes, as: UTF8.self) == #"[{"a:":"{,","b":[]},{},null,"\"",{"k":1}]"#)
    }

    @Test("A feature has the keys in the order of their bytes, each key once.")
    func canonical() throws {
        let target = try UploadTarget.sample("https://track.example.net/in", GeoJSON())
        let records = StoredRecord.ofEachKind.map(\.record) + [.whole, .bare]
        guard case .payload(let payload) = GeoJSON().encode(records, isNewest: true, for: target, over: .http) else {
            throw Unexpected()
        }
        // A decoded object has each key once, and `QuickEncoder` sorts the keys.
        let value = try #require(JSONValue(json: String(decoding: payload.body, as: UTF8.self)))
        #expect(JSONBytes.encode(value) == payload.body)
    }
}
