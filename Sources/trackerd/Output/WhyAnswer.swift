import Control
import Formats
import JSON
import Quantities
import Store
import Tracking

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
