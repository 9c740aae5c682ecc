import Foundation
import JSON
import Testing

@Suite("The reader of JSON")
struct JSONDocumentTests {
    private func document(_ text: String) -> JSONDocument? { JSONDocument(Array(text.utf8)) }

    @Test("Members, elements and scalars are read.")
    func values() throws {
        let text = #" { "a" : [1, -2.5e1, true, false, null, "x"], "b\u0041" : "\ud83d\ude90\n\"ü", "c":{} } "#
        let root = try #require(document(text)).root
        let list = try #require(root["a"]?.elements)
        #expect(list.map(\.integer) == [1, -25, nil, nil, nil, nil])
        #expect(list.map(\.double) == [1, -25, nil, nil, nil, nil])
        #expect(list.map(\.bool) == [nil, nil, true, false, nil, nil])
        #expect(list.map(\.isObject) == Array(repeating: false, count: 6) && root["c"]?.isObject == true)
        #expect(list.last?.string == "x")
        #expect(root["bA"]?.string == "🚐\n\"ü")
        #expect(root["c"]?.members?.isEmpty == true && root["d"] == nil && root["a"]?["a"] == nil)
        #expect(root.members?.map(\.key) == ["a", "bA", "c"])
    }

    @Test(
        "A text with any fault is refused as a whole.",
        arguments: [
            "", " ", "{", "[1,]", "[1 2]", "{\"a\":1,}", "{\"a\" 1}", "{a:1}", "01", "1.", ".5", "-", "+1", "1e", "tru",
            "nullx",
            "\"\u{1}\"", "\"\\x\"", "\"\\ud800\"", "\"\\udc00\"", "\"\\ud800\\n\"", "\"\\u12g4\"", "\"", "\"\\", "[1]]",
            "NaN",
            "{\"a\":1} {}",
        ])
    func faults(text: String) { #expect(document(text) == nil) }

    @Test("Bytes that are not UTF-8 are refused.")
    func notUTF8() {
        for bytes: [UInt8] in [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xE2, 0x82]] {
            #expect(JSONDocument([0x22] + bytes + [0x22]) == nil)
        }
    }

    @Test("The limits of depth and of the number of values apply.")
    func limits() {
        func nested(_ depth: Int) -> [UInt8] {
            Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
        }
        #expect(JSONDocument(nested(32)) != nil && JSONDocument(nested(33)) == nil)
        #expect(JSONDocument(nested(100_000)) == nil)
        let three = Array("[1,2]".utf8)
        #expect(
            JSONDocument(three, limits: .init(values: 3)) != nil && JSONDocument(three, limits: .init(values: 2)) == nil
        )
    }

    @Test("Numbers are the nearest values, as the standard library reads them.")
    func numbers() throws {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<20_000 {
            let value = Double(bitPattern: random.next())
            guard value.isFinite else { continue }
            let short = (Double(Int.random(in: -999_999_999...999_999_999, using: &random)) / 1e7).description
            for text in ["\(value)", short] { #expect(document(text)?.root.double == Double(text)) }
        }
        #expect(document("1e999")?.root.double == nil && document("9223372036854775808")?.root.integer == nil)
        #expect(document("9223372036854775807")?.root.integer == .max && document("2.5")?.root.integer == nil)
    }

    @Test("Of any damaged text, the reader accepts what Foundation accepts, but for a comma before a closing bracket.")
    func damaged() throws {
        let sound = Array(
            #"{"class":"TPV","mode":3,"lat":52.5,"lon":-1.3e1,"s":["a\n","ü",true,null,{}],"t":[[1]]}"#.utf8)
        var random = SystemRandomNumberGenerator()
        for _ in 0..<4_000 {
            var bytes = sound
            for _ in 0..<Int.random(in: 1...2, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.remove(at: place)
                default: bytes.insert(sound.randomElement(using: &random) ?? 0, at: place)
                }
            }
            let isAccepted = (try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)) != nil
            let text = String(decoding: bytes, as: UTF8.self)
            // Foundation accepts a comma before a closing bracket. Inside a string such a comma is no fault, so if the text
            // contains one, the reader may accept or refuse the text.
            let mayDiffer = isAccepted && text.contains(/,\s*[\]}]/)
            #expect(mayDiffer || (JSONDocument(bytes) != nil) == isAccepted, "\(text)")
        }
    }
}
