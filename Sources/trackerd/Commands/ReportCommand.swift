import ArgumentParser
import Calendar
import Devices
import Export
import Glibc
import Quantities
import Store
import Tracking

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

    @Option(
        help: "A trip: its number in `trackerd trips`, its name, or the ID that you set with `trackerd trip start`.")
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
        LineWriter.writeNote(
            "The report lacks \(count) \(count == 1 ? "record" : "records") that this version of trackerd cannot read.")
    }

    /// The day or the month of the arguments; today if there are none.
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

final class ReportReader {
    fileprivate let now: Timestamp
    /// The number of records that this version cannot read.
    fileprivate private(set) var unreadableCount = 0

    private let source: DatabaseOptions.Source

    init(source: DatabaseOptions.Source, now: Timestamp) {
        (self.source, self.now) = (source, now)
    }

    func report(on subject: ReportSubject) throws -> DriveReport {
        let span = subject.span(in: source.zone)
        let trips = try History(path: source.path).trips().filter { trip in
            trip.began <= span.upperBound && (trip.summary?.ended ?? trip.lastRecord ?? trip.began) >= span.lowerBound
        }
        return try report(subject, span, trips)
    }

    func report(trip name: String) throws -> DriveReport {
        guard let trip = try History(path: source.path).trip(name) else { throw CommandError.unknownTrip(name) }
        let end = trip.summary?.ended ?? trip.lastRecord ?? trip.began
        return try report(.trip(trip.number), trip.began...max(end, trip.began + .seconds(1)), [trip])
    }

    private func report(
        _ subject: ReportSubject, _ span: ClosedRange<Timestamp>, _ trips: [RecordedTrip]
    ) throws -> DriveReport {
        let scan = try History(path: source.path)
        let clock = ZoneClock(zone: source.zone)
        guard let known = try scan.known(), known.overlaps(span) else {
            throw Self.empty(span, known: try scan.known(), clock)
        }
        // The last recorded state is the present state, unless the newest record is too old.
        let isPresent = now >= known.upperBound && now - known.upperBound < Self.longestSilence
        let end = isPresent ? max(known.upperBound, now) : known.upperBound
        let recorded = max(span.lowerBound, known.lowerBound)...min(span.upperBound, end)
        var input = ReportInput(
            subject, device: source.device, version: Executable.release, span: span, recorded: recorded,
            zone: source.zone,
            made: now)
        input.trips = trips.map(ReportInput.Trip.init)
        try addNotes(to: &input)
        let progress = try DeliveryProgress(path: source.path, targets: source.targets)
        input.targets = progress.targets
        var report = DriveReport(input)
        try scan.forEach(in: RecordSpan(from: span.lowerBound, to: span.upperBound)) { stored in
            report.add(stored.record, uploads: progress.states(of: stored).map(UploadState.init))
        }
        unreadableCount = scan.unreadableCount
        guard report.count > 0 else { throw Self.empty(span, known: known, clock) }
        return report
    }

    private static func empty(
        _ span: ClosedRange<Timestamp>, known: ClosedRange<Timestamp>?, _ clock: ZoneClock
    ) -> CommandError {
        guard let known else {
            return CommandError(
                "The database is empty, so there is no report. Drive first, or set another database with --database.")
        }
        return CommandError(
            """
            The database has no record from \(clock.shortText(span.lowerBound)) to \(clock.shortText(span.upperBound)). The \
            database covers \(clock.shortText(known.lowerBound)) to \(clock.shortText(known.upperBound)). Choose a day, a \
            month or a trip in this period.
            """)
    }

    /// The longest time between two records while the daemon runs normally.
    private static let longestSilence = Duration.seconds(86_400)

    private func addNotes(to input: inout ReportInput) throws {
        let found = try History(path: source.path).entries(of: input.span)
        input.notesSince = found.since
        for entry in found.entries {
            if let isOn = entry.isReceiverOn {
                if entry.time < input.span.lowerBound {
                    input.wasReceiverOn = isOn
                } else {
                    input.notes.append((entry.time, .receiver(isOn: isOn)))
                }
            } else if entry.subject == DecisionLog.Subject.refused {
                input.notes.append((entry.time, .refused(entry.text, count: entry.count)))
            }
        }
    }
}

extension ReportSubject {
    /// The time that the report covers; a day on which summer time begins or ends does not have 24 hours.
    fileprivate func span(in zone: TimeZoneRules) -> ClosedRange<Timestamp> {
        let (first, next): (CivilDate, CivilDate)
        switch self {
        case .day(let date): (first, next) = (date, CivilDate(daysSince1970: date.daysSince1970 + 1))
        case .month(let year, let month):
            first = CivilDate(year: year, month: month, day: 1)
            next = CivilDate(year: month == 12 ? year + 1 : year, month: month % 12 + 1, day: 1)
        case .trip: (first, next) = (CivilDate(daysSince1970: 0), CivilDate(daysSince1970: 0))
        }
        let (start, end) = (zone.midnight(of: first), zone.midnight(of: next))
        return start...max(start, end - .milliseconds(1))
    }
}

extension TimeZoneRules {
    fileprivate func midnight(of date: CivilDate) -> Timestamp {
        moment(showing: Timestamp(year: date.year, month: date.month, day: date.day))
    }
}

extension ReportInput.Trip {
    fileprivate init(_ trip: RecordedTrip) {
        self.init(number: trip.number, began: trip.began)
        name = trip.name ?? trip.report.externalID
        (ended, isUnderWay) = (trip.summary?.ended, trip.isUnderWay)
        distance = trip.distance
        summary = trip.summary
        from = TripsText.name(trip.startRegions, trip.start)
        to = TripsText.name(trip.endRegions, trip.summary?.end)
        if trip.name != nil, let id = trip.report.externalID { labels.append(id) }
        labels += [trip.driver, trip.vehicle, trip.tag].compactMap(\.self)
        labels += trip.report.metadata.map { "\($0.key): \($0.value)" }
    }
}

extension UploadState {
    fileprivate init(_ state: DeliveryProgress.State) {
        self =
            switch state {
            case .delivered: .delivered
            case .withheld: .withheld
            case .waiting: .waiting
            case .setAside: .setAside
            }
    }
}
