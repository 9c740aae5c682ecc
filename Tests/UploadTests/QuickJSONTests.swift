import Foundation
import QuickJSON
import Testing
import Tracking

@testable import Upload

@Suite("The quick JSON encoder")
struct QuickJSONTests {
    @Test("A record of every kind is encoded in the bytes of Foundation's encoder.")
    func records() throws {
        for stored in StoredRecord.ofEachKind.map(\.record) + [.whole, .bare] {
            let bytes = try QuickEncoder.encode(stored.record)
            #expect(bytes == (try reference(stored.record)))
        }
    }

    @Test("Random values are encoded in the bytes of Foundation's encoder.")
    func random() throws {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<2_000 {
            let value = Tree(depth: 3, using: &generator)
            let bytes = try QuickEncoder.encode(value)
            #expect(bytes == (try reference(value)))
        }
    }

    @Test("Keys are encoded in the order of their bytes, even if they begin with the same eight bytes.")
    func keyOrder() throws {
        let values = [
            "verticalB": 1, "vertical": 2, "verticalAccuracy": 3, "vertica": 4, "verticalÄ": 5, "Vertical": 6,
        ]
        let bytes = try QuickEncoder.encode(values)
        let text = #"{"Vertical":6,"vertica":4,"vertical":2,"verticalAccuracy":3,"verticalB":1,"verticalÄ":5}"#
        #expect(String(decoding: bytes, as: UTF8.self) == text)
        #expect(bytes == (try reference(values)))
    }

    @Test("If a value encodes a key twice, the last value counts, even if the key has more than eight bytes.")
    func repeatedKey() throws {
        let bytes = try QuickEncoder.encode(RepeatedKey())
        #expect(String(decoding: bytes, as: UTF8.self) == #"{"verticalAccuracy":2,"verticalError":3}"#)
        #expect(bytes == (try reference(RepeatedKey())))
    }

    @Test("A number that is not finite cannot be encoded.", arguments: [Double.nan, .infinity])
    func notFinite(number: Double) {
        #expect(throws: (any Error).self) { try QuickEncoder.encode(["a": number]) }
    }

    private func reference(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return [UInt8](try encoder.encode(value))
    }
}

/// A value that encodes one of its keys twice.
private struct RepeatedKey: Encodable {
    enum CodingKeys: CodingKey { case verticalAccuracy, verticalError }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(1, forKey: .verticalAccuracy)
        try container.encode(3, forKey: .verticalError)
        try container.encode(2, forKey: .verticalAccuracy)
    }
}

/// A value with all kinds of parts.
private struct Tree: Codable, Equatable {
    enum Choice: Codable, Equatable { case none, some(Int), pair(text: String, flag: Bool) }

    var text: String
    var longNameOfAText_m: String?
    var number: Double
    var single: Float
    var count: Int64
    var byte: UInt8
    var flag: Bool
    var choice: Choice
    var numbers: [Double]
    var texts: [String: String]
    var children: [Tree]

    init(depth: Int, using generator: inout some RandomNumberGenerator) {
        let letters = Array("abcÄ漢🚐\u{7}\"\\/\n\t\u{1f}\u{7f} 09_")
        func word(_ generator: inout some RandomNumberGenerator) -> String {
            let isPlain = Bool.random(using: &generator)
            let set = isPlain ? Array("abcxyz_09 ") : letters
            return String(
                (0..<Int.random(in: 0..<20, using: &generator)).compactMap { _ in set.randomElement(using: &generator) }
            )
        }
        text = word(&generator)
        longNameOfAText_m = Bool.random(using: &generator) ? word(&generator) : nil
        let scales: [Double] = [1e-9, 1, 1e3, 1e20]
        let scale = scales.randomElement(using: &generator) ?? 1
        number = (Double.random(in: -1000...1000, using: &generator) * scale * 100).rounded() / 100
        single = Float.random(in: -1...1, using: &generator)
        count = Int64.random(in: .min ... .max, using: &generator)
        byte = UInt8.random(in: 0...255, using: &generator)
        flag = Bool.random(using: &generator)
        choice =
            [.none, .some(Int(byte)), .pair(text: word(&generator), flag: flag)].randomElement(using: &generator)
            ?? .none
        numbers = [0, -1, Double(byte), number]
        texts = [word(&generator) + "!": "a", "k": word(&generator)]
        let count = depth > 0 ? Int(byte) % 3 : 0
        children = (0..<count).map { _ in Tree(depth: depth - 1, using: &generator) }
    }
}
