import Calendar
import Quantities
import Testing

@Suite("Reading a moment")
struct MomentTextTests {
    private static let amsterdam = TimeZoneRules(posix: "CET-1CEST,M3.5.0,M10.5.0/3")

    private func read(_ text: String) throws -> String? {
        // 2026-03-28T23:30:00Z is 00:30 on the 29th in Amsterdam.
        let now = Timestamp(milliseconds: 1_774_740_600_000)
        return MomentText(now: now, zone: try #require(Self.amsterdam)).parse(text)?.description
    }

    @Test(
        "A moment in an everyday notation is read in the zone of the clock.",
        arguments: [
            ("now", "2026-03-28T23:30:00.000Z"), ("-10m", "2026-03-28T23:20:00.000Z"),
            ("-90", "2026-03-28T23:28:30.000Z"), ("00:10", "2026-03-28T23:10:00.000Z"),
            ("1:59:59", "2026-03-29T00:59:59.000Z"), ("12:00", "2026-03-29T10:00:00.000Z"),
            ("2026-01-31T14:05:00Z", "2026-01-31T14:05:00.000Z"), ("2026-01-31 14:05", "2026-01-31T13:05:00.000Z"),
            ("2026-07-31T14:05:07.250", "2026-07-31T12:05:07.250Z"),
            ("2026-01-31T14:05+05:30", "2026-01-31T08:35:00.000Z"),
            ("2026-01-31T22:05-05:00", "2026-02-01T03:05:00.000Z"),
        ])
    func good(text: String, moment: String) throws {
        #expect(try read(text) == moment)
    }

    @Test(
        "A text that is not a moment is read as nil.",
        arguments: [
            "", "-", "yesterday", "14", "24:00", "14:60", "14:5", "2026-02-30T10:00", "2026-13-01T10:00", "2026-01-31",
            "2026-01-31T", "2026-01-31Tx", "2026-01-31T10:00+1", "12:00:60", "12:00:nan",
        ])
    func bad(text: String) throws {
        #expect(try read(text) == nil)
    }
}
