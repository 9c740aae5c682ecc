import Quantities
import Testing

@Suite("Durations as numbers")
struct DurationTests {
    @Test("Nanoseconds and seconds are those of the standard library's components, for spans of any length and sign.")
    func components() {
        var random = SystemRandomNumberGenerator()
        var spans: [Duration] = [
            .zero, .seconds(9), .seconds(-9), .seconds(10), .nanoseconds(-1), .seconds(Int64.max), .seconds(Int64.min),
        ]
        for shift in 0..<96 {
            let high = Int64(truncatingIfNeeded: random.next() as UInt64) >> Int64(max(0, 63 - shift))
            let low = Int64(truncatingIfNeeded: random.next() as UInt64) >> Int64(max(0, 127 - shift - 32))
            spans.append(Duration(secondsComponent: high, attosecondsComponent: low))
        }
        for span in spans {
            let (seconds, attoseconds) = span.components
            #expect(span.inSeconds == Double(seconds) + Double(attoseconds) * 1e-18)
            let exact = Int128(seconds) * 1_000_000_000 + Int128(attoseconds / 1_000_000_000)
            #expect(span.nanoseconds == Int64(clamping: exact))
        }
    }

    @Test("The longest durations, of which the standard library has no components, have finite numbers.")
    func longest() {
        for (attoseconds, sign) in [(Int128.max, 1.0), (Int128.min, -1)] {
            let span = Duration(attoseconds: attoseconds)
            #expect(abs(span.inSeconds / (sign * 170_141_183_460_469_243_904) - 1) < 1e-15)
            #expect(span.nanoseconds == (sign > 0 ? .max : .min))
        }
    }
}
