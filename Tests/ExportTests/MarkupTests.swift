import Testing

@testable import Export

@Suite("Markup of a report")
struct MarkupTests {
    @Test(
        "A text from outside can neither begin an element nor end an attribute, and hides no character.",
        arguments: [
            ("Depot & Söhne", "Depot &amp; Söhne"),
            ("</script><script>alert(1)</script>", "&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;"),
            ("\"><img onerror=x>", "&quot;&gt;&lt;img onerror=x&gt;"),
            ("' onload='x", "&#39; onload=&#39;x"),
            ("a\u{202e}b", "a\\u{202e}b"), ("a\u{2028}b\u{0}\n", "a\\u{2028}b\\u{0}\\u{a}"),
            ("&lt;", "&amp;lt;"),
        ])
    func escape(text: String, escaped: String) {
        #expect(Markup.escaped(text) == escaped)
        #expect(("<b title=\"\(text)\">\(text)</b>" as Markup).text == "<b title=\"\(escaped)\">\(escaped)</b>")
    }

    @Test("A very long text is cut off.")
    func long() {
        let escaped = Markup.escaped(String(repeating: "<", count: 10_000))
        #expect(escaped == String(repeating: "&lt;", count: 300) + "…")
    }

    @Test("Markup within markup is not escaped again, and numbers have at most two decimals.")
    func parts() {
        let inner: Markup = "<i>\("<")</i>"
        #expect(("<b>\(inner)\(1.23456)\(7)\(Double.nan)</b>" as Markup).text == "<b><i>&lt;</i>1.2370</b>")
    }

    @Test("The data of a path in a drawing contain only commands and numbers.")
    func path() {
        #expect(("\(path: "M1.5 -2L3 4Z\"/><script>")" as Markup).text == "M1.5 -2L3 4Zscript")
    }
}
