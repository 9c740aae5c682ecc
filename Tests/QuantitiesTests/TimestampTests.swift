import Quantities
import Testing

@Suite("Timestamps")
struct TimestampTests {
    @Test(
        "A timestamp is written in ISO 8601.",
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (1_760_000_000_250, "2025-10-09T08:53:20.250Z"), (4_107_542_399_999, "2100-02-28T23:59:59.999Z"),
            (4_107_542_400_000, "2100-03-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
            (327_416_976_550_011, "12345-06-07T08:09:10.011Z"),
        ])
    func iso(milliseconds: Int64, text: String) {
        #expect(Timestamp(milliseconds: milliseconds).description == text)
    }

    @Test("A timestamp can be made from a date.")
    func day() {
        #expect(Timestamp(year: 2020, month: 1, day: 1).milliseconds == 1_577_836_800_000)
    }

    @Test("A timestamp can be moved by a duration.")
    func arithmetic() {
        let start = Timestamp(milliseconds: 1000)
        #expect(start + .milliseconds(1500) == Timestamp(milliseconds: 2500))
        #expect(start - .seconds(2) == Timestamp(milliseconds: -1000))
        #expect(start - Timestamp(milliseconds: 4000) == .seconds(-3))
        #expect(Timestamp(milliseconds: -1).seconds == -1)
    }

    @Test(
        "The latest possible timestamp is written without a crash.",
        arguments: [Int64.min, Int64.min + 1, -1, 0, Int64.max - 1, Int64.max])
    func endOfTime(milliseconds: Int64) {
        let time = Timestamp(milliseconds: milliseconds)
        #expect(time.description.hasSuffix("Z") && time.description.contains("T"))
        for span in [Duration.seconds(Int64.max), .zero, .seconds(Int64.min + 1)] {
            #expect(!(time + span).description.isEmpty && !(time - span).description.isEmpty)
        }
        #expect(time - Timestamp(milliseconds: .min) >= .zero)
    }
}

@Suite("Instants")
struct InstantTests {
    @Test("A span has at most a hundred years, so that a wrong number never overflows; no number is no span.")
    func longestSpan() {
        for seconds in [4e9, 1e300, .infinity] {
            #expect(Duration(inSeconds: seconds) == .seconds(36_525 * 86_400))
            #expect(Duration(inSeconds: -seconds) == .seconds(-36_525 * 86_400))
        }
        #expect(Duration(inSeconds: .nan) == .zero)
        #expect(Duration(inSeconds: 3e9) == .seconds(3_000_000_000))
    }

    @Test("An instant is exact to the nanosecond after arithmetic.")
    func arithmetic() {
        let start = Instant(seconds: 12.5)
        #expect(start.nanoseconds == 12_500_000_000)
        #expect(start + .milliseconds(1) - start == .milliseconds(1))
        #expect((Duration.milliseconds(1500)).inSeconds == 1.5)
        #expect(Duration(inSeconds: 0.25) == .milliseconds(250))
    }
}
