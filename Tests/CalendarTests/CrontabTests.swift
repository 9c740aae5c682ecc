import Foundation
import Quantities
import Testing
import TrackingOptions

@testable import Calendar

@Suite("A crontab line")
struct CrontabTests {
    // 2026-05-04 was a Monday.
    @Test(
        "A crontab line matches the minutes that it names.",
        arguments: [
            ("* * * * *", 4, 0, 0, true),
            ("30 * * * *", 4, 7, 30, true), ("30 * * * *", 4, 7, 31, false),
            ("0,15,45 7 * * *", 4, 7, 45, true), ("0,15,45 7 * * *", 4, 7, 30, false),
            ("10-12 * * * *", 4, 1, 12, true), ("10-12 * * * *", 4, 1, 13, false),
            ("*/20 * * * *", 4, 1, 40, true), ("*/20 * * * *", 4, 1, 59, false),
            ("10-30/10 * * * *", 4, 1, 30, true), ("10-30/10 * * * *", 4, 1, 40, false),
            ("50/5 * * * *", 4, 1, 55, true), ("50/5 * * * *", 4, 1, 5, false),
            ("0-9,*/30 * * * *", 4, 1, 30, true), ("0-9,*/30 * * * *", 4, 1, 9, true),
            ("* 22-23,0-5 * * *", 4, 23, 59, true), ("* 22-23,0-5 * * *", 4, 6, 0, false),
            ("* * 4 * *", 4, 1, 1, true), ("* * 5 * *", 4, 1, 1, false),
            ("* * * 5 *", 4, 1, 1, true), ("* * * 6-12 *", 4, 1, 1, false),
            ("* * * may *", 4, 1, 1, true), ("* * * JAN-Apr *", 4, 1, 1, false),
            ("* * * * MON", 4, 1, 1, true), ("* * * * tue-sat", 4, 1, 1, false), ("* * * * tue-sat", 9, 1, 1, true),
            ("* * * * 0", 10, 1, 1, true), ("* * * * 7", 10, 1, 1, true), ("* * * * 7", 9, 1, 1, false),
            ("* * * * FRI-SUN", 10, 1, 1, true), ("* * * * FRI-SUN", 4, 1, 1, false),
            ("* * * * 5-7", 8, 1, 1, true), ("* * * * 7-1", 4, 1, 1, true), ("* * * * 7-1", 5, 1, 1, false),
            ("\t0  0\t*  * * ", 4, 0, 0, true),
        ])
    func matches(text: String, day: Int, hour: Int, minute: Int, isMatch: Bool) throws {
        let crontab = try #require(Crontab(text), "\(Crontab.problem(in: text) ?? "")")
        let time = CivilTime(CivilDate(year: 2026, month: 5, day: day), hour: hour, minute: minute)
        #expect(crontab.matches(time) == isMatch)
    }

    @Test("Trckr's example line means Monday to Friday from 10:00 until 20:59.")
    func trckr() throws {
        let crontab = try #require(Crontab("* 10-20 * * 1,2,3,4,5"))
        let monday = CivilDate(year: 2026, month: 5, day: 4)
        #expect(!crontab.matches(CivilTime(monday, hour: 9, minute: 59)))
        #expect(crontab.matches(CivilTime(monday, hour: 10, minute: 0)))
        #expect(crontab.matches(CivilTime(monday, hour: 20, minute: 59)))
        #expect(!crontab.matches(CivilTime(monday, hour: 21, minute: 0)))
        #expect(crontab.matches(CivilTime(CivilDate(year: 2026, month: 5, day: 8), hour: 12)))
        #expect(!crontab.matches(CivilTime(CivilDate(year: 2026, month: 5, day: 9), hour: 12)))
    }

    @Test(
        "A crontab line with weekdays and days of the month matches either; otherwise both fields must match.",
        arguments: [
            ("* * 13 * FRI", 13, true), ("* * 13 * FRI", 8, true), ("* * 13 * FRI", 12, false),
            ("* * */13 * FRI", 1, true), ("* * */13 * FRI", 14, false), ("* * */13 * FRI", 8, false),
            ("* * 13 * *", 8, false), ("* * * * FRI", 13, false),
        ])
    func days(text: String, day: Int, isMatch: Bool) throws {
        let crontab = try #require(Crontab(text))
        #expect(crontab.matches(CivilTime(CivilDate(year: 2026, month: 5, day: day), hour: 1)) == isMatch)
    }

    @Test(
        "A wrong crontab line is refused with the field and the remedy.",
        arguments: [
            (
                "",
                "0 fields where five belong: minutes, hours, days of the month, months, days of the week. "
                    + "Write `*` for each that does not matter."
            ),
            (
                "@daily",
                "1 field where five belong: minutes, hours, days of the month, months, days of the week. "
                    + "Write `*` for each that does not matter."
            ),
            (
                "0 * * * * *",
                "6 fields where five belong: minutes, hours, days of the month, months, "
                    + "days of the week. Write `*` for each that does not matter."
            ),
            ("60 * * * *", "minutes: `60` does not fit. Write a number from 0 to 59."),
            ("* 24 * * *", "hours: `24` does not fit. Write a number from 0 to 23."),
            ("* * 0 * *", "days of the month: `0` does not fit. Write a number from 1 to 31."),
            ("* * * 13 *", "months: `13` does not fit. Write a number from 1 to 12, or JAN to DEC."),
            ("* * * june *", "months: `june` does not fit. Write a number from 1 to 12, or JAN to DEC."),
            ("* * * * 8", "days of the week: `8` does not fit. Write a number from 0 to 7, or SUN to SAT."),
            ("MON * * * *", "minutes: `MON` does not fit. Write a number from 0 to 59."),
            ("+5 * * * *", "minutes: `+5` does not fit. Write a number from 0 to 59."),
            ("5- * * * *", "minutes: `5-` does not fit. Write a number from 0 to 59."),
            ("*-5 * * * *", "minutes: `*` does not fit. Write a number from 0 to 59."),
            ("1,,2 * * * *", "minutes: `1,,2` has a comma without a value beside it. Remove the comma."),
            ("* 8, * * *", "hours: `8,` has a comma without a value beside it. Remove the comma."),
            (
                "* 1-2-3 * * *",
                "hours: `1-2-3` has more than one hyphen. Write a range as `FROM-TO`, and several with commas."
            ),
            ("* 22-6 * * *", "hours: `22-6` runs backwards. Write `22-23,0-6`."),
            ("* 23-0 * * *", "hours: `23-0` runs backwards. Write `23,0`."),
            ("* * * * FRI-MON", "days of the week: `FRI-MON` runs backwards. Write `5-6,0-1`."),
            (
                "*/0 * * * *",
                "minutes: `*/0` has no step that fits. After the `/` write a number from 1 to 59."
            ),
            ("* */24 * * *", "hours: `*/24` has no step that fits. After the `/` write a number from 1 to 23."),
            ("* 1-5/ * * *", "hours: `1-5/` has no step that fits. After the `/` write a number from 1 to 23."),
            ("* */2/3 * * *", "hours: `*/2/3` has no step that fits. After the `/` write a number from 1 to 23."),
            (
                "99999999999999999999 * * * *",
                "minutes: `99999999999999999999` does not fit. Write a number from 0 to 59."
            ),
        ])
    func problems(text: String, problem: String) {
        #expect(Crontab(text) == nil)
        #expect(Crontab.problem(in: text) == problem)
    }

    @Test("A crontab line is stored as it was written.")
    func coding() throws {
        let crontab = try #require(Crontab("*/5 7-18 * * MON-FRI"))
        let data = try JSONEncoder().encode([crontab])
        #expect(String(decoding: data, as: UTF8.self) == #"["*\/5 7-18 * * MON-FRI"]"#)
        #expect(try JSONDecoder().decode([Crontab].self, from: data) == [crontab])
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([Crontab].self, from: Data(#"["* 25 * * *"]"#.utf8))
        }
        #expect(Crontab.problem(in: crontab.text) == nil)
    }
}

extension Crontab {
    /// What is wrong with a line, and the remedy; nil if the line is right.
    static func problem(in text: String) -> String? {
        do {
            _ = try Crontab(reading: text)
            return nil
        } catch {
            return error.text
        }
    }

    func matches(_ time: CivilTime) -> Bool {
        matches(day: time.date) && matches(hour: time.hour, minute: time.minute)
    }
}
