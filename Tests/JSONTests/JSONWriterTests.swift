import Foundation
import Testing

@testable import JSON

@Suite("The JSON writer")
struct JSONWriterTests {
    @Test("A rounded number has the text that Foundation's encoder writes for it.", arguments: [0, 1, 2, 7])
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
            let rounded = number.rounded(decimals: decimals)
            #expect(writer.bytes == (try reference(rounded)), "\(number)")
            #expect(writer.bytes == JSONValue.number(rounded).encoded, "\(number)")
        }
    }

    @Test("A number that is not finite cannot be written.", arguments: [Double.nan, .infinity, 1e308])
    func notFinite(number: Double) {
        var writer = JSONWriter()
        #expect(throws: (any Error).self) { try writer.write(number, decimals: 7) }
    }

    @Test("A value with a number that is not finite has no text.", arguments: [Double.nan, .infinity])
    func valueNotFinite(number: Double) {
        #expect(JSONValue.object(["a": .list([.number(number)])]).encoded == nil)
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
        try writer.write(JSONValue.object(["k": .integer(1)]))
        writer.endList()
        #expect(String(decoding: writer.bytes, as: UTF8.self) == #"[{"a:":"{,","b":[]},{},null,"\"",{"k":1}]"#)
    }

    @Test("Random values are written in the bytes of Foundation's encoder, and read again.")
    func random() throws {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<2_000 {
            let value = JSONValue.random(depth: 3, using: &generator)
            let bytes = try #require(value.encoded)
            #expect(bytes == (try reference(value)))
            let read = try #require(JSONValue(json: String(decoding: bytes, as: UTF8.self)))
            let again = try #require(read.encoded)
            #expect(JSONValue(json: String(decoding: again, as: UTF8.self)) == read)
        }
    }

    @Test("Keys are written in the order of their bytes, even if they begin with the same eight bytes.")
    func keyOrder() throws {
        let names = ["verticalB", "vertical", "verticalAccuracy", "vertica", "verticalÄ", "Vertical"]
        let members = zip(names, 1...).map { ($0, JSONValue.integer($1)) }
        let value = JSONValue.object(Dictionary(uniqueKeysWithValues: members))
        let text = #"{"Vertical":6,"vertica":4,"vertical":2,"verticalAccuracy":3,"verticalB":1,"verticalÄ":5}"#
        #expect(String(decoding: try #require(value.encoded), as: UTF8.self) == text)
        #expect(value.encoded == (try reference(value)))
    }

    private func reference(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return [UInt8](try encoder.encode(value))
    }
}

extension JSONValue {
    /// The value may be a list or an object only if `depth` is above 0.
    fileprivate static func random(depth: Int, using generator: inout some RandomNumberGenerator) -> JSONValue {
        switch Int.random(in: depth > 0 ? 0..<8 : 2..<8, using: &generator) {
        case 0:
            .list(
                (0..<Int.random(in: 0..<5, using: &generator)).map { _ in random(depth: depth - 1, using: &generator) })
        case 1:
            .object(
                Dictionary(
                    (0..<Int.random(in: 0..<5, using: &generator)).map { _ in
                        (word(&generator), random(depth: depth - 1, using: &generator))
                    }
                ) { $1 })
        case 2: .null
        case 3: .flag(Bool.random(using: &generator))
        case 4: .integer(Int64.random(in: .min ... .max, using: &generator))
        case 5: .number((Double.random(in: -1000...1000, using: &generator) * 100).rounded() / 100)
        case 6:
            .number(
                Double.random(in: -1...1, using: &generator)
                    * ([1e-9, 1e3, 1e20].randomElement(using: &generator) ?? 1))
        default: .text(word(&generator))
        }
    }

    private static func word(_ generator: inout some RandomNumberGenerator) -> String {
        let letters = Array("abcÄ漢🚐\u{7}\"\\/\n\t\u{1f}\u{7f} 09_")
        let set = Bool.random(using: &generator) ? Array("abcxyz_09 ") : letters
        let length = Int.random(in: 0..<20, using: &generator)
        return String((0..<length).compactMap { _ in set.randomElement(using: &generator) })
    }
}
