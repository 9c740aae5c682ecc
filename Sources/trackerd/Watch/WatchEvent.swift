import Control
import Calendar
import FoundationEssentials
import Quantities

/// A line of the daemon's stream; a daemon of another version may send further keys and events.
struct WatchEvent: Decodable {
    let event: String
    let at: String?
    var state: String?
    var power: String?
    var kind: String?
    var lat: Double?
    var lon: Double?
    var accuracy_m: Double?
    var trip: Int?
    var trigger: String?
    var regions: [Region]?
    var sequence: Int64?
    var reason: String?
    var subject: String?
    var text: String?
    var count: Int?
    var status: Control.Status?

    struct Region: Decodable {
        let name: String
    }

    init?(_ line: String) {
        guard let event = try? JSONDecoder().decode(WatchEvent.self, from: Data(line.utf8)) else { return nil }
        self = event
    }

    var time: Timestamp? { at.flatMap { ISO8601($0)?.timestamp() } }

    /// Nil for a snapshot of the status.
    var words: String? {
        switch event {
        case "status": nil
        case "state": state == "stationary" ? "parked" : state ?? "state unknown"
        case "receiver": "receiver \(power ?? "unknown")"
        case "record": record
        case "refused": "fix rejected: \(reason ?? "unknown")"
        case "decision": "\(subject ?? "decision"): \(text ?? "")"
        case "lost": "\(count ?? 0) events lost, because this command read too slowly"
        default: event
        }
    }

    private var record: String {
        let number = sequence.map { "record \($0)" } ?? "record"
        let words = [
            kind, trigger.map { "by \($0)" }, place, trip.map { "trip \($0)" },
            regions.flatMap { $0.isEmpty ? nil : "in " + $0.map(\.name).joined(separator: ", ") },
        ]
        let known = words.compactMap(\.self).joined(separator: ", ")
        return known.isEmpty ? number : "\(number): \(known)"
    }

    private var place: String? {
        guard let lat, let lon else { return nil }
        return "\(lat), \(lon)" + (accuracy_m.map { " ±\($0.tenths) m" } ?? "")
    }
}
