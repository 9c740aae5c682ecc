import Configuration
import ArgumentParser
import Calendar
import Devices
import FoundationEssentials
import Quantities
import Store

/// The database that a command reads, even while the daemon is running.
struct DatabaseOptions: ParsableArguments {
    @Option(help: "The configuration file, which sets the database, the device's name and the time zone.")
    var config = Configuration.defaultPath

    @Option(help: "The database, instead of the one in the configuration.")
    var database: String?

    /// The database, with the settings that the output requires.
    struct Source {
        let path: String
        /// The name of the vehicle's tracker.
        let device: String
        /// The time zone of times in the arguments and in the output.
        let zone: TimeZoneRules
        /// The names of the configured targets; nil without a configuration.
        var targets: [String]?
    }

    /// Reads the configuration; if `--database` is set, the configuration file may be missing.
    func source() throws -> Source {
        if let database, !FileManager.default.fileExists(atPath: config) {
            return Source(path: database, device: "trackerd", zone: Self.zone)
        }
        let configuration = try Configuration.read(config)
        return Source(
            path: database ?? configuration.storePath, device: configuration.device,
            zone: ProcessInfo.processInfo.environment["TZ"] == nil ? configuration.zone : Self.zone,
            targets: configuration.targetNames)
    }

    private static var zone: TimeZoneRules { ZoneFiles().current(ProcessInfo.processInfo.environment["TZ"]) }
}

/// A span of time in the form in which the user writes it.
struct SpanOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help:
            "The earliest time: a day such as 2026-01-31, a time such as 2026-01-31T14:05, a time of today such as 14:05, or an age such as -7d."
    )
    var from: String?

    @Option(parsing: .unconditional, help: "The latest time; a date includes the whole day.")
    var to: String?

    func validate() throws { _ = try span(in: .utc) }

    /// Returns the span; a time without an offset is a time in the zone.
    func span(in zone: TimeZoneRules) throws -> RecordSpan {
        let now = BootClock().wallTime().time
        let span = RecordSpan(
            from: try from.map { try Self.moment($0, endsDay: false, now, zone) },
            to: try to.map { try Self.moment($0, endsDay: true, now, zone) })
        if let from = span.from, let to = span.to, from > to {
            throw ValidationError("--from is later than --to. Swap the two times.")
        }
        return span
    }

    private static func moment(_ text: String, endsDay: Bool, _ now: Timestamp, _ zone: TimeZoneRules) throws
        -> Timestamp
    {
        if let written = ISO8601(text), written.time == nil {
            let date = written.date
            let midnight = Timestamp(year: date.year, month: date.month, day: date.day)
            // The day ends a millisecond before the next day begins. A day on which summer time begins or ends does not have 24
            // hours.
            return endsDay
                ? zone.moment(showing: midnight + .seconds(86_400)) - .milliseconds(1) : zone.moment(showing: midnight)
        }
        guard let moment = MomentText(now: now, zone: zone).parse(text) else {
            throw ValidationError(
                "`\(text)` is not a time. Write a day such as 2026-01-31, a time such as 2026-01-31T14:05:00Z, or an age such as -7d."
            )
        }
        return moment
    }
}
