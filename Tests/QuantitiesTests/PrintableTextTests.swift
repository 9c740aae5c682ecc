import Quantities
import Testing

@Suite("Printable text")
struct PrintableTextTests {
    @Test(
        "Characters that could control a terminal or forge a line are printed as escapes.",
        arguments: [
            ("\u{1B}]0;owned\u{7}", "\\u{1b}]0;owned\\u{7}"),
            ("depot\nodometer 999999 km", "depot\\u{a}odometer 999999 km"),
            ("depot\r\nx", "depot\\u{d}\\u{a}x"),
            ("<0>kernel\u{2028}panic", "<0>kernel\\u{2028}panic"),
            ("a\u{9B}31mred", "a\\u{9b}31mred"),
            ("cba\u{202E}abc", "cba\\u{202e}abc"),
            ("zero\u{200B}width", "zero\\u{200b}width"),
            ("nul\u{0}", "nul\\u{0}"),
        ] as [(String, String)])
    func escapes(text: String, shown: String) { #expect(text.printable() == shown) }

    @Test("Ordinary text is printed unchanged.", arguments: ["Möbelhaus", "家", "Straße 5 (Hof)", "e\u{301}", "🚐", ""])
    func keeps(text: String) { #expect(text.printable() == text) }

    @Test("A text is cut at its limit, and the cut is marked.")
    func bounded() {
        #expect(String(repeating: "a", count: 300).printable() == String(repeating: "a", count: 256) + "…")
        #expect("abcd".printable(limit: 4) == "abcd")
        #expect("abcde".printable(limit: 4) == "abcd…")
    }

    @Test(
        "A text with control characters for a terminal or with a forged line is not a valid name.",
        arguments: [
            "\u{1B}c", "a\nb", "\u{9B}31m", "a\u{85}b", "a\u{2028}b", "cba\u{202E}abc", "\u{200F}", "\u{2067}x",
        ])
    func noName(text: String) throws { #expect(try #require(text.nameFault).hasPrefix("contains a control character")) }

    @Test(
        "A name may be in any script, with joined letters and emoji.",
        arguments: ["Möbelhaus 3", "می\u{200C}خواهم", "👩\u{200D}🔧", "a|1|2", ""])
    func name(text: String) { #expect(text.nameFault == nil) }

    @Test("A name has at most 256 bytes.")
    func longName() {
        #expect(String(repeating: "é", count: 128).nameFault == nil)
        #expect((String(repeating: "é", count: 128) + "e").nameFault == "is longer than 256 bytes")
    }

    @Test("A long run of combining marks is cut.")
    func combining() {
        #expect(("a" + String(repeating: "\u{301}", count: 500)).printable().unicodeScalars.count == 8)
    }
}
