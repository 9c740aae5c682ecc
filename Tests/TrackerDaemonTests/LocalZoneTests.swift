import Calendar
import Quantities
import Testing

@testable import Configuration

@Suite("The zone of this process")
struct LocalZoneTests {
    private static let summer = Timestamp(year: 2026, month: 7, day: 1)

    @Test(
        "TZ may contain a rule or a zone, or be empty, and an unreadable TZ means UTC.",
        arguments: [("CET-1CEST,M3.5.0,M10.5.0/3", 7200), ("<+0545>-5:45", 20_700), ("", 0), ("nowhere", 0)])
    func variable(name: String, offset: Int) {
        #expect(ZoneFiles().current(name).offset(at: Self.summer) == .seconds(offset))
    }

    @Test("A colon before the zone's name in TZ has no effect.")
    func colon() {
        #expect(ZoneFiles().current(":UTC") == ZoneFiles().current("UTC"))
    }

    @Test("Without TZ and without a zone of the computer, the zone is UTC.")
    func missing() {
        #expect(ZoneFiles(local: "/nonexistent/localtime").current(nil) == .utc)
    }
}
