import Foundation
import Quantities
import TestSupport
import Testing
import TrackingOptions

@testable import Calendar

@Suite("A time zone")
struct TimeZoneTests {
    @Test(
        "A zone of the tz database returns the local time.",
        .enabled(if: Zones.hasFiles, "the package tzdata is not installed"),
        arguments: [
            ("Europe/Berlin", Timestamp.utc(2026, 3, 29, 0, 59), "2026-03-29T01:59:00"),
            ("Europe/Berlin", .utc(2026, 3, 29, 1, 0), "2026-03-29T03:00:00"),
            ("Europe/Berlin", .utc(2026, 10, 25, 0, 59), "2026-10-25T02:59:00"),
            ("Europe/Berlin", .utc(2026, 10, 25, 1, 0), "2026-10-25T02:00:00"),
            ("Europe/Berlin", .utc(2090, 7, 1, 12, 0), "2090-07-01T14:00:00"),
            ("Europe/Berlin", .utc(2090, 12, 31, 23, 0), "2091-01-01T00:00:00"),
            ("Europe/Berlin", .utc(1945, 6, 1, 0, 0), "1945-06-01T03:00:00"),
            ("Europe/Berlin", .utc(1890, 1, 1, 0, 0), "1890-01-01T00:53:28"),
            ("America/New_York", .utc(2026, 3, 8, 6, 59), "2026-03-08T01:59:00"),
            ("America/New_York", .utc(2026, 3, 8, 7, 0), "2026-03-08T03:00:00"),
            ("America/New_York", .utc(2026, 11, 1, 5, 59), "2026-11-01T01:59:00"),
            ("America/New_York", .utc(2026, 11, 1, 6, 0), "2026-11-01T01:00:00"),
            ("Australia/Lord_Howe", .utc(2026, 10, 3, 15, 29), "2026-10-04T01:59:00"),
            ("Australia/Lord_Howe", .utc(2026, 10, 3, 15, 30), "2026-10-04T02:30:00"),
            ("Australia/Lord_Howe", .utc(2026, 4, 4, 14, 59), "2026-04-05T01:59:00"),
            ("Australia/Lord_Howe", .utc(2026, 4, 4, 15, 0), "2026-04-05T01:30:00"),
            ("Asia/Kathmandu", .utc(2026, 1, 1, 0, 0), "2026-01-01T05:45:00"),
            ("America/Sao_Paulo", .utc(2026, 1, 1, 0, 0), "2025-12-31T21:00:00"),
            ("America/Sao_Paulo", .utc(2018, 12, 1, 0, 0), "2018-11-30T22:00:00"),
            ("Pacific/Apia", .utc(2011, 12, 30, 9, 59), "2011-12-29T23:59:00"),
            ("Pacific/Apia", .utc(2011, 12, 30, 10, 0), "2011-12-31T00:00:00"),
            ("Europe/Dublin", .utc(2050, 1, 1, 0, 0), "2050-01-01T00:00:00"),
            ("Europe/Dublin", .utc(2050, 7, 1, 0, 0), "2050-07-01T01:00:00"),
            ("Etc/UTC", .utc(2026, 7, 1, 12, 0), "2026-07-01T12:00:00"),
        ])
    func files(name: String, moment: Timestamp, clock: String) throws {
        #expect(try Zones.file(name).local(at: moment).description == clock)
    }

    @Test("A time zone returns seconds, the weekday and the offset from UTC.")
    func parts() {
        let moment = Timestamp.utc(2026, 5, 4, 20, 15) + .milliseconds(59_999)
        let time = Zones.kathmandu.local(at: moment)
        #expect(time == CivilTime(CivilDate(year: 2026, month: 5, day: 5), hour: 2, minute: 0, second: 59))
        #expect(time.date.weekday == 2)
        #expect(CivilDate(year: 1969, month: 12, day: 27).weekday == 6)
        #expect(CivilDate(year: 1969, month: 12, day: 28).weekday == 0)
        #expect(Zones.kathmandu.offset(at: moment) == .seconds(20_700))
        #expect(Zones.saoPaulo.offset(at: moment) == .seconds(-10_800))
        #expect(TimeZoneRules.utc.local(at: Timestamp(milliseconds: -1)).description == "1969-12-31T23:59:59")
    }

    @Test(
        "After the last transition, clocks change by the rule at the end of the file.",
        arguments: [
            ("UTC0", Timestamp.utc(2026, 7, 1, 0, 0), 0),
            ("<+0330>-3:30", .utc(2026, 7, 1, 0, 0), 12_600),
            ("LMT0:01:15", .utc(2026, 7, 1, 0, 0), -75),
            // `J60` is the first of March in every year. `59` without `J` counts the days from 0, and is the first of March
            // only in years without a leap day.
            ("A0B,J60/0,J61/0", .utc(2028, 2, 29, 12, 0), 0), ("A0B,J60/0,J61/0", .utc(2028, 3, 1, 12, 0), 3600),
            ("A0B,J60/0,J61/0", .utc(2026, 3, 1, 12, 0), 3600), ("A0B,J59/0,J60/0", .utc(2028, 2, 28, 12, 0), 3600),
            ("A0B,59/0,60/0", .utc(2028, 2, 29, 12, 0), 3600), ("A0B,59/0,60/0", .utc(2026, 3, 1, 12, 0), 3600),
            // The default time of a change is two o'clock. A rule states the end of summer time in summer time.
            ("A0B,J100,J200", .utc(2026, 4, 10, 1, 59), 0), ("A0B,J100,J200", .utc(2026, 4, 10, 2, 0), 3600),
            ("A0B,J100,J200", .utc(2026, 7, 19, 0, 59), 3600), ("A0B,J100,J200", .utc(2026, 7, 19, 1, 0), 0),
            // Under the first rule, summer time lasts over the new year. Under the second rule, it starts on the last
            // Thursday of December.
            ("A-10B,M10.1.0,M4.1.0/3", .utc(2026, 1, 1, 0, 0), 39_600),
            ("A-10B,M10.1.0,M4.1.0/3", .utc(2026, 7, 1, 0, 0), 36_000),
            ("A0B,M12.5.4/0,J1/0", .utc(2026, 12, 30, 12, 0), 0),
            ("A0B,M12.5.4/0,J1/0", .utc(2026, 12, 31, 12, 0), 3600),
            // The time of a change may be negative or later than 24:00, as in the rules of Nuuk and Gaza.
            ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", .utc(2026, 3, 29, 0, 59), -7200),
            ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", .utc(2026, 3, 29, 1, 0), -3600),
            ("EET-2EEST,M3.4.4/50,M10.4.4/50", .utc(2026, 3, 27, 23, 59), 7200),
            ("EET-2EEST,M3.4.4/50,M10.4.4/50", .utc(2026, 3, 28, 0, 0), 10_800),
            // By Irish law, standard time applies in summer.
            ("IST-1GMT0,M10.5.0,M3.5.0/1", .utc(2026, 1, 1, 0, 0), 0),
            ("IST-1GMT0,M10.5.0,M3.5.0/1", .utc(2026, 7, 1, 0, 0), 3600),
            // Summer time applies all year, as in an example of RFC 9636.
            ("EST5EDT,0/0,J365/25", .utc(2027, 1, 1, 4, 59), -14_400),
            ("EST5EDT,0/0,J365/25", .utc(2027, 1, 1, 5, 0), -14_400),
            ("EST5EDT4,0/0,J365/25", .utc(2026, 7, 1, 0, 0), -14_400),
        ])
    func yearlyRule(text: String, moment: Timestamp, offset: Int) throws {
        let rule = try #require(YearlyRule(text.utf8))
        let zone = TimeZoneRules(initialOffset: 0, transitions: [], rule: rule)
        #expect(zone.offset(at: moment) == .seconds(offset))
    }

    @Test(
        "A text that is not a POSIX rule is refused.",
        arguments: [
            "", "5", "EST", "EST+", "EST25", "EST5:60", "EST5x", "<>5", "<EST5", "EST5EDT", "EST5EDT,M3.2.0",
            "EST5EDT,M13.2.0,M11.1.0", "EST5EDT,M3.0.0,M11.1.0", "EST5EDT,M3.2.7,M11.1.0", "EST5EDT,M3.2,M11.1.0",
            "EST5EDT,J0,J365", "EST5EDT,J1,J366", "EST5EDT,0,366", "EST5EDT,0/168,1", "EST5EDT,0/,1", "EST5EDT,0,1,",
            "EST5EDT,00001,00002",
        ])
    func badRule(text: String) { #expect(YearlyRule(text.utf8) == nil) }
}

@Suite("A time zone file")
struct ZoneFileTests {
    /// Asia/Kathmandu from the tz database (public domain); the part with 32-bit times has 93 bytes.
    private let kathmandu: [UInt8]

    init() throws {
        let text = """
            VFppZjIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAADAAAAAwAAABCh8n2EHhgwqH////8BAgIAAE/8AAAAAE1YAAQAAFDcAApM\
            TVQAKzA1MzAAKzA1NDUAVFppZjIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAADAAAAAwAAABD/////ofJ9hAAAAAAeGDCoAAAA\
            AH////8BAgIAAE/8AAAAAE1YAAQAAFDcAApMTVQAKzA1MzAAKzA1NDUACjwrMDU0NT4tNTo0NQo=
            """
        kathmandu = [UInt8](try #require(Data(base64Encoded: text)))
    }

    @Test(
        "A zone file contains all transitions, with 64-bit times, or 32-bit times in version 1.", arguments: [2, 1])
    func history(version: Int) throws {
        let bytes = version == 2 ? kathmandu : changed(4, to: 0, of: Array(kathmandu[..<93]))
        let zone = try TimeZoneRules(zoneFile: bytes)
        #expect(zone.offset(at: .utc(1900, 1, 1, 0, 0)) == .seconds(20_476))
        #expect(zone.offset(at: .utc(1985, 12, 31, 18, 29)) == .seconds(19_800))
        #expect(zone.offset(at: .utc(1985, 12, 31, 18, 30)) == .seconds(20_700))
        #expect(zone.offset(at: .utc(2100, 1, 1, 0, 0)) == .seconds(20_700))
    }

    @Test("Without a rule at the end of the file, the last transition is final.")
    func emptyFooter() throws {
        let zone = try TimeZoneRules(zoneFile: Array(kathmandu[..<198]) + [10, 10])
        #expect(zone.offset(at: .utc(2100, 1, 1, 0, 0)) == .seconds(20_700))
    }

    @Test("A damaged zone file is refused with the cause and the remedy.")
    func damage() {
        let again = "Reinstall the package tzdata."
        let table: [(bytes: [UInt8], problem: String)] = [
            (
                Array("#!/bin/sh".utf8),
                "no time zone: it does not begin with `TZif`. Name a zone such as `Europe/Berlin`."
            ),
            ([], "ends after 0 bytes where at least 4 belong. \(again)"),
            (Array(kathmandu[..<60]), "ends after 60 bytes where at least 93 belong. \(again)"),
            (
                changed(93, to: 0, of: kathmandu),
                "no time zone: it does not begin with `TZif`. Name a zone such as `Europe/Berlin`."
            ),
            (changed(113, to: 0x80, of: kathmandu), "damaged: a count is larger than any file. \(again)"),
            (
                changed(124, to: 1, of: kathmandu),
                "counts leap seconds, which the system clock does not. Name the zone without `right/`."
            ),
            (changed(137, to: 0, of: kathmandu), "damaged: the changes of the clocks are out of order. \(again)"),
            (
                changed(161, to: 3, of: kathmandu),
                "damaged: a transition names a type that the file does not have. \(again)"
            ),
            (changed(164, to: 1, of: kathmandu), "damaged: an offset from UTC is 16797692 seconds. \(again)"),
            (changed(198, to: 0, of: kathmandu), "damaged: its last line is missing. \(again)"),
            (Array(kathmandu.dropLast()), "damaged: its last line is missing. \(again)"),
            (changed(199, to: 0x35, of: kathmandu), "damaged: its last line is `5+0545>-5:45`. \(again)"),
        ]
        for (bytes, problem) in table {
            let error = #expect(throws: TimeZoneFileError.self) { try TimeZoneRules(zoneFile: bytes) }
            #expect(error?.description == problem)
        }
    }

    @Test("A zone file that counts leap seconds is refused.")
    func typed() {
        #expect(throws: TimeZoneFileError.leapSeconds) {
            try TimeZoneRules(zoneFile: changed(124, to: 1, of: kathmandu))
        }
    }

    @Test("A zone file that ends too early is refused, wherever it ends.")
    func truncation() {
        for count in kathmandu.indices {
            #expect(throws: TimeZoneFileError.self, "\(count) bytes") {
                try TimeZoneRules(zoneFile: Array(kathmandu[..<count]))
            }
        }
    }

    @Test(
        "A zone file with changed bytes is read or refused, and a zone that was read returns an offset for any time.",
        arguments: 0..<20)
    func anyBytes(seed: Int) {
        var generator = SplitMix(seed: UInt64(seed))
        for _ in 0..<200 {
            var bytes = kathmandu
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                bytes[Int.random(in: 5..<bytes.count, using: &generator)] = UInt8(truncatingIfNeeded: generator.next())
            }
            guard let zone = try? TimeZoneRules(zoneFile: bytes) else { continue }
            for time in [Int64.min, 0, .max, Int64(bitPattern: generator.next())] {
                let offset = zone.offset(at: Timestamp(milliseconds: time))
                #expect(offset > .seconds(-25 * 3600) && offset < .seconds(26 * 3600), "seed \(seed)")
            }
        }
    }

    private func changed(_ index: Int, to byte: UInt8, of bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        bytes[index] = byte
        return bytes
    }
}
