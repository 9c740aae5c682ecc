import Calendar
import Quantities
import Testing

@Suite("ISO 8601")
struct ISO8601Tests {
    @Test(
        "A moment with an offset is read.",
        arguments: [
            ("2026-05-04T07:30:00Z", "2026-05-04T07:30:00.000Z"), ("2026-05-04t07:30:00z", "2026-05-04T07:30:00.000Z"),
            ("2026-05-04 07:30Z", "2026-05-04T07:30:00.000Z"), ("2026-05-04T07:30:00.25Z", "2026-05-04T07:30:00.250Z"),
            ("2026-05-04T07:30:00,25Z", "2026-05-04T07:30:00.250Z"),
            ("2026-05-04T07:30:00.999600000000Z", "2026-05-04T07:30:01.000Z"),
            ("2026-05-04T09:30:00+02:00", "2026-05-04T07:30:00.000Z"),
            ("2026-05-04T09:30:00+0200", "2026-05-04T07:30:00.000Z"),
            ("2026-05-04T09:30:00+02", "2026-05-04T07:30:00.000Z"),
            ("2026-05-04T00:30:00-07:00", "2026-05-04T07:30:00.000Z"),
            ("2016-12-31T23:59:60Z", "2017-01-01T00:00:00.000Z"),
        ])
    func moment(text: String, moment: String) {
        #expect(ISO8601(text)?.timestamp()?.description == moment)
    }

    @Test("A moment without an offset needs a zone.")
    func local() throws {
        let moment = try #require(ISO8601("2026-07-31T14:05"))
        #expect(moment.offset == nil && moment.timestamp() == nil)
        let zone = try #require(TimeZoneRules(posix: "CET-1CEST,M3.5.0,M10.5.0/3"))
        #expect(moment.timestamp(in: zone)?.description == "2026-07-31T12:05:00.000Z")
    }

    @Test("A date without a time is a day, not a moment.")
    func date() throws {
        let day = try #require(ISO8601("2026-02-28"))
        #expect(day.date == CivilDate(year: 2026, month: 2, day: 28))
        #expect(day.time == nil && day.timestamp(in: .utc) == nil)
    }

    @Test(
        "A text in another form, or with an impossible day or time, is refused.",
        arguments: [
            "", "T", "2026", "2026-02-29", "2026-04-31", "2026-13-01", "2026-00-01", "2026-1-1", "2026-01-01T",
            "2026-01-01TZ", "2026-01-01T24:00Z", "2026-01-01T10:60Z", "2026-01-01T10:00:60Z", "2026-01-01T10:00:00.Z",
            "2026-01-01T10:00+1", "2026-01-01T10:00+02:", "2026-01-01T10:00Zulu", "2026-01-01T10:00:0xZ", " 2026-01-01",
        ])
    func refused(text: String) {
        #expect(ISO8601(text) == nil)
    }
}
