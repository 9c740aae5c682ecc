import Testing

@testable import Recordings

@Suite("Decimal numbers in recordings")
struct DecimalNumberTests {
    @Test(
        "A number is parsed to the nearest Double in each notation.",
        arguments: [
            ("0", 0.0), ("-0.0767", -0.0767), ("9.7748", 9.7748), ("40.0406966", 40.0406966), ("7", 7), (".5", 0.5),
            ("-75.223783", -75.223783), ("5.", 5), ("0.1", 0.1), ("123456789012345", 123_456_789_012_345),
            ("1234567890.1234567", 1_234_567_890.1234567), ("1e-3", 0.001), ("+2.5", 2.5), ("  3", 3),
            ("0.000000000000000000000000123", 1.23e-25), ("4.35", 4.35), ("2.675", 2.675),
        ])
    func written(text: String, value: Double) {
        #expect(number(text) == value)
    }

    @Test("Negative zero keeps its sign.")
    func negativeZero() {
        #expect(number("-0.0")?.sign == .minus)
    }

    @Test("Text that is not a number becomes nil.", arguments: ["", ".", "-", "1.2.3", "1-2", "x", "1x", "1 2", "--1"])
    func none(text: String) {
        #expect(number(text) == nil)
    }

    @Test("The fast path returns the same result as the standard library.")
    func likeTheLibrary() {
        var state: UInt64 = 20_261_121
        for _ in 0..<20_000 {
            // Knuth's multiplier for congruential generators.
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let digits = String(state >> 14)
            let point = Int(state >> 60) % digits.count
            let text = "\(digits.prefix(digits.count - point)).\(digits.suffix(point))"
            #expect(number(text) == Double(text), "\(text)")
        }
    }

    /// Reads the number between other numbers, as in a row of a recording.
    private func number(_ text: String) -> Double? {
        DecimalNumber.value(of: Array("7,\(text),8".utf8), in: 2..<(2 + text.utf8.count))
    }
}
