import Configuration
import ArgumentParser
import Calendar
import Devices
import FoundationEssentials
import Quantities
import Store

struct DatabaseOptions: ParsableArguments {
    @Option(help: "The configuration file, which sets the database, the device's name and the time zone.")
    var config = Configuration.defaultPath

    @Option(help: "The database, instead of the one in the configuration.")
    var database: String?

    struct Source {
        let path: String
        let device: String
        let zone: TimeZoneRules
        /// Nil without a configuration.
        var targets: [String]?
    }

    /// With `--database`, the configuration may be missing.
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

    /// A time without an offset is in `zone`.
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
            // A day on which summer time begins or ends does not have 24 hours.
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
