import ArgumentParser
import Calendar
import Devices
import Export
import Glibc
import Quantities
import Store

struct ReportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Writes a report about a day, a month or a trip as one HTML page with a drawing of the track.",
        discussion: """
            The command reads the database, even while the daemon is running. The page is one file without scripts, and loads \
            nothing from the network. Without --day, --month and --trip, the report is about today.
            """)

    @Option(help: "A day such as 2026-01-31, in the configured time zone or in the zone of `TZ`.")
    var day: String?

    @Option(help: "A month such as 2026-01.")
    var month: String?

    @Option(help: "A trip: its number in `trackerd trips`, its name, or the ID with which you started it.")
    var trip: String?

    @Option(
        name: .shortAndLong, help: "The file to write, which replaces an existing file; by default standard output.")
    var output: String?

    @OptionGroup var store: DatabaseOptions

    func validate() throws {
        guard [day, month, trip].compactMap(\.self).count <= 1 else {
            throw ValidationError("--day, --month and --trip exclude each other. Use only one of these options.")
        }
        _ = try calendarSubject(today: CivilDate(year: 2026, month: 1, day: 1))
    }

    func run() throws {
        // Other users must not read where the vehicle has been.
        umask(0o077)
        let source = try store.source()
        let reader = ReportReader(source: source, now: BootClock().wallTime().time)
        let report =
            if let trip {
                try reader.report(trip: trip)
            } else {
                try reader.report(
                    on: try calendarSubject(today: source.zone.local(at: reader.now).date))
            }
        let file = ExportFile(output)
        try file.write(report.html)
        try file.finish()
        guard reader.unreadableCount > 0 else { return }
        let count = reader.unreadableCount
        let note =
            "The report lacks \(count) \(count == 1 ? "record" : "records") that this version of trackerd cannot read.\n"
        _ = Glibc.write(STDERR_FILENO, note, note.utf8.count)
    }

    /// Without arguments, today.
    private func calendarSubject(today: CivilDate) throws -> ReportSubject {
        if let month {
            guard let first = ISO8601("\(month)-01"), first.time == nil else {
                throw ValidationError("`\(month)` is not a month. Write a month such as 2026-01.")
            }
            return .month(year: first.date.year, month: first.date.month)
        }
        guard let day else { return .day(today) }
        guard let written = ISO8601(day), written.time == nil else {
            throw ValidationError("`\(day)` is not a day. Write a day such as 2026-01-31.")
        }
        return .day(written.date)
    }
}
