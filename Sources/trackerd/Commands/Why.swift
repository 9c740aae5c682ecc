import ArgumentParser
import Calendar
import Configuration
import Control
import Devices
import Formats
import FoundationEssentials
import JSON
import Quantities
import Store
import Tracking

struct Why: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Shows the decisions around a time, and the evidence for each decision.",
        usage: "trackerd why <time> [--config <config> | --database <database>] [--span <span>] [--json]",
        discussion: """
            TIME is `now`, an age such as -10m, a time of today such as 14:05, or a date and a time such as \
            2026-01-31T14:05. Without Z or an offset, the time is in the zone of `TZ` or of this computer.
            """)

    @Argument(parsing: .allUnrecognized, help: ArgumentHelp("The time.", valueName: "time"))
    var time: [String] = []

    @Option(help: "The configuration file, which sets the database.")
    var config = Configuration.defaultPath

    @Option(help: "The database, instead of the one in the configuration.")
    var database: String?

    @Option(help: "The span to show on each side of the time, such as 90s, 5m, 2h.")
    var span = "5m"

    @Flag(help: "Write one JSON object.")
    var json = false

    func validate() throws {
        guard time.count == 1 else {
            throw ValidationError("Write one time, such as `trackerd why 14:05` or `trackerd why -10m`.")
        }
        _ = try asked(now: BootClock().wallTime().time)
        _ = try reach()
    }

    func run() throws {
        let moment = try asked(now: BootClock().wallTime().time)
        let reach = try reach()
        let path = try database ?? Configuration.read(config).storePath
        let history = try History(path: path).excerpt(of: moment - reach...moment + reach)
        let report = WhyReport(moment: moment, reach: reach, history: history, offset: Self.zone.offset)
        try LineWriter.write(WhyAnswer(report), asJSON: json, orLines: report.lines)
        guard report.isKnown else { throw ExitCode.failure }
    }

    private func asked(now: Timestamp) throws -> Timestamp {
        let text = time.joined(separator: " ")
        guard let moment = MomentText(now: now, zone: Self.zone).parse(text) else {
            throw ValidationError(
                "`\(text)` is not a time. Write `now`, `-10m`, `14:05` or `2026-01-31T14:05:00Z`.")
        }
        return moment
    }

    private static let zone = ZoneFiles().current(ProcessInfo.processInfo.environment["TZ"])

    private func reach() throws -> Duration {
        guard let reach = DurationText.parse(span) else {
            throw ValidationError("`\(span)` is not a duration. Write a duration such as 90s, 5m or 2h.")
        }
        return reach
    }
}

struct WhyAnswer: Encodable {
    struct Span: Encodable {
        let from: String
        let to: String
    }

    struct Standing: Encodable {
        let state: String
        let since: String
    }

    struct Decision: Encodable {
        let time: String
        let time_trusted: Bool
        let subject: String
        let text: String
        let count: Int
    }

    struct Record: Encodable {
        let sequence: Int64
        let uuid: String
        let kind: String
        let time: String
        let time_trusted: Bool
        let moving: Bool
        let lat: Double?
        let lon: Double?
        let accuracy_m: Double?
        let speed_mps: Double?
        let trip: Int?
        let payload: JSONValue?
    }

    let asked: Span
    let known: Span?
    let began: Standing?
    let decisions: [Decision]
    let refused: [String: Int]
    let records: [Record]

    init(_ report: WhyReport) {
        let history = report.history
        asked = Span(from: report.from.description, to: report.to.description)
        known = history.known.map { Span(from: $0.lowerBound.description, to: $0.upperBound.description) }
        began = history.initialState.map {
            Standing(state: $0.isMoving ? "moving" : "stationary", since: $0.since.description)
        }
        let isRefusal = { (entry: HistoryExcerpt.Entry) in entry.subject == DecisionLog.Subject.refused }
        decisions = history.entries.filter { !isRefusal($0) }.map(Decision.init)
        refused = history.entries.filter(isRefusal).reduce(into: [:]) { $0[$1.text, default: 0] += $1.count }
        records = history.records.map(Record.init)
    }
}

extension WhyAnswer.Decision {
    fileprivate init(_ entry: HistoryExcerpt.Entry) {
        self.init(
            time: entry.time.description, time_trusted: entry.isTimeTrusted, subject: entry.subject, text: entry.text,
            count: entry.count)
    }
}

extension WhyAnswer.Record {
    fileprivate init(_ stored: StoredRecord) {
        let record = stored.record
        let position = record.position
        self.init(
            sequence: stored.sequence, uuid: stored.uuid, kind: record.kind.rawValue, time: record.time.description,
            time_trusted: record.isTimeTrusted, moving: record.isMoving, lat: position?.coordinate.latitude,
            lon: position?.coordinate.longitude, accuracy_m: position?.accuracy?.value,
            speed_mps: position?.speed?.value, trip: record.trip,
            payload: RecordPayload.json(of: record.content))
    }
}
